package import Quantities
package import RunLog

/// Facts of a run that may show that its scenario means something else than it says.
package struct OddityBook: Sendable {
    /// The faults of the server that took effect, by their names.
    package private(set) var effectiveFaults: Set<String> = []
    /// The first refusals of the app's requests.
    package private(set) var refusals: [Refusal] = []

    package struct Refusal: Sendable {
        package var at: Instant
        package var facade: Facade
        package var reason: String
    }

    private static let refusalLimit = 1_000

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .server(.fault(let name, _, _, _, _)): effectiveFaults.insert(name)
        case .queue(.refused(let reason)), .queue(.denied(let reason)):
            note(reason, by: .queue, at: event.at)
        case .operations(.refused(let reason)): note(reason, by: .operations, at: event.at)
        case .background(.refused(let reason)): note(reason, by: .background, at: event.at)
        case .entries(.refused(_, _, let reason)): note(reason, by: .bucket, at: event.at)
        default: break
        }
    }

    private mutating func note(_ reason: String, by facade: Facade, at now: Instant) {
        guard refusals.count < Self.refusalLimit else { return }
        refusals.append(Refusal(at: now, facade: facade, reason: reason))
    }
}
