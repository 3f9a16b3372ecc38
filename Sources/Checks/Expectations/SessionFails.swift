import Quantities
import RunLog

/// `session N fails with error 4`, `within TIME`: the session ends in failure.
struct SessionFails: Expectation {
    let session: ItemName
    let code: Int?
    let limit: TimeSpan?

    var watch = Watch()
    var stage: ItemStage?
    /// The error of the latest attempt.
    var lastError: Int?
    var hasFailed = false

    var statement: String {
        "\(session) fails" + (code.map { " with error \($0)" } ?? "")
            + (limit.map { " within \($0) of the run's start" } ?? "")
    }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .engine(.accepts(session, _, _)) where stage == nil: stage = .waiting
        case .engine(.fails(session, let code, _, _)): lastError = code
        case .engine(.moves(session, _, let to, _)):
            stage = to
            if to == .failed { judge(failingAt: event.at) }
        case .run(.ended) where !hasFailed:
            watch.fall(
                expected: statement,
                seen: stage.map {
                    "\(session) is \($0.rawValue) when the run ends"
                        + (lastError.map { ", after error \($0)" } ?? "")
                }
                    ?? "\(session) was never accepted")
        default: break
        }
    }

    private mutating func judge(failingAt now: Instant) {
        // A retried operation may fail in several ways; this error must be one of them.
        if session.facade == .operations, let code, lastError != code { return }
        hasFailed = true
        if let code, lastError != code {
            let seen = lastError.map { "error \($0)" } ?? "no error"
            watch.fall(expected: statement, seen: "\(session) fails with \(seen)")
        }
        guard let limit, now.sinceStart > limit else { return }
        watch.fall(expected: statement, seen: "\(session) fails \(now) after the run's start")
    }
}
