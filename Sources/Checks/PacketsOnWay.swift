import RunLog

/// The packets of one link direction that were sent and are neither delivered nor dropped.
/// Packet n is at index n modulo the capacity, a power of two. A link's packets are numbered
/// without gaps, so no search is needed.
struct PacketsOnWay: Sendable {
    /// The first packet that may still be on the link.
    private(set) var oldest: UInt32 = 0
    /// The number of the next packet.
    private(set) var next: UInt32 = 0
    private var ring = [Entry](repeating: Entry(), count: 1024)

    struct Entry: Sendable {
        var sentAt: UInt64 = 0
        /// Size, copies and codepoint in one word, so that one comparison suffices.
        private(set) var look: UInt64 = 0

        init() {}

        @inline(__always)
        init(of record: PacketRecord) {
            sentAt = record.atNanoseconds
            look = Self.look(of: record)
        }

        /// Returns the look of a single packet with this size and codepoint.
        @inline(__always)
        static func look(of record: PacketRecord) -> UInt64 {
            UInt64(record.size) | 1 << 16
                | UInt64(unsafeBitCast(record.codepoint, to: UInt8.self)) << 32
        }

        var size: UInt16 { UInt16(truncatingIfNeeded: look) }

        /// The number of copies on the way; 0 after delivery or drop.
        var copies: UInt16 {
            get { UInt16(truncatingIfNeeded: look >> 16) }
            set { look = look & ~0xffff_0000 | UInt64(newValue) << 16 }
        }

        /// Whether the terms of the link say that the packet is dropped.
        var mustBeDropped: Bool {
            get { look >> 40 & 1 == 1 }
            set { look = look & ~(1 << 40) | (newValue ? 1 << 40 : 0) }
        }

        /// Whether the packet is scalable; a marked one may have been (RFC 9331 §5.1).
        var isScalable: Bool { codepoint == .scalable || codepoint == .experienced }

        var codepoint: PacketRecord.Codepoint {
            unsafeBitCast(UInt8(truncatingIfNeeded: look >> 32), to: PacketRecord.Codepoint.self)
        }
    }

    /// The entry of a packet that is on the way.
    subscript(packet: UInt32) -> Entry? {
        guard packet &- oldest < next &- oldest else { return nil }
        let entry = ring[place(of: packet)]
        return entry.copies > 0 ? entry : nil
    }

    /// Adds the next packet.
    mutating func append(_ entry: Entry) {
        if isFull { makeRoom() }
        ring[place(of: next)] = entry
        next &+= 1
    }

    /// Adds a copy of a packet on the way.
    mutating func duplicate(_ packet: UInt32) { ring[place(of: packet)].copies += 1 }

    /// Removes a copy of a packet on the way.
    mutating func takeOff(_ packet: UInt32) {
        ring[place(of: packet)].copies -= 1
        while oldest != next && ring[place(of: oldest)].copies == 0 { oldest &+= 1 }
    }

    /// Removes a copy of a packet if it is on the way, and returns when the packet was sent.
    mutating func leave(_ packet: UInt32) -> UInt64? {
        guard let entry = self[packet] else { return nil }
        takeOff(packet)
        return entry.sentAt
    }

    // MARK: Many at a time

    /// Lends the row's memory, for a thousand look-ups at once.
    mutating func withRow<Result>(_ body: (inout Row) -> Result) -> Result {
        let (first, end) = (oldest, next)
        let (result, oldest, next) = ring.withUnsafeMutableBufferPointer { buffer in
            var row = Row(
                entries: buffer.baseAddress, mask: UInt32(buffer.count - 1),
                oldest: first, next: end)
            let result = body(&row)
            row.settle()
            return (result, row.oldest, row.next)
        }
        (self.oldest, self.next) = (oldest, next)
        return result
    }

    /// The packets in the same memory, without the ability to grow.
    struct Row {
        private let place: UnsafeMutablePointer<Entry>?
        private let mask: UInt32
        private(set) var oldest: UInt32
        private(set) var next: UInt32

        fileprivate init(
            entries: UnsafeMutablePointer<Entry>?, mask: UInt32, oldest: UInt32, next: UInt32
        ) {
            place = entries
            self.mask = mask
            self.oldest = oldest
            self.next = next
        }

        /// An empty row, which must not be read.
        static var none: Row { Row(entries: nil, mask: 0, oldest: 0, next: 0) }

        private var entries: UnsafeMutablePointer<Entry> {
            @inline(__always) get { place.unsafelyUnwrapped }
        }

        var isFull: Bool {
            @inline(__always) get { next &- oldest > mask }
        }

        /// The first packet on the way; an entry without copies if there is none.
        var first: Entry {
            @inline(__always) get { entries[Int(oldest & mask)] }
        }

        @inline(__always)
        mutating func append(_ entry: Entry) {
            entries[Int(next & mask)] = entry
            next &+= 1
        }

        /// Removes the first packet, which has a single copy; packets after it may already be gone.
        @inline(__always)
        mutating func takeOffFirst() {
            entries[Int(oldest & mask)] = Entry()
            oldest &+= 1
        }

        /// The entry of a packet that is on the way.
        subscript(packet: UInt32) -> Entry? {
            guard packet &- oldest < next &- oldest else { return nil }
            let entry = entries[Int(packet & mask)]
            return entry.copies > 0 ? entry : nil
        }

        /// Removes a copy of any packet on the way.
        mutating func takeOff(_ packet: UInt32) { entries[Int(packet & mask)].copies -= 1 }

        /// Skips packets that are gone, and returns how many there were.
        @discardableResult
        mutating func settle() -> UInt32 {
            let before = oldest
            while oldest != next, entries[Int(oldest & mask)].copies == 0 { oldest &+= 1 }
            return oldest &- before
        }
    }

    // MARK: Private parts

    private var isFull: Bool { Int(next &- oldest) == ring.count }

    private func place(of packet: UInt32) -> Int { Int(packet) & (ring.count - 1) }

    private mutating func makeRoom() {
        var larger = [Entry](repeating: Entry(), count: ring.count * 2)
        for step in 0..<UInt32(ring.count) {
            let packet = oldest &+ step
            larger[Int(packet) & (larger.count - 1)] = ring[place(of: packet)]
        }
        ring = larger
    }
}
