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

    @inline(__always)
    mutating func append(_ packet: Packet) {
        if tail &- head > mask { grow() }
        (slots + (tail & mask)).initialize(to: packet)
        tail &+= 1
    }

    /// Puts a packet where it belongs by its arrival, behind those that arrive at the same time.
    mutating func insert(_ packet: Packet) {
        append(packet)
        var place = tail &- 1
        while place != head {
            let before = slots[(place &- 1) & mask]
            guard before.arrivalNanoseconds > packet.arrivalNanoseconds else { break }
            slots[place & mask] = before
            place &-= 1
        }
        slots[place & mask] = packet
    }

    /// Takes the first out; there must be one.
    @inline(__always)
    mutating func removeFirst() -> Packet {
        let packet = slots[head & mask]
        head &+= 1
        return packet
    }

    /// The first; there must be one.
    var first: UnsafePointer<Packet> {
        @inline(__always) get { UnsafePointer(slots + (head & mask)) }
    }

    var isEmpty: Bool {
        @inline(__always) get { head == tail }
    }

    func forEach(_ body: (Packet) -> Void) {
        for place in head..<tail { body(slots[place & mask]) }
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Packet>.allocate(capacity: 2 * (mask + 1))
        for place in head..<tail { larger[place & (2 * mask + 1)] = slots[place & mask] }
        slots.deallocate()
        slots = larger
        mask = 2 * mask + 1
    }
}
