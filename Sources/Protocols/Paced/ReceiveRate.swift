import Quantities

/// The rate at which packets arrive, between two reports without a pause of the sender.
struct ReceiveRate: Sendable {
    private var base: PacedReport?
    /// The number that was next when the sender last had nothing to send, or made a pause.
    var limitedAt: UInt64 = 0

    /// Fewer packets do not tell a rate.
    static let fewest: UInt64 = 3

    /// Returns the rate in bits per second; `nil` if too few packets tell it, or if the sender had
    /// nothing to send meanwhile.
    mutating func measured(_ report: PacedReport) -> Double? {
        // A pause before the base would count as time of the packets after it.
        guard base.map({ $0.end > limitedAt }) ?? (limitedAt == 0) else {
            base = report
            return nil
        }
        let packets = report.packets - (base?.packets ?? 1)
        guard packets >= Self.fewest else { return nil }
        let bytes = report.received.bytes - (base?.received.bytes ?? 0)
        let time = report.span - (base?.span ?? .zero)
        base = report
        return time > .zero ? Double(bytes) * 8 / time.seconds : nil
    }
}
