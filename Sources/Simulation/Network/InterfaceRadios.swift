import LinkModels
import RunLog

/// The radios of the hosts' interfaces.
struct InterfaceRadios {
    private let plans: [RadioPlan?]
    /// Radios at work, indexed by interface.
    private var clocks: [RadioClock?]

    /// Returns `nil` if no radio makes anybody wait.
    init?(_ plans: [RadioPlan?]) {
        guard plans.contains(where: { $0 != nil }) else { return nil }
        self.plans = plans
        clocks = plans.map { $0.map { RadioClock($0) } }
    }

    /// Returns the first moment at which a link may begin to send a packet that comes now.
    mutating func release(
        _ interface: Int, isUplink: Bool, busyUntil: UInt64, isFree: Bool, atNanoseconds now: UInt64
    ) -> UInt64? {
        // Ways of bulk flows come after the interfaces.
        guard clocks.indices.contains(interface) else { return nil }
        return clocks[interface]?.release(
            isUplink ? .up : .down, busyUntil: busyUntil, isFree: isFree, atNanoseconds: now)
    }

    mutating func switchOff(_ interface: Int) {
        if clocks.indices.contains(interface) { clocks[interface]?.switchOff() }
    }

    /// Properties of a link, for the checks.
    func terms(ofLink link: UInt16) -> RadioWaits? {
        let interface = Int(link >> 1)
        guard plans.indices.contains(interface), let plan = plans[interface] else { return nil }
        return RadioWaits(
            partner: link ^ 1, isUplink: NetworkHost.isUplink(Int32(link)),
            rests: plan.rests.map {
                .init(after: $0.after, promotion: $0.promotion, paging: $0.paging)
            },
            sleep: plan.sleep.map { .init(after: $0.after, cycle: $0.cycle, awake: $0.awake) },
            grant: plan.grant.map { .init(every: $0.every, takes: $0.takes) })
    }
}

extension LinkPlan {
    /// Changes of the cell that lose what waits, for the checks.
    var forgetfulCells: CellTerms? {
        cells.flatMap { $0.forwards ? nil : CellTerms(every: $0.every, gap: $0.gap) }
    }
}
