import Quantities
import RunLog

/// One direction of a TCP connection over time. Its sender is watched: a packet counts when it is
/// sent, an acknowledgement when it is delivered.
///
/// Positions count sequence numbers from that of the SYN, so that the first byte is at 1. They do
/// not wrap after 4 GiB.
struct StreamBook: Sendable {
    private var steps: TimeSteps<Step>
    private var origin: UInt32?
    private var link: UInt16?
    /// The position after the latest number sent, and the one after the latest byte.
    private var end: UInt64 = 0
    private var bytesEnd: UInt64 = 1
    private var acknowledged: UInt64 = 0
    /// The segment whose acknowledgement ends the current measurement of the round-trip time.
    private var timed: (end: UInt64, at: UInt64)?
    private var hasWindows = false
    private var hasRetransmissions = false

    private struct Step: TimeStep {
        var inFlight = LevelStep()
        var sent: UInt64 = 0
        var acknowledged: UInt64 = 0
        var retransmitted: UInt64?
        var window: UInt64?
        var samples: UInt64 = 0
        var sampledTime: UInt64 = 0
        var longestSample: UInt64 = 0

        var next: Step {
            var step = Step()
            step.inFlight = inFlight.next
            step.sent = sent
            step.acknowledged = acknowledged
            return step
        }

        mutating func merge(_ later: Step) {
            inFlight.merge(later.inFlight)
            sent = later.sent
            acknowledged = later.acknowledged
            retransmitted = [retransmitted, later.retransmitted].compactMap(\.self).min()
            window = [window, later.window].compactMap(\.self).max()
            samples += later.samples
            sampledTime += later.sampledTime
            longestSample = max(longestSample, later.longestSample)
        }
    }

    init(from begin: UInt64) { steps = TimeSteps(limit: SeriesBook.stepLimit, from: begin) }

    /// The bytes of the stream that were sent.
    var bytes: UInt64 { bytesEnd - 1 }

    mutating func sends(_ record: PacketRecord) {
        let opens = record.flags.contains(.syn)
        let length =
            UInt64(record.payload) + (opens ? 1 : 0) + (record.flags.contains(.fin) ? 1 : 0)
        guard length > 0 else { return }
        // A capture may begin in the middle of a stream.
        if origin == nil {
            origin = opens ? record.sequence : record.sequence &- 1
            link = record.link
        }
        if end == 0, !opens { (end, acknowledged) = (1, 1) }
        guard let position = position(of: record.sequence) else { return }
        let now = record.atNanoseconds
        if position < end {
            note(retransmissionFrom: position, carriesBytes: record.payload > 0, at: now)
        } else if timed == nil {
            timed = (position + length, now)
        }
        end = max(end, position + length)
        if record.payload > 0 {
            bytesEnd = max(bytesEnd, position + (opens ? 1 : 0) + UInt64(record.payload))
        }
        noteLevel(at: now)
    }

    /// Reads an acknowledgement that has reached the sender.
    mutating func hears(_ record: PacketRecord) {
        guard record.flags.contains(.ack), let position = position(of: record.acknowledgement),
            position > acknowledged, position <= end
        else { return }
        acknowledged = position
        if let timed, timed.end <= position {
            note(
                roundTrip: max(record.atNanoseconds, timed.at) - timed.at, at: record.atNanoseconds)
            self.timed = nil
        }
        noteLevel(at: record.atNanoseconds)
    }

    mutating func read(_ window: CongestionWindow) {
        let now = window.at.nanoseconds
        steps[at: now].window = max(steps[at: now].window ?? 0, window.size.bytes)
        hasWindows = true
    }

    /// Returns the stream as the series of a flow.
    func series(
        of flow: UInt16, _ connection: ConnectionName?, from sender: RunSeries.Flow.Sender
    ) -> RunSeries.Flow {
        let all = steps.steps
        return RunSeries.Flow(
            flow: flow, connection: connection, sender: sender, link: link,
            bytes: ByteCount(bytes), from: steps.begin, step: steps.width,
            inFlight: all.map { ByteCount($0.inFlight.largest) },
            window: hasWindows ? all.map { $0.window.map { ByteCount($0) } } : nil,
            roundTrip: all.map {
                $0.samples == 0 ? nil : TimeSpan(counting: $0.sampledTime / $0.samples)
            },
            longestRoundTrip: all.map {
                $0.samples == 0 ? nil : TimeSpan(counting: $0.longestSample)
            },
            sent: all.map { ByteCount($0.sent) },
            acknowledged: all.map { ByteCount($0.acknowledged) },
            retransmitted: hasRetransmissions
                ? all.map { $0.retransmitted.map { ByteCount($0) } } : nil)
    }

    /// Notes a retransmission. An acknowledgement that may owe itself to it measures nothing (RFC
    /// 6298 §3, Karn's algorithm).
    private mutating func note(
        retransmissionFrom position: UInt64, carriesBytes: Bool, at now: UInt64
    ) {
        if let timed, position < timed.end { self.timed = nil }
        guard carriesBytes else { return }
        hasRetransmissions = true
        let byte = position - 1
        steps[at: now].retransmitted = min(steps[at: now].retransmitted ?? byte, byte)
    }

    private mutating func note(roundTrip time: UInt64, at now: UInt64) {
        steps[at: now].samples += 1
        steps[at: now].sampledTime += time
        steps[at: now].longestSample = max(steps[at: now].longestSample, time)
    }

    private mutating func noteLevel(at now: UInt64) {
        let arrived = min(max(acknowledged, 1), bytesEnd) - 1
        steps[at: now].inFlight.set(bytes - arrived)
        steps[at: now].sent = bytes
        steps[at: now].acknowledged = arrived
    }

    /// Returns the position of a sequence number near the end; `nil` if it is before the SYN.
    private func position(of sequence: UInt32) -> UInt64? {
        guard let origin else { return nil }
        let latest = origin &+ UInt32(truncatingIfNeeded: end)
        let distance = Int64(Int32(bitPattern: sequence &- latest))
        return UInt64(exactly: Int64(end) + distance)
    }
}
