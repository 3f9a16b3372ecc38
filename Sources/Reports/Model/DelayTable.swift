package import Quantities

/// What the troubles of a run have cost: how much earlier its transfers would have completed
/// without each of them.
package struct DelayTable: Hashable, Sendable, Codable {
    /// When the last transfer had completed; `nil` if one had not when the run ended.
    package var completedAt: Instant?
    package var causes: [Cause]
    /// The run without any of the troubles.
    package var all: Cause
    /// The time of all transfers by state, such as waiting to retry.
    package var states: [SessionFigures.StateTime]

    /// A trouble, and the run without it.
    package struct Cause: Hashable, Sendable, Codable {
        package var words: String
        /// When the last transfer completes without the trouble; `nil` if one does not.
        package var completedWithout: Instant?
        /// How much earlier the transfers complete without it, summed up over all of them; negative
        /// if they complete later. `nil` if one does not complete, in either run.
        package var cost: TimeSpan?

        package init(words: String, completedWithout: Instant?, cost: TimeSpan?) {
            self.words = words
            self.completedWithout = completedWithout
            self.cost = cost
        }
    }

    package init(
        completedAt: Instant?, causes: [Cause], all: Cause, states: [SessionFigures.StateTime]
    ) {
        self.completedAt = completedAt
        self.causes = causes
        self.all = all
        self.states = states
    }

    /// What the troubles cost together beyond the sum of what each costs by itself.
    package var interaction: TimeSpan? {
        let costs = causes.compactMap(\.cost)
        guard let total = all.cost, costs.count == causes.count else { return nil }
        return costs.reduce(total) { $0 - $1 }
    }
}
