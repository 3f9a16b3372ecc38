import Quantities
import RunLog

/// `PATH is published within T`, or `after T`: when readers first see the object.
struct ObjectIsPublished: Expectation {
    let object: String
    /// Counted from the run's start.
    let window: ClosedRange<TimeSpan>

    var watch = Watch()
    var isPublished = false

    var statement: String {
        window.lowerBound > .zero
            ? "\(object) is published, but not before \(window.lowerBound)"
            : "\(object) is published within \(window.upperBound) of the run's start"
    }

    var subject: RuleSubject? { .content }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .server(.published(_, object, _, _)) where !isPublished:
            isPublished = true
            guard !window.contains(event.at.sinceStart) else { return }
            watch.fall(expected: statement, seen: "it is published at \(event.at)")
        case .run(.ended) where !isPublished:
            watch.fall(expected: statement, seen: "it is not published by the run's end")
        default: break
        }
    }
}
