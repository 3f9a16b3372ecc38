import Quantities
import RunLog

/// `at most SIZE sent again`: the body bytes that leave the app more than once.
struct BytesSentAgain: Expectation {
    let limit: ByteCount

    var watch = Watch()
    var bodies = SentBodies()

    var statement: String { "at most \(limit) of the body bytes are sent again" }

    mutating func read(_ event: RunEvent) {
        bodies.read(event)
        guard case .connection(.ended(let connection, _, _)) = event.fact,
            bodies.sentAgain > limit
        else { return }
        watch.fall(
            expected: statement,
            seen: "\(bodies.sentAgain) were sent again until the end of \(connection)")
    }

    var reasonNotToJudge: String? {
        guard bodies.hasEvidence else { return "no body was sent" }
        return bodies.unsettled.map {
            "\($0) carried a body, but the end of the connection is not in the log"
        }
    }
}
