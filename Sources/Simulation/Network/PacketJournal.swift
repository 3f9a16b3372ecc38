import LinkModels
import RunLog

/// Packet records on their way to the log: written one by one, read in batches.
///
/// Storage is raw, because every packet of content writes several records.
struct PacketJournal: ~Copyable, Clonable {
    private var records: UnsafeMutablePointer<PacketRecord>
    private var count = 0
    private var room = Self.capacity

    /// Count above which a packet wants attention.
    private var limit = Self.capacity - 3

    private static let capacity = 1024
    /// Number of records in a batch, small enough to stay in the cache until it is read.
    private static let batch = 512

    init() { records = .allocate(capacity: Self.capacity) }

    deinit { records.deallocate() }

    mutating func unshare() {
        records = records.cloned(capacity: room)
    }

    /// Whether the records of one packet, at most three, might not fit, or somebody looks at every
    /// packet anyway.
    var wantsAttention: Bool {
        @inline(__always) get { count > limit }
    }

    /// Whether it is time to read the records.
    var isRipe: Bool {
        @inline(__always) get { count >= Self.batch }
    }

    var isEmpty: Bool { count == 0 }

    /// Asks for attention at every packet. Runs in which nobody looks at all packets pay nothing
    /// for this.
    mutating func wantAttentionAlways() { limit = -1 }

    /// Adds a record; the caller ensures that there is room.
    @inline(__always)
    mutating func append(_ record: PacketRecord) {
        (records + count).initialize(to: record)
        count &+= 1
    }

    /// Makes room for another record in a full journal, because a queue may drop many packets at
    /// once.
    mutating func makeRoom() {
        guard count == room else { return }
        records.move(count, toCapacity: 2 * room)
        room *= 2
    }

    /// Hands the records to the log if the next packet's might not fit.
    mutating func handOverIfFull(to log: inout RunLogSink) {
        if count > Self.capacity - 3 { handOver(to: &log) }
    }

    mutating func handOver(to log: inout RunLogSink) {
        guard count > 0 else { return }
        log.record(packets: UnsafeBufferPointer(start: records, count: count))
        count = 0
    }

    /// Lets a reader read the log, then these records.
    mutating func drain(_ log: inout RunLogSink, into reader: inout some RunLogReader) {
        log.drain(into: &reader, latest: UnsafeBufferPointer(start: records, count: count))
        count = 0
    }
}
