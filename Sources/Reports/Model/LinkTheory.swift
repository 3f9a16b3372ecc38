import Quantities
import RunLog

/// A bulk TCP flow over a link by formulas from the literature, to be drawn beside what was
/// measured.
struct LinkTheory {
    /// What a legend says, such as `theory: cubic at 1 % loss, 60 ms`.
    let name: String
    private let flow: BulkFlow
    private let chance: Probability
    private let packetsPerSecond: Double

    /// Returns `nil` if no formula describes the link, or if other traffic takes a share of it.
    init?(of link: UInt16?, in figures: Figures) {
        guard let terms = figures.links.first(where: { $0.link == link })?.terms,
            let flow = terms.bulk, !figures.shares.contains(where: { $0.link == terms.name })
        else { return nil }
        let circumstances = "\(terms.loss) loss, \(flow.roundTrip.rounded)"
        name = "theory: \(flow.controller.rawValue) at \(circumstances)"
        self.flow = flow
        chance = terms.loss
        packetsPerSecond = flow.packetsPerSecond(at: terms.rate, losing: chance)
    }

    /// The bits per second of whole packets that arrive.
    var throughput: Double { packetsPerSecond * BulkFlow.packet * 8 * (1 - chance.fraction) }
    /// The payload per second that arrives, in bytes.
    var goodput: Double { packetsPerSecond * BulkFlow.payload * (1 - chance.fraction) }
    /// The mean number of bytes in flight.
    var inFlight: Double { packetsPerSecond * flow.roundTrip.seconds * BulkFlow.payload }
}
