import Checks
import Quantities
import RunLog

/// One direction of a TCP connection over time, as its sender sees it.
struct StreamBook: Sendable {
    private var steps: TimeSteps<Step>
    private var link: UInt16?
    private var progress = StreamProgress()
    private var hasWindows = false
    private var hasRetransmissions = false

    private struct Step: TimeStep {
        var inFlight = LevelStep()
        var sent: UInt64 = 0
        var acknowledged: UInt64 = 0
        var retransmitted: UInt64?
        var window: UInt64?
        var threshold: UInt64?
        var pacingRate: UInt64?
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
            threshold = [threshold, later.threshold].compactMap(\.self).min()
            pacingRate = [pacingRate, later.pacingRate].compactMap(\.self).max()
            samples += later.samples
            sampledTime += later.sampledTime
            longestSample = max(longestSample, later.longestSample)
        }
    }

    init(from begin: UInt64) { steps = TimeSteps(limit: SeriesBook.stepLimit, from: begin) }

    /// The bytes of the stream that were sent.
    var bytes: UInt64 { progress.sent }

    mutating func sends(_ record: PacketRecord) {
        guard let segment = progress.sends(record) else { return }
        if link == nil { link = record.link }
        if segment.isRepeated, record.payload > 0 {
            note(retransmissionFrom: segment.range.lowerBound, at: record.atNanoseconds)
        }
        noteLevel(at: record.atNanoseconds)
    }

    /// Reads an acknowledgement that has reached the sender.
    mutating func hears(_ record: PacketRecord) {
        guard let heard = progress.hears(record) else { return }
        if let time = heard.roundTrip { note(roundTrip: time, at: record.atNanoseconds) }
        noteLevel(at: record.atNanoseconds)
    }

    mutating func read(_ window: CongestionWindow) {
        let now = window.at.nanoseconds
        steps[at: now].window = max(steps[at: now].window ?? 0, window.size.bytes)
        if let threshold = window.threshold?.bytes {
            steps[at: now].threshold = min(steps[at: now].threshold ?? threshold, threshold)
        }
        if let rate = window.pacingRate?.bitsPerSecond {
            steps[at: now].pacingRate = max(steps[at: now].pacingRate ?? rate, rate)
        }
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
            threshold: all.contains { $0.threshold != nil }
                ? all.map { $0.threshold.map { ByteCount($0) } } : nil,
            pacingRate: all.contains { $0.pacingRate != nil }
                ? all.map { $0.pacingRate.map { Bitrate(bitsPerSecond: $0) } } : nil,
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

    private mutating func note(retransmissionFrom position: UInt64, at now: UInt64) {
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
        steps[at: now].inFlight.set(progress.inFlight)
        steps[at: now].sent = progress.sent
        steps[at: now].acknowledged = progress.arrived
    }
}
