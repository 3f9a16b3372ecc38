import Quantities
import RunLog

/// `at most SIZE sent again`, or at least: the body bytes that leave the app more than once.
struct BytesSentAgain: Expectation {
    let limit: Bound<ByteCount>

    var watch = Watch()
    var bodies = SentBodies()

    var statement: String { "\(limit) of the body bytes are sent again" }

    var subject: RuleSubject? { .repetition }

    mutating func read(_ event: RunEvent) {
        bodies.read(event)
        switch event.fact {
        case .connection(.ended(let connection, _, _)) where limit.isExceeded(by: bodies.sentAgain):
            watch.fall(
                expected: statement,
                seen: "\(bodies.sentAgain) were sent again until the end of \(connection)"
                    + limit.excess(of: bodies.sentAgain))
        case .run(.ended) where !limit.isMet(by: bodies.sentAgain):
            watch.fall(expected: statement, seen: "\(bodies.sentAgain) were sent again")
        default: break
        }
    }

    var reasonNotToJudge: String? {
        guard bodies.hasEvidence else { return "no body was sent" }
        return bodies.unsettled.map {
            "\($0) carried a body, but the end of the connection is not in the log"
        }
    }
}
