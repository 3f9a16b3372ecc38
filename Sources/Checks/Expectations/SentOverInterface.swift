import Quantities
import RunLog

/// `at most SIZE over cellular`, `at most SIZE over wifi`: the bytes that the phones send there,
/// headers and retransmissions included.
struct SentOverInterface: Check {
    let rule: String
    let place: String?
    private let isCellular: Bool
    private let limit: ByteCount

    private var watch = Watch()
    private var uplinks: Set<UInt16> = []
    /// Flows of other traffic, which do not count.
    private var others: Set<UInt16> = []
    private var sent = ByteCount.zero
    private var hasPackets = false

    init(isCellular: Bool, atMost limit: ByteCount, words: String, place: String) {
        self.isCellular = isCellular
        self.limit = limit
        rule = words
        self.place = place
    }

    var statement: String {
        "at most \(limit) are sent over \(isCellular ? "cellular" : "Wi-Fi"), headers included"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .network(.interface(_, let terms, _)) where terms.isCellular == isCellular:
            uplinks.insert(terms.uplink)
        case .link(.shared(_, let terms)): others.insert(terms.flow)
        default: break
        }
    }

    mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        if !packets.isEmpty { hasPackets = true }
        for record in packets where isSent(record) {
            sent += ByteCount(UInt64(record.size))
            guard sent > limit else { continue }
            watch.fall(
                byPacketAt: Instant(nanoseconds: record.atNanoseconds), expected: statement,
                seen: "with this packet it is \(sent)")
        }
    }

    func verdict() -> Verdict.Answer {
        watch.answer(
            notApplicableBecause: watch.missingEnd ?? (hasPackets ? nil : "no packet was seen"))
    }

    private func isSent(_ record: PacketRecord) -> Bool {
        switch record.kind {
        case .sent, .captured: uplinks.contains(record.link) && !others.contains(record.flow)
        case .delivered, .dropped, .duplicated: false
        }
    }
}
