import Quantities
import RunLog

/// `at most SIZE over cellular`, `at least SIZE over wifi`: the bytes that the phones send there,
/// headers and retransmissions included.
struct SentOverInterface: Expectation {
    let isCellular: Bool
    let limit: Bound<ByteCount>

    var watch = Watch()
    var uplinks: Set<UInt16> = []
    /// Flows of other traffic, which do not count.
    var others: Set<UInt16> = []
    var sent = ByteCount.zero
    var hasPackets = false

    var statement: String {
        "\(limit) are sent over \(isCellular ? "cellular" : "Wi-Fi"), headers included"
    }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .network(.interface(_, let terms, _)) where terms.isCellular == isCellular:
            uplinks.insert(terms.uplink)
        case .link(.shared(_, let terms)): others.insert(terms.flow)
        case .run(.ended) where hasPackets && !limit.isMet(by: sent):
            watch.fall(expected: statement, seen: "it is \(sent)")
        default: break
        }
    }

    mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        if !packets.isEmpty { hasPackets = true }
        for record in packets where isSent(record) {
            sent += ByteCount(UInt64(record.size))
            guard limit.isExceeded(by: sent) else { continue }
            watch.fall(
                byPacketAt: Instant(nanoseconds: record.atNanoseconds), expected: statement,
                seen: "with this packet it is \(sent)")
        }
    }

    var reasonNotToJudge: String? {
        watch.missingEnd ?? (hasPackets ? nil : "no packet was seen")
    }

    private func isSent(_ record: PacketRecord) -> Bool {
        switch record.kind {
        case .sent, .captured: uplinks.contains(record.link) && !others.contains(record.flow)
        case .delivered, .dropped, .duplicated: false
        }
    }
}
