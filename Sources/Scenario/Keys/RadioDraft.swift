import LinkModels
import Quantities

/// A radio while it is read: what it makes packets wait for, and what it does to its links.
struct RadioDraft {
    var plan = RadioPlan()
    var repetition: BlockRepetition.Options?
    var cells: CellChanges?

    /// Returns a link with the disturbances of the radio.
    func disturbing(_ link: LinkPlan) -> LinkPlan {
        var link = link
        if let repetition { link.filters.append(.blockRepetition(repetition)) }
        guard let cells, let schedule = cells.schedule(of: link.bottleneck.rate) else {
            return link
        }
        link.bottleneck = BottleneckPlan(schedule: .steps(schedule), queue: link.bottleneck.queue)
        link.cells = cells
        return link
    }

    /// Radios by name, each with the source of its figures.
    static let all: [(name: String, value: RadioDraft)] = [
        ("umts", umts), ("lte", lte), ("5g", fifthGeneration),
    ]

    /// Qian et al., “Characterizing Radio Resource Allocation for 3G Networks” (IMC 2010): 5 s on
    /// the dedicated channel and 12 s on the shared one after the last packet, 1.5 s and 2 s to
    /// come back. The paging cycle is the 640 ms that 3GPP TS 25.304 allows.
    private static let umts: RadioDraft = {
        var radio = RadioDraft()
        radio.plan.rests = [
            .init(after: .seconds(5), promotion: .milliseconds(1_500)),
            .init(
                after: .seconds(17), promotion: .seconds(2), paging: .milliseconds(640)),
        ]
        return radio
    }()

    /// Huang et al. (MobiSys 2012), as for the energy; a phone asks for the uplink once in 10 ms,
    /// and sends 8 ms later; the first sending of a block fails in 10 % of the cases, the usual
    /// target, and is repeated after the 8 ms of FDD (3GPP TS 36.213 §7.2, TS 36.321 §5.4).
    private static let lte: RadioDraft = {
        var radio = RadioDraft()
        radio.plan.rests = [
            .init(
                after: .milliseconds(11_576), promotion: .microseconds(260_100),
                paging: .milliseconds(1_280))
        ]
        radio.plan.sleep = .init(
            after: .milliseconds(100), cycle: .milliseconds(40), awake: .milliseconds(1))
        radio.plan.grant = .init(every: .milliseconds(10), takes: .milliseconds(8))
        radio.repetition = .init(chance: tenPercent, by: .milliseconds(8))
        return radio
    }()

    /// Stand-alone 5G: inactive after 10.4 s, idle 5 s later (Narayanan et al., SIGCOMM 2021, not
    /// yet checked against the paper); from inactive the phone is back after 30 ms, our choice
    /// above the 10 ms that ITU-R M.2410 asks for. With slots of 0.5 ms it asks once in 5 ms, sends
    /// 3 ms later, and a block is repeated after 4 ms.
    private static let fifthGeneration: RadioDraft = {
        var radio = RadioDraft()
        radio.plan.rests = [
            .init(
                after: .milliseconds(10_400), promotion: .milliseconds(30),
                paging: .milliseconds(320)),
            .init(
                after: .milliseconds(15_400), promotion: .milliseconds(341),
                paging: .milliseconds(1_280)),
        ]
        radio.plan.sleep = .init(
            after: .milliseconds(100), cycle: .milliseconds(40), awake: .milliseconds(10))
        radio.plan.grant = .init(every: .milliseconds(5), takes: .milliseconds(3))
        radio.repetition = .init(chance: tenPercent, by: .milliseconds(4))
        return radio
    }()

    private static let tenPercent = Probability(percent: 10) ?? .always
}
