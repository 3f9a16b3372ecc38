import Quantities
import RunLog

/// Other traffic on a link: what was sent, and what was delivered.
struct ShareBook: Sendable {
    private let terms: SharingTerms
    private var sent = LinkCount.Tally()
    private var delivered = LinkCount.Tally()
    private var dropped = LinkCount.Tally()
    private var firstNanoseconds = UInt64.max
    private var lastNanoseconds: UInt64 = 0

    /// The first flow number of other traffic; the run's own connections have lower numbers.
    static let firstFlow: UInt16 = 0x8000

    init(_ terms: SharingTerms) { self.terms = terms }

    var flow: UInt16 { terms.flow }

    mutating func read(_ record: PacketRecord) {
        switch record.kind {
        case .sent:
            sent.add(bytes: Int(record.size))
            firstNanoseconds = min(firstNanoseconds, record.atNanoseconds)
        case .delivered:
            delivered.add(bytes: Int(record.size))
            lastNanoseconds = max(lastNanoseconds, record.atNanoseconds)
        case .dropped: dropped.add(bytes: Int(record.size))
        case .duplicated, .captured: break
        }
    }

    func figures(on link: String) -> ShareFigures {
        let isOver = lastNanoseconds > firstNanoseconds
        let time = isOver ? lastNanoseconds - firstNanoseconds : 0
        return ShareFigures(
            link: link, flow: terms.flow, what: terms.what, sent: sent, delivered: delivered,
            dropped: dropped,
            rate: Bitrate(
                ByteCount(delivered.bytes), in: TimeSpan(nanoseconds: Int64(time))))
    }
}
