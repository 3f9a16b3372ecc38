package import Quantities
package import RunLog

/// What a scenario may ask for under `expect:`; each kind has a file of its own in `Expectations/`.
package enum ExpectationPlan: Hashable, Sendable {
    case sessionCompletes(SessionName, within: TimeSpan)
    case sessionResumes(SessionName, Times)
    case sentAgain(atMost: ByteCount)
    case objectPublished(String, times: Int)
    case sessionsCompleteInOrder
    /// What an entry of the timeline waits for, in the scenario's words.
    case conditionMet(String)

    package enum Times: Hashable, Sendable {
        case atLeast(Int)
        case exactly(Int)
    }

    /// A check for one run, under the scenario's own words; `place` is `file:line:column`.
    package func check(words: String, place: String) -> any Check {
        switch self {
        case .sessionCompletes(let session, let limit):
            SessionCompletes(session, within: limit, words: words, place: place)
        case .sessionResumes(let session, let times):
            SessionResumes(session, times, words: words, place: place)
        case .sentAgain(let limit):
            BytesSentAgain(atMost: limit, words: words, place: place)
        case .objectPublished(let object, let times):
            ObjectPublished(object, times: times, words: words, place: place)
        case .sessionsCompleteInOrder:
            SessionsCompleteInOrder(words: words, place: place)
        case .conditionMet(let condition):
            ConditionMet(condition, words: words, place: place)
        }
    }
}

extension ExpectationPlan.Times {
    /// Whether a run that has come to its end with so many is as it should be.
    func isMet(by count: Int) -> Bool {
        switch self {
        case .atLeast(let least): count >= least
        case .exactly(let number): count == number
        }
    }

    /// Whether it can no longer be met.
    func isExceeded(by count: Int) -> Bool {
        switch self {
        case .atLeast: false
        case .exactly(let number): count > number
        }
    }
}

extension ExpectationPlan.Times: CustomStringConvertible {
    package var description: String {
        switch self {
        case .atLeast(let count): "at least \(Self.words(for: count))"
        case .exactly(let count): Self.words(for: count)
        }
    }

    private static func words(for count: Int) -> String {
        switch count {
        case 0: "never"
        case 1: "once"
        default: "\(count) times"
        }
    }
}
