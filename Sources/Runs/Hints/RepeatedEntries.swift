import Checks
import Quantities
import RunPlan
import Scenario

extension RunHints {
    /// Entries `TIME after EVENT` that came several times: `when` would have come once.
    var repeatedEntries: [String] {
        guard !isChaos else { return [] }
        return entries.compactMap { (played) -> String? in
            guard case .when(let condition, _, .each) = played.entry.occasion,
                played.deeds.count > 1, !isExpected(condition)
            else { return nil }
            let shown = played.deeds.prefix(3).map { "\($0.at)" }.joined(separator: ", ")
            let more = played.deeds.count > 3 ? " and so on" : ""
            return "\(words(for: played)) comes \(played.deeds.count) times, at \(shown)\(more): "
                + "“\(condition.words)” comes true that often"
        }
    }

    /// Whether an expectation counts what the condition is about, and not only to one.
    private func isExpected(_ condition: TimelineCondition) -> Bool {
        wishes.contains { wish in
            guard case .happens(let happening, let times) = wish, times.allowsSeveral else {
                return false
            }
            switch (condition.kind, happening) {
            case (.appKilled, .kill), (.appLaunched, .kill): return true
            case (.sessionRetries(let one), .retry(let other)),
                (.sessionFails(let one), .failure(let other)):
                return other.includes(one)
            case (.sessionStarts(let one), .callback(let other, _)),
                (.sessionCompletes(let one), .callback(let other, _)),
                (.sessionCanAcceptPaths(let one), .callback(let other, _)),
                (.transferIsSuspended(let one), .rest(let other, _)):
                return one == other
            case (.published(let one), .publication(let other)): return one == other
            default: return false
            }
        }
    }
}

extension ExpectationPlan.Times {
    /// Whether the number of times may be greater than one.
    fileprivate var allowsSeveral: Bool {
        switch self {
        case .atLeast: true
        case .atMost(let count), .exactly(let count): count > 1
        }
    }
}
