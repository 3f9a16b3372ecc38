import LinkModels
import RunLog

/// Packet records on their way to the log: written one by one, read where they lie, many at a time.
///
/// Raw storage, because three records are written for every packet of content.
struct PacketJournal: ~Copyable, Clonable {
    private var records: UnsafeMutablePointer<PacketRecord>
    private var count = 0
    private var room = Self.capacity

    /// A link stops to look after the journal when there are more.
    private var limit = Self.capacity - 3

    private static let capacity = 1024
    /// Few enough to be near the processor when they are read.
    private static let batch = 512

    init() { records = .allocate(capacity: Self.capacity) }

    deinit { records.deallocate() }

    mutating func unshare() {
        records = records.cloned(capacity: room)
    }

    /// Whether a packet's records, of which there are three at most at a time, might not fit; or
    /// whether every packet wants to be looked at.
    var wantsAttention: Bool {
        @inline(__always) get { count > limit }
    }

    /// Whether there are so many that it is time to read them.
    var isRipe: Bool {
        @inline(__always) get { count >= Self.batch }
    }

    var isEmpty: Bool { count == 0 }

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

    /// Hands all over to a log that keeps them, if there might be no room for those of the next
    /// packet.
    mutating func handOverIfFull(to log: inout RunLogSink) {
        if count > Self.capacity - 3 { handOver(to: &log) }
    }

    mutating func handOver(to log: inout RunLogSink) {
        guard count > 0 else { return }
        log.record(packets: UnsafeBufferPointer(start: records, count: count))
        count = 0
    }

    /// Lets a log's reader read them behind what the log itself holds.
    mutating func drain(_ log: inout RunLogSink, into reader: inout some RunLogReader) {
        log.drain(into: &reader, latest: UnsafeBufferPointer(start: records, count: count))
        count = 0
    }
}
