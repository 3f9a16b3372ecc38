import Quantities
import RunLog
import Testing

@testable import Checks

/// S11 in time: how long an app may hold a background task, or keep a completion handler.
@Suite struct BackgroundTimeIsBoundTests {
    private static let session = "films"
    private static let called = RunEvent.Fact.background(.handlerCalled(session: session))
    private static let ends = RunEvent.Fact.device(.taskEnded(launch: 1, task: 1))

    private static func enters(_ stage: AppStage) -> RunEvent.Fact {
        .device(.appEntered(launch: 1, stage: stage, because: "the test says so"))
    }

    private static func phone(_ system: String) -> RunEvent.Fact {
        .device(.stands(os: system, wallNanoseconds: 0))
    }

    /// A log of an app that is woken, and gets its handler at once.
    private static func woken(_ system: String = "iOS 17") -> TimedLog {
        var log = TimedLog()
        log.add(
            phone(system), enters(.background), .background(.handleEvents(session: session)),
            .background(.didFinishEvents(session: session)))
        return log
    }

    private static let handlerIsLate = (
        expected: "the handler of “films” is called within 30 s in the background",
        seen: "it is not, although its app is alive"
    )

    @Test func `a handler may be called after half a minute, and no later`() {
        var log = Self.woken()
        log.wait(.seconds(30))
        log.add(Self.called, SmallLog.runEnds)
        #expect(log.answer(of: BackgroundTasksAreBalanced()) == .held)
        log = Self.woken()
        log.wait(.seconds(30) + TimeSpan(nanoseconds: 1))
        log.add(Self.called)
        #expect(
            log.answer(of: BackgroundTasksAreBalanced())
                == log.brokenAtLast(
                    expected: Self.handlerIsLate.expected, seen: Self.handlerIsLate.seen))
    }

    @Test(arguments: [AppStage.active, .inactive])
    func `time in front does not count, and begins anew behind`(stage: AppStage) {
        var log = Self.woken()
        log.wait(.seconds(20))
        log.add(Self.enters(stage))
        log.wait(.seconds(60))
        log.add(Self.enters(.background))
        log.wait(.seconds(20))
        var late = log
        log.add(Self.called, SmallLog.runEnds)
        #expect(log.answer(of: BackgroundTasksAreBalanced()) == .held)
        late.wait(.seconds(11))
        late.add(Self.called)
        #expect(
            late.answer(of: BackgroundTasksAreBalanced())
                == late.brokenAtLast(
                    expected: Self.handlerIsLate.expected, seen: Self.handlerIsLate.seen))
    }

    @Test func `where the system has no limit, neither has the handler`() {
        var log = Self.woken("Android 14")
        log.wait(.seconds(600))
        log.add(Self.called, SmallLog.runEnds)
        #expect(log.answer(of: BackgroundTasksAreBalanced()) == .held)
    }

    /// The time for tasks by the system.
    private static let budgets: [(systems: [String], seconds: Int64?)] = [
        (["iOS 6"], 600), (["iOS 7"], 180), (["iOS 12"], 180), (["iOS 13"], 30), (["iOS 18"], 30),
        (["iOS 18", "iOS 9"], 180), (["iOS 17", "Android 14"], nil), ([], nil),
    ]

    @Test(arguments: budgets)
    func `a task that is begun in front has the time of its system behind`(
        systems: [String], seconds: Int64?
    ) {
        for isLate in [false, true] {
            var log = TimedLog()
            for system in systems { log.add(Self.phone(system)) }
            log.add(.device(.taskBegan(launch: 1, task: 1, deadline: nil)))
            log.wait(.seconds(3_600))
            log.add(Self.enters(.background))
            log.wait(.seconds(seconds ?? 100_000) + (isLate ? TimeSpan(nanoseconds: 1) : .zero))
            log.add(Self.ends)
            let answer = log.answer(of: BackgroundTasksAreBalanced())
            guard isLate, let seconds else {
                #expect(answer == .held)
                continue
            }
            let deadline = Instant.start + .seconds(3_600 + seconds)
            #expect(
                answer
                    == log.brokenAtLast(
                        expected: "background task 1 is ended before \(deadline)",
                        seen: "it is not, although its app is alive"))
        }
    }
}
