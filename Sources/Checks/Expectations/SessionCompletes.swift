import Quantities
import RunLog

/// `session N completes within T`, or `after T`, counted from the run's start.
struct SessionCompletes: Check {
    let rule: String
    let place: String?
    private let session: ItemName
    private let window: ClosedRange<TimeSpan>

    private var watch = Watch()
    private var stage: ItemStage?
    private var isCompleted = false

    init(
        _ session: ItemName, within window: ClosedRange<TimeSpan>, words: String, place: String
    ) {
        self.session = session
        self.window = window
        rule = words
        self.place = place
    }

    var statement: String {
        window.lowerBound > .zero
            ? "\(session) completes, but not before \(window.lowerBound)"
            : "\(session) completes within \(window.upperBound) of the run's start"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
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

    func verdict() -> Verdict.Answer { watch.answer(notApplicableBecause: watch.missingEnd) }
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
