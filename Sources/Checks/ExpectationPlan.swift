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
    /// An object equals the latest version of one of these local files.
    case objectHoldsOne(String, of: [String])
    /// An object is published for the first time, counted from the run's start.
    case objectIsPublished(String, within: ClosedRange<TimeSpan>)
    /// Apps call the completion handlers of their background sessions in time.
    case handlerIsCalled(within: TimeSpan)
    case sentAgain(Bound<ByteCount>)
    case traffic(TrafficLimit)
    /// The bytes that all phones send over cellular, or over Wi-Fi.
    case sentOver(isCellular: Bool, Bound<ByteCount>)
    /// The bytes that TCP has sent and that are not yet acknowledged, of one connection, at most.
    case outstanding(Bound<ByteCount>)
    case packetsRetransmitted(Bound<UInt64>)
    /// The pauses after which the first segment that TCP repeats is sent again.
    case repeats(after: [TimeSpan])
    /// All requests of the run with their answers, in order.
    case exchanges([Exchange])
    /// The uploads that the server holds unfinished at the end.
    case uploadsLeft(Int)
    case goodput(GoodputFloor)
    case visitIsAnswered(VisitDemand)
    /// What the flows with a name get, in their whole time or in a part of the run.
    case flow(String, FlowDemand, during: ClosedRange<TimeSpan>?)
    /// Jain's index of the named flows on a link, at least, in thousandths.
    case flowsShare(link: String, fairness: UInt64, during: ClosedRange<TimeSpan>?)
    case queueing(
        link: String, QueueingFigure, below: TimeSpan, during: ClosedRange<TimeSpan>?)

    package enum Times: Hashable, Sendable {
        case atLeast(Int)
        case atMost(Int)
        case exactly(Int)
    }

    package enum TrafficLimit: Hashable, Sendable {
        case sent(Bound<ByteCount>)
        case connections(Bound<UInt64>)
        /// Dropped packets of one link, or of all links.
        case drops(Bound<Probability>, on: String?)
        case dropCount(Bound<UInt64>, on: String)
    }

    package enum FlowDemand: Hashable, Sendable {
        /// The mean rate of what comes through.
        case reaches(Bitrate)
        /// The part of what the link delivers while the flow lasts.
        case gets(ClosedRange<Probability>)
        /// The rate compared with that of another flow.
        case getsBeside(ClosedRange<Probability>, flow: String)
        /// The part of the sent bytes that had been sent before.
        case sendsAgain(Probability)
        /// The part of the sent bytes that arrived although they had arrived before.
        case sendsInVain(Probability)
        /// Each of the flows has sent all of its bytes so long after its beginning.
        case ends(within: TimeSpan)
    }

    package enum QueueingFigure: String, Hashable, Sendable, CaseIterable {
        case longest, median
        case percentile95 = "p95"
        case percentile99 = "p99"
    }

    package enum GoodputFloor: Hashable, Sendable {
        case rate(Bitrate)
        case share(Probability)
    }

    /// Returns the check for one run, named by the scenario's words; `place` is `file:line:column`.
    package func check(words: String, place: String) -> any Check {
        func named(_ expectation: some Expectation) -> any Check {
            Expected(rule: words, place: place, expectation: expectation)
        }
        return named(expectation)
    }

    private var expectation: any Expectation {
        switch self {
        case .sessionCompletes(let session, let window):
            SessionCompletes(session: session, window: window)
        case .sessionFails(let session, let code, let limit):
            SessionFails(session: session, code: code, limit: limit)
        case .sessionStands(let session, let stage, let moment):
            SessionStands(session: session, wanted: stage, moment: moment)
        case .sessionsCompleteInOrder: SessionsCompleteInOrder()
        case .taskIsTold(let task, let status, let limit):
            TaskIsTold(task: task, status: status, limit: limit)
        case .taskIsDelayed(let task, let delay): TaskIsDelayed(task: task, delay: delay)
        case .conditionMet(let condition): ConditionMet(condition: condition)
        case .callbackOrder(let session, let first, let second):
            CallbackOrder(session: session, first: first, second: second)
        case .happens(let happening, let times):
            Happens(times: times, counter: HappeningCounter(happening))
        case .objectHolds(let object, let source, let version):
            ObjectHolds(object: object, source: source, number: version)
        case .objectHoldsOne(let object, let sources):
            ObjectHoldsOne(object: object, sources: sources)
        case .objectIsPublished(let object, let window):
            ObjectIsPublished(object: object, window: window)
        case .handlerIsCalled(let limit): HandlerIsCalled(limit: limit)
        case .sentAgain(let limit): BytesSentAgain(limit: limit)
        case .traffic(let limit): TrafficStaysBound(limit: limit)
        case .outstanding(let bound): OutstandingStays(bound: bound)
        case .packetsRetransmitted(let bound): RetransmissionsStay(bound: bound)
        case .repeats(let pauses): SegmentIsRepeated(pauses: pauses)
        case .exchanges(let exchanges): ExchangesAre(wanted: exchanges)
        case .uploadsLeft(let count): UploadsAreLeft(count: count)
        case .sentOver(let isCellular, let limit):
            SentOverInterface(isCellular: isCellular, limit: limit)
        case .visitIsAnswered(let demand): VisitIsAnswered(demand: demand)
        case .goodput(let floor): GoodputReaches(floor: floor)
        case .flow(let name, let demand, let window): FlowGets(name, demand, window)
        case .flowsShare(let link, let fairness, let window):
            FlowsShare(link, fairness: fairness, window)
        case .queueing(let link, let figure, let limit, let window):
            QueueingStays(link, figure, below: limit, window)
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
        case .atLeast(let count): "at least \(Self.exactly(count))"
        case .atMost(let count): "at most \(Self.exactly(count))"
        case .exactly(0): "never"
        case .exactly(1): "once"
        case .exactly(let count): "\(count) times"
        }
    }
}
