import Quantities
import RunLog

/// `session N completes within T`, or `after T`, counted from the run's start.
struct SessionCompletes: Expectation {
    let session: ItemName
    let window: ClosedRange<TimeSpan>

    var watch = Watch()
    var stage: ItemStage?
    var isCompleted = false

    var statement: String {
        window.lowerBound > .zero
            ? "\(session) completes, but not before \(window.lowerBound)"
            : "\(session) completes within \(window.upperBound) of the run's start"
    }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .engine(.accepts(session, _, _)): stage = .waiting
        case .engine(.moves(session, _, let to, _)): stage = to
        case .run(.ended) where !isCompleted:
            watch.fall(
                expected: statement,
                seen: stage.map { "\(session) is \($0.rawValue) when the run ends, at \(event.at)" }
                    ?? "\(session) was never accepted")
        default: break
        }
        guard event.fact.completedSession == session, !isCompleted else { return }
        isCompleted = true
        guard !window.contains(event.at.sinceStart) else { return }
        watch.fall(
            expected: statement, seen: "\(session) completes \(event.at) after the run's start")
    }
}

extension Fact {
    /// The session that has completed according to this fact, to the app or inside the engine.
    var completedSession: ItemName? {
        switch self {
        case .queue(.callback(let session, .didDeactivate(.completed))): session
        case .engine(.moves(let session, _, .completed, _)): session
        default: nil
        }
    }
}
