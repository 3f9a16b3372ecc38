/// The packets that travel on a link, in order of arrival: a ring that grows by doubling.
///
/// Raw storage, because every packet is written here once and read once.
struct PacketRing: ~Copyable {
    private var slots: UnsafeMutablePointer<Packet>
    private var mask = 63
    private var head = 0
    private var tail = 0

    init() { slots = .allocate(capacity: mask + 1) }

    deinit { slots.deallocate() }

    /// Where the next packet is to be written; it is not in the row until `append` is called.
    @inline(__always)
    mutating func freeSlot() -> UnsafeMutablePointer<Packet> {
        if tail &- head > mask { grow() }
        return slots + (tail & mask)
    }

    /// Puts what stands in the free slot into the row.
    @inline(__always)
    mutating func append() { tail &+= 1 }

    /// Puts what stands in the free slot where it belongs by its arrival, behind those that arrive
    /// at the same time.
    mutating func insert() {
        let packet = (slots + (tail & mask)).move()
        var place = tail
        while place != head {
            let before = slots + ((place &- 1) & mask)
            guard before.pointee.arrivalNanoseconds > packet.arrivalNanoseconds else { break }
            (slots + (place & mask)).moveInitialize(from: before, count: 1)
            place &-= 1
        }
        (slots + (place & mask)).initialize(to: packet)
        tail &+= 1
    }

    /// Takes the first out; there must be one. It can be read until the next packet is written.
    @inline(__always)
    mutating func removeFirst() -> UnsafePointer<Packet> {
        defer { head &+= 1 }
        return first
    }

    /// The first; there must be one.
    var first: UnsafePointer<Packet> {
        @inline(__always) get { UnsafePointer(slots + (head & mask)) }
    }

    var isEmpty: Bool {
        @inline(__always) get { head == tail }
    }

    func forEach(_ body: (borrowing Packet) -> Void) {
        for place in head..<tail { body(slots[place & mask]) }
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Packet>.allocate(capacity: 2 * (mask + 1))
        for place in head..<tail {
            (larger + (place & (2 * mask + 1)))
                .moveInitialize(from: slots + (place & mask), count: 1)
        }
        slots.deallocate()
        slots = larger
        mask = 2 * mask + 1
    }
}
