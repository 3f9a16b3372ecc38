import Quantities
import RunLog

/// `queueing delay on LINK stays below TIME`: how much longer packets take than on the idle link at
/// its highest rate, for the worst packet or for a percentile of them.
struct QueueingStays: Expectation {
    let link: String
    let figure: ExpectationPlan.QueueingFigure
    let limit: TimeSpan
    let window: ClosedRange<TimeSpan>?

    var watch = Watch()
    var number: UInt16?
    var terms: LinkTerms?
    var onWay = PacketsOnWay()
    /// The waits of all delivered packets in nanoseconds.
    var waits: [UInt64] = []

    init(
        _ link: String, _ figure: ExpectationPlan.QueueingFigure, below limit: TimeSpan,
        _ window: ClosedRange<TimeSpan>?
    ) {
        self.link = link
        self.figure = figure
        self.limit = limit
        self.window = window
    }

    var statement: String {
        "the \(figure.words) on the \(link) stays below \(limit)\(window.words)"
    }

    mutating func read(_ event: RunEvent) {
        if case .link(.planned(let number, let terms)) = event.fact, terms.name == link {
            self.number = number
            self.terms = terms
        }
        guard case .run(.ended) = event.fact, !waits.isEmpty else { return }
        waits.sort()
        let rank = (waits.count * figure.percent + 99) / 100
        let wait = TimeSpan(nanoseconds: Int64(waits[max(rank, 1) - 1]))
        guard wait >= limit else { return }
        let longest = TimeSpan(nanoseconds: Int64(waits[waits.count - 1]))
        watch.fall(
            expected: statement,
            seen: "it is \(wait) over \(waits.count) packets, the longest \(longest)")
    }

    mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        guard let number, let terms else { return }
        for record in packets where record.link == number {
            switch record.kind {
            case .sent: onWay.append(PacketsOnWay.Entry(of: record))
            case .duplicated: onWay.duplicate(record.packet)
            case .dropped: _ = onWay.leave(record.packet)
            case .delivered:
                guard let sentAt = onWay.leave(record.packet), isWanted(record) else { continue }
                waits.append(terms.wait(of: record, sentAt: sentAt))
            case .captured: break
            }
        }
    }

    var reasonNotToJudge: String? {
        watch.missingEnd
            ?? (waits.isEmpty ? "no packet crossed the \(link)\(window.words)" : nil)
    }

    private func isWanted(_ record: PacketRecord) -> Bool {
        guard let window else { return true }
        return window.contains(TimeSpan(nanoseconds: Int64(record.atNanoseconds)))
    }
}

extension ExpectationPlan.QueueingFigure {
    fileprivate var words: String {
        switch self {
        case .longest: "queueing delay"
        case .median: "median queueing delay"
        case .percentile95: "95th percentile of the queueing delay"
        case .percentile99: "99th percentile of the queueing delay"
        }
    }

    /// The part of the packets that do not wait longer.
    fileprivate var percent: Int {
        switch self {
        case .longest: 100
        case .median: 50
        case .percentile95: 95
        case .percentile99: 99
        }
    }
}
