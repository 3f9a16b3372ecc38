import RunLog

/// Packet records on their way to the log: written one by one, handed over by the thousand.
///
/// Raw storage, because three records are written for every packet of content.
struct PacketJournal: ~Copyable {
    private var records: UnsafeMutablePointer<PacketRecord>
    private var count = 0
    private var room = Self.capacity

    /// A link stops to look after the journal when there are more.
    private var limit = Self.capacity - 3

    private static let capacity = 1024

    init() { records = .allocate(capacity: Self.capacity) }

    deinit { records.deallocate() }

    /// Whether a packet's records, of which there are three at most at a time, might not fit; or
    /// whether every packet wants to be looked at.
    var wantsAttention: Bool {
        @inline(__always) get { count > limit }
    }

    /// From now on it wants attention at every packet: so somebody who looks at all packets costs
    /// nothing where nobody does.
    mutating func wantAttentionAlways() { limit = -1 }

    /// Adds a record; whoever does sees to it that there is room.
    @inline(__always)
    mutating func append(_ record: PacketRecord) {
        (records + count).initialize(to: record)
        count &+= 1
    }

    /// For records of which nobody knows how many there will be: a queue may drop many at once.
    mutating func makeRoom() {
        guard count == room else { return }
        let larger = UnsafeMutablePointer<PacketRecord>.allocate(capacity: 2 * room)
        larger.moveInitialize(from: records, count: count)
        records.deallocate()
        records = larger
        room *= 2
    }

    mutating func handOver(to log: inout RunLogSink) {
        guard count > 0 else { return }
        log.record(packets: UnsafeBufferPointer(start: records, count: count))
        count = 0
    }
}
