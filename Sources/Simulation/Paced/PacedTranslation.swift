import Quantities
import RunPlan

/// A translator of addresses in front of the client of a stream, as UDP meets it: once it has
/// forgotten the client, it lets nothing in, and gives what the client sends next another address.
struct PacedTranslation: Sendable {
    private let forgetsAfter: TimeSpan
    private var latest = Instant.start
    /// Each address of the client, and since when it has it.
    private var addresses: [(since: Instant, address: UInt32)] = [(.start, 0)]
    /// Each address to which the server has sent, and since when.
    private var targets: [(since: Instant, address: UInt32)] = [(.start, 0)]
    /// The addresses of challenges, by the numbers of their packets.
    private var challenges: [UInt64: UInt32] = [:]

    init(_ plan: TranslatorPlan) { forgetsAfter = plan.forgetsAfter }

    private var current: UInt32 { addresses[addresses.count - 1].address }

    /// Passes a packet of the client on.
    mutating func passesOut(at now: Instant) {
        if now >= latest + forgetsAfter, latest > .start {
            addresses.append((now, current + 1))
        }
        latest = now
    }

    /// Whether it lets a packet of the server in, which went to the address that the server used
    /// when it left, or to that of a challenge.
    mutating func letsIn(_ packet: borrowing Packet, at now: Instant) -> Bool {
        let isReport = packet.generation == PacedWay.kindOfReport
        let challenge = isReport ? nil : challenges[packet.acknowledgement]
        let left = Instant(nanoseconds: packet.stamp)
        guard now < latest + forgetsAfter,
            challenge ?? Self.address(at: left, of: targets) == current
        else { return false }
        latest = now
        return true
    }

    /// The address from which the client sent at a time.
    func sender(at time: Instant) -> UInt32 { Self.address(at: time, of: addresses) }

    mutating func challenged(_ address: UInt32, by number: UInt64) {
        challenges[number] = address
    }

    mutating func serverMoves(to address: UInt32, at now: Instant) {
        targets.append((now, address))
    }

    private static func address(
        at time: Instant, of row: [(since: Instant, address: UInt32)]
    ) -> UInt32 {
        row.last { $0.since <= time }?.address ?? 0
    }
}
