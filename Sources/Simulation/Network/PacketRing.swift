import CProcessor
import LinkModels

/// Packets on a link in order of arrival: a ring that grows by doubling.
///
/// Storage is raw, because every packet is written and read here once. SACK blocks are in a second
/// array, at the same place.
struct PacketRing: ~Copyable, Clonable {
    private var slots: UnsafeMutablePointer<Packet>
    private var blocks: UnsafeMutablePointer<SelectiveAcknowledgement>
    private var mask = 63
    private var head = 0
    private var tail = 0

    /// Places from the head to the packet that is prefetched, and to the packet that `coming`
    /// returns.
    private static let sentFor = 4
    private static let expected = 2

    init() { (slots, blocks) = Self.rows(of: mask + 1) }

    deinit {
        slots.deallocate()
        blocks.deallocate()
    }

    mutating func unshare() {
        slots = slots.cloned(capacity: mask + 1, alignment: 64)
        blocks = blocks.cloned(capacity: mask + 1)
    }

    /// Returns the place of the next packet. The packet joins the ring when `append` is called.
    @inline(__always)
    mutating func freeSlot() -> UnsafeMutablePointer<Packet> {
        if tail &- head > mask { grow() }
        return slots + (tail & mask)
    }

    /// Sets the SACK blocks of the packet in the free slot.
    mutating func put(_ beside: SelectiveAcknowledgement) { blocks[tail & mask] = beside }

    /// Writes a packet from elsewhere into the free slot.
    mutating func put(_ parcel: consuming Parcel) -> UnsafeMutablePointer<Packet> {
        let place = freeSlot()
        blocks[tail & mask] = parcel.blocks
        place.initialize(to: parcel.packet)
        return place
    }

    /// Returns the SACK blocks of a packet in this ring.
    func blocks(of packet: UnsafePointer<Packet>) -> SelectiveAcknowledgement {
        packet.pointee.hasBlocks ? blocks[packet - UnsafePointer(slots)] : .init()
    }

    func copy(of packet: UnsafePointer<Packet>) -> Parcel {
        Parcel(packet: Packet(packet.pointee), blocks: blocks(of: packet))
    }

    /// Appends the packet in the free slot to the ring.
    @inline(__always)
    mutating func append() { tail &+= 1 }

    /// Inserts the packet in the free slot by its arrival, after packets that arrive at the same
    /// time.
    mutating func insert() {
        let packet = (slots + (tail & mask)).move()
        let beside = blocks[tail & mask]
        var place = tail
        while place != head {
            let before = slots + ((place &- 1) & mask)
            guard before.pointee.arrivalNanoseconds > packet.arrivalNanoseconds else { break }
            (slots + (place & mask)).moveInitialize(from: before, count: 1)
            blocks[place & mask] = blocks[(place &- 1) & mask]
            place &-= 1
        }
        (slots + (place & mask)).initialize(to: packet)
        blocks[place & mask] = beside
        tail &+= 1
    }

    /// Removes the first packet; there must be one. It can be read until the next packet is
    /// written.
    ///
    /// Prefetches a later packet, because the packets of a thousand flows do not fit into the
    /// cache.
    @inline(__always)
    mutating func removeFirst() -> UnsafePointer<Packet> {
        defer { head &+= 1 }
        let packet = first
        prefetch(packet + Self.sentFor)
        return packet
    }

    /// The first packet; there must be one.
    var first: UnsafePointer<Packet> {
        @inline(__always) get { UnsafePointer(slots + (head & mask)) }
    }

    /// Prefetched packet that will be removed soon; if there is none, a former packet or an empty
    /// place.
    var coming: UnsafePointer<Packet> {
        @inline(__always) get { UnsafePointer(slots + ((head &+ Self.expected) & mask)) }
    }

    var isEmpty: Bool {
        @inline(__always) get { head == tail }
    }

    /// Number of packets removed from the head.
    var removedCount: UInt64 { UInt64(head) }

    func forEach(_ body: (borrowing Packet) -> Void) {
        for place in head..<tail { body(slots[place & mask]) }
    }

    private mutating func grow() {
        let wide = 2 * mask + 1
        let larger = Self.rows(of: wide + 1)
        for place in head..<tail {
            (larger.0 + (place & wide)).moveInitialize(from: slots + (place & mask), count: 1)
            larger.1[place & wide] = blocks[place & mask]
        }
        slots.deallocate()
        blocks.deallocate()
        (slots, blocks) = larger
        mask = wide
    }

    /// Allocates both arrays, each packet aligned to a cache line. Empty places are initialized,
    /// because `coming` may read them.
    private static func rows(
        of capacity: Int
    ) -> (UnsafeMutablePointer<Packet>, UnsafeMutablePointer<SelectiveAcknowledgement>) {
        let slots = UnsafeMutableRawPointer.allocate(
            byteCount: capacity * MemoryLayout<Packet>.stride, alignment: 64)
        slots.initializeMemory(
            as: UInt8.self, repeating: 0, count: capacity * MemoryLayout<Packet>.stride)
        let blocks = UnsafeMutablePointer<SelectiveAcknowledgement>.allocate(capacity: capacity)
        blocks.initialize(repeating: SelectiveAcknowledgement(), count: capacity)
        return (slots.bindMemory(to: Packet.self, capacity: capacity), blocks)
    }
}
