package import Quantities
package import RunLog

/// An expectation of a scenario; each kind has a file of its own in `Expectations/`.
package enum ExpectationPlan: Hashable, Sendable {
    case sessionCompletes(ItemName, within: ClosedRange<TimeSpan>)
    case sessionFails(ItemName, code: Int?, within: TimeSpan?)
    /// A session's state at a time, or at the run's end if there is no time.
    case sessionStands(ItemName, ItemStage, at: TimeSpan?)
    case sessionsCompleteInOrder
    /// The app hears of a task's completion, with this status if there is one.
    case taskIsTold(ItemName, status: Int?, within: TimeSpan)
    /// A task is delayed because it was made in the background.
    case taskIsDelayed(ItemName, by: TimeSpan)
    /// The condition of a timeline entry comes true, in the scenario's words.
    case conditionMet(String)
    case callbackOrder(ItemName, CallbackName, before: CallbackName)
    case happens(Happening, Times)
    /// An object equals the latest or a given version of a local file.
    case objectHolds(String, source: String, version: Int?)
    case sentAgain(atMost: ByteCount)
    case traffic(TrafficLimit)
    /// What all phones send over cellular, or else over Wi-Fi.
    case sentOver(isCellular: Bool, atMost: ByteCount)
    case goodput(GoodputFloor)

    package enum Times: Hashable, Sendable {
        case atLeast(Int)
        case atMost(Int)
        case exactly(Int)
    }

    package enum TrafficLimit: Hashable, Sendable {
        case sent(ByteCount)
        case connections(UInt64)
        case drops(Probability)
    }

    package enum GoodputFloor: Hashable, Sendable {
        case rate(Bitrate)
        case share(Probability)
    }

    /// Returns the check for one run, named by the scenario's words; `place` is `file:line:column`.
    package func check(words: String, place: String) -> any Check {
        switch self {
        case .sessionCompletes(let session, let window):
            SessionCompletes(session, within: window, words: words, place: place)
        case .sessionFails(let session, let code, let limit):
            SessionFails(session, code: code, within: limit, words: words, place: place)
        case .sessionStands(let session, let stage, let moment):
            SessionStands(session, stage, at: moment, words: words, place: place)
        case .sessionsCompleteInOrder:
            SessionsCompleteInOrder(words: words, place: place)
        case .taskIsTold(let task, let status, let limit):
            TaskIsTold(task, status: status, within: limit, words: words, place: place)
        case .taskIsDelayed(let task, let delay):
            TaskIsDelayed(task, by: delay, words: words, place: place)
        case .conditionMet(let condition):
            ConditionMet(condition, words: words, place: place)
        case .callbackOrder(let session, let first, let second):
            CallbackOrder(session, first, before: second, words: words, place: place)
        case .happens(let happening, let times):
            Happens(happening, times, words: words, place: place)
        case .objectHolds(let object, let source, let version):
            ObjectHolds(object, source: source, version: version, words: words, place: place)
        case .sentAgain(let limit):
            BytesSentAgain(atMost: limit, words: words, place: place)
        case .traffic(let limit): TrafficStaysBelow(limit, words: words, place: place)
        case .sentOver(let isCellular, let limit):
            SentOverInterface(isCellular: isCellular, atMost: limit, words: words, place: place)
        case .goodput(let floor): GoodputReaches(floor, words: words, place: place)
        }
    }
}

extension ExpectationPlan.Times {
    /// Whether this count is right at the end of the run.
    func isMet(by count: Int) -> Bool {
        switch self {
        case .atLeast(let least): count >= least
        case .atMost(let most): count <= most
        case .exactly(let number): count == number
        }
    }

    /// Whether the count is already too high.
    func isExceeded(by count: Int) -> Bool {
        switch self {
        case .atLeast: false
        case .atMost(let number), .exactly(let number): count > number
        }
    }
}

extension ExpectationPlan.Times: CustomStringConvertible {
    package var description: String {
        switch self {
        case .atLeast(let count): "at least \(Self.words(for: count))"
        case .atMost(let count): "at most \(Self.words(for: count))"
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
