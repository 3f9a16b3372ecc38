import Quantities
import RunPlan

/// The translators of addresses on the clients' ways that forget by themselves: when each saw a
/// packet of a connection last.
///
/// They see what a client sends and what comes to it. One timer stands for all; it goes off when
/// the first mapping could be too old, and mostly finds that it is not.
struct AddressTranslators {
    /// By the number of the interface.
    private let plans: [TranslatorPlan?]
    /// By the place of the connection.
    private var mappings: [Mapping?] = []
    private var isTimerSet = false

    struct Mapping {
        let place: Int
        let generation: UInt8
        let interface: Int
        let plan: TranslatorPlan
        fileprivate var latest: UInt64

        fileprivate var end: UInt64 {
            latest &+ plan.forgetsAfter.nanoseconds.magnitude
        }
    }

    /// The kernel's timer slot for them, behind those of the hosts.
    static let slot = CrossTrafficHost.firstSlot - 1

    /// `nil` where none of them forgets anything.
    init?(_ plans: [TranslatorPlan?]) {
        guard plans.contains(where: { $0 != nil }) else { return nil }
        self.plans = plans
    }

    /// A packet passes in either direction; answers when the timer has to go off, if nobody has set
    /// it.
    mutating func see(
        _ packet: borrowing Packet, over interface: Int, atNanoseconds now: UInt64
    ) -> UInt64? {
        guard let plan = plans[interface] else { return nil }
        let place = Int(packet.endpoint) / 2
        while mappings.count <= place { mappings.append(nil) }
        let mapping = Mapping(
            place: place, generation: packet.generation, interface: interface, plan: plan,
            latest: now)
        mappings[place] = mapping
        guard !isTimerSet else { return nil }
        isTimerSet = true
        return mapping.end
    }

    /// The timer has gone off: what has been silent for too long, and when to look again.
    mutating func forget(atNanoseconds now: UInt64) -> (mappings: [Mapping], next: UInt64?) {
        let known = mappings.compactMap(\.self)
        let old = known.filter { $0.end <= now }
        for mapping in old { mappings[mapping.place] = nil }
        let next = known.lazy.map(\.end).filter { $0 > now }.min()
        isTimerSet = next != nil
        return (old, next)
    }
}
