import Quantities
import RunPlan

/// Address translators that forget idle connections, and when each connection was last seen.
///
/// They see packets in both directions. One timer serves all mappings. It goes off when the first
/// one could have expired; usually none has.
struct AddressTranslators {
    /// Plans, indexed by interface.
    private let plans: [TranslatorPlan?]
    /// Mappings, indexed by the connection's place.
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

    /// Timer slot after those of the hosts.
    static let slot = CrossTrafficHost.firstSlot - 1

    /// Returns `nil` if no translator forgets anything.
    init?(_ plans: [TranslatorPlan?]) {
        guard plans.contains(where: { $0 != nil }) else { return nil }
        self.plans = plans
    }

    /// Notes a packet in either direction. Returns when the timer must go off, unless it is set.
    mutating func see(
        _ packet: borrowing Packet, over interface: Int, atNanoseconds now: UInt64
    ) -> UInt64? {
        guard let plan = plans[interface] else { return nil }
        let place = Int(packet.endpoint) / 2
        while mappings.count <= place { mappings.append(nil) }
        if plan.countsOnlyPayload, packet.payload == 0, let known = mappings[place],
            known.generation == packet.generation, known.interface == interface
        {
            return nil
        }
        let mapping = Mapping(
            place: place, generation: packet.generation, interface: interface, plan: plan,
            latest: now)
        mappings[place] = mapping
        guard !isTimerSet else { return nil }
        isTimerSet = true
        return mapping.end
    }

    /// Removes mappings that have expired, and returns when to look again.
    mutating func forget(atNanoseconds now: UInt64) -> (mappings: [Mapping], next: UInt64?) {
        let known = mappings.compactMap(\.self)
        let old = known.filter { $0.end <= now }
        for mapping in old { mappings[mapping.place] = nil }
        let next = known.lazy.map(\.end).filter { $0 > now }.min()
        isTimerSet = next != nil
        return (old, next)
    }
}
