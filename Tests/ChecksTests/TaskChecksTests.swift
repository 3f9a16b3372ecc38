import Content
import Quantities
import RunLog
import Testing

@testable import Checks

/// Checks of background tasks (behaviour B).
@Suite struct TaskChecksTests {
    private let task = ItemName(1, of: .background)
    private let session = "films"

    private func event(_ fact: BackgroundFact, at milliseconds: UInt64 = 1) -> RunEvent {
        RunEvent(at: .start + .milliseconds(Int64(milliseconds)), .background(fact))
    }

    private var told: RunEvent { event(.callback(task, .didComplete(.answered(status: 404)))) }

    private var ended: RunEvent { RunEvent(at: .start + .seconds(9), .run(.ended(.quiet))) }

    private func sent(_ bytes: UInt64) -> RunEvent {
        event(
            .callback(
                task,
                .didSendBodyData(
                    bytes: ByteCount(bytes), sent: ByteCount(bytes), expected: ByteCount(100))))
    }

    private var made: RunEvent {
        RunEvent(at: .start, .engine(.accepts(task, index: nil, [])))
    }

    /// The grammar knows only tasks that the app has made.
    private func answer(of check: any Check, to log: [RunEvent]) -> Verdict.Answer {
        var check = check
        for event in (check is CallbacksFollowGrammar ? [made] : []) + log { check.read(event) }
        return check.verdict()
    }

    private func isBroken(_ check: any Check, _ log: [RunEvent]) -> Bool {
        if case .broken = answer(of: check, to: log) { true } else { false }
    }

    @Test func `an end that the system still has to tell is told after a start, with its data`() {
        func fact(_ fact: EngineFact) -> RunEvent { RunEvent(at: .start, .engine(fact)) }
        let log = [
            fact(.moves(task, from: .suspended, to: .running, because: "")), sent(100),
            fact(.moves(task, from: .running, to: .completed, because: "")), told,
        ]
        let found = fact(.found(task, .completed))
        #expect(answer(of: TerminalStateIsFinal(), to: log + [found, sent(100), told]) == .held)
        #expect(isBroken(TerminalStateIsFinal(), log + [sent(100)]))
        #expect(isBroken(TerminalStateIsFinal(), log + [found, told, sent(100)]))
    }

    @Test func `events come between their announcement and their end, which calls back (B2)`() {
        let log = [
            event(.handleEvents(session: session)), told,
            event(.didFinishEvents(session: session)), event(.handlerCalled(session: session)),
        ]
        #expect(answer(of: CallbacksFollowGrammar(), to: log) == .held)
        #expect(answer(of: BackgroundTasksAreBalanced(), to: log + [ended]) == .held)
        // Without the announcement, or before the events have ended; twice is for S11.
        #expect(isBroken(CallbacksFollowGrammar(), Array(log[1...])))
        #expect(answer(of: CallbacksFollowGrammar(), to: log + [log[3]]) == .held)
        #expect(isBroken(CallbacksFollowGrammar(), [log[0], log[3]]))
    }

    @Test func `a handler that is never called, or called again, falls (B4)`() {
        let handed = event(.handleEvents(session: session))
        let called = event(.handlerCalled(session: session))
        #expect(isBroken(BackgroundTasksAreBalanced(), [handed, ended]))
        #expect(isBroken(BackgroundTasksAreBalanced(), [handed, called, called, ended]))
    }

    @Test func `a handler that is not called once all was heard falls as its app is suspended`() {
        let log = [
            event(.handleEvents(session: session)), told,
            event(.didFinishEvents(session: session)),
        ]
        let stilled = RunEvent(
            at: .start + .seconds(5),
            .device(.appEntered(launch: 1, stage: .suspended, because: "nothing holds it")))
        let called = event(.handlerCalled(session: session))
        #expect(isBroken(BackgroundTasksAreBalanced(), log + [stilled]))
        #expect(answer(of: BackgroundTasksAreBalanced(), to: log + [called, stilled]) == .held)
        // The handler is due only after all events; the end of the process ends its handlers.
        #expect(answer(of: BackgroundTasksAreBalanced(), to: log.dropLast() + [stilled]) == .held)
        let death = RunEvent(at: .start + .seconds(1), .device(.appKilled(launch: 1)))
        #expect(answer(of: BackgroundTasksAreBalanced(), to: log + [death, stilled]) == .held)
    }

    @Test func `a task completes once, and nothing of it comes after that (S4, S9)`() {
        #expect(answer(of: CallbacksFollowGrammar(), to: [sent(1), told]) == .held)
        #expect(isBroken(CallbacksFollowGrammar(), [told, told]))
        #expect(isBroken(CallbacksFollowGrammar(), [told, sent(1)]))
    }

    @Test func `an end is told again only where the power went before it was confirmed (S9)`() {
        func powerLoss(at: Int64) -> RunEvent {
            RunEvent(
                at: .start + .milliseconds(at),
                .device(.appKilled(launch: 1, why: .powerLoss)))
        }
        let launch = RunEvent(at: .start + .seconds(40), .device(.appLaunched(launch: 2)))
        let again = event(
            .callback(task, .didComplete(.answered(status: 404))), at: 41_000)
        let check = CallbacksFollowGrammar()
        #expect(answer(of: check, to: [told, powerLoss(at: 3), launch, again]) == .held)
        #expect(isBroken(check, [told, powerLoss(at: 300), launch, again]))
        let killed = RunEvent(
            at: .start + .milliseconds(3), .device(.appKilled(launch: 1, why: .crash)))
        #expect(isBroken(check, [told, killed, launch, again]))
    }

    @Test func `an app that ends a moment before its phone may be told again, too (S9)`() {
        let killed = RunEvent(
            at: .start + .milliseconds(3), .device(.appKilled(launch: 1, why: .forceQuit)))
        func powerLoss(at: Int64) -> RunEvent {
            RunEvent(at: .start + .milliseconds(at), .device(.power(.lost)))
        }
        let launch = RunEvent(at: .start + .seconds(40), .device(.appLaunched(launch: 2)))
        let again = event(
            .callback(task, .didComplete(.answered(status: 404))), at: 41_000)
        let check = CallbacksFollowGrammar()
        #expect(answer(of: check, to: [told, killed, powerLoss(at: 3), launch, again]) == .held)
        #expect(isBroken(check, [told, killed, powerLoss(at: 300), launch, again]))
    }

    @Test func `what is reported of a body goes forward, up to its end (S5)`() {
        #expect(answer(of: ProgressStaysInBounds(), to: [sent(1), sent(100)]) == .held)
        #expect(isBroken(ProgressStaysInBounds(), [sent(2), sent(1)]))
        #expect(isBroken(ProgressStaysInBounds(), [sent(101)]))
    }

    private func wrote(_ bytes: UInt64, upTo done: UInt64) -> RunEvent {
        event(
            .callback(
                task,
                .didWriteData(
                    bytes: ByteCount(bytes), written: ByteCount(done), expected: ByteCount(100))))
    }

    @Test func `each callback tells of the bytes since the last one (B23, S5)`() {
        let transfer = TransferName(task)
        let accepted = RunEvent(
            at: .start,
            .engine(
                .accepts(
                    task, index: nil,
                    [
                        AcceptedTransfer(
                            transfer: transfer, source: "a", destination: "", isDownload: true)
                    ])))
        let attempt = RunEvent(at: .start, .engine(.attempt(task, number: 1)))
        let resumed = RunEvent(
            at: .start,
            .engine(.resumes(transfer, resource: ResourceName("/a"), at: ByteCount(30))))
        let launched = RunEvent(at: .start, .device(.appLaunched(launch: 2)))
        let begun = [accepted, attempt, wrote(20, upTo: 20), wrote(10, upTo: 30)]
        let check = ProgressStaysInBounds()
        #expect(answer(of: check, to: begun) == .held)
        #expect(isBroken(check, [accepted, attempt, wrote(20, upTo: 20), wrote(30, upTo: 30)]))
        // What came before a resumption is not told again, nor what another launch has heard of.
        #expect(answer(of: check, to: begun + [attempt, resumed, wrote(5, upTo: 35)]) == .held)
        #expect(isBroken(check, begun + [attempt, resumed, wrote(35, upTo: 35)]))
        #expect(answer(of: check, to: begun + [launched, wrote(35, upTo: 35)]) == .held)
        #expect(isBroken(check, begun + [launched, wrote(5, upTo: 35)]))
        // A callback of the last attempt may be on its way when the next one begins.
        #expect(
            answer(of: check, to: begun + [attempt, wrote(5, upTo: 35), wrote(36, upTo: 36)])
                == .held)
    }

    @Test func `a handler that is called on another thread than the main one falls (B4)`() {
        let handed = event(.handleEvents(session: session))
        let finished = event(.didFinishEvents(session: session))
        let called = event(.handlerCalled(session: session))
        let elsewhere = event(.handlerCalled(session: session, offMainThread: true))
        let check = BackgroundTasksAreBalanced()
        #expect(answer(of: check, to: [handed, finished, called, ended]) == .held)
        #expect(isBroken(check, [handed, finished, elsewhere, ended]))
    }

    @Test func `a file comes before the end, and data before the file (B2)`() {
        let file = event(.callback(task, .didFinishDownloading(status: 200)))
        let data = event(
            .callback(
                task,
                .didWriteData(bytes: ByteCount(1), written: ByteCount(1), expected: ByteCount(2))))
        let back = event(
            .callback(task, .didResume(offset: ByteCount(1), expected: ByteCount(2))))
        #expect(answer(of: CallbacksFollowGrammar(), to: [data, back, file, told]) == .held)
        #expect(isBroken(CallbacksFollowGrammar(), [file, data]))
        #expect(isBroken(CallbacksFollowGrammar(), [file, file]))
        #expect(isBroken(TerminalStateIsFinal(), [ended(.completed), told, data]))
    }

    private func ended(_ stage: ItemStage) -> RunEvent {
        RunEvent(
            at: .start, .engine(.moves(task, from: .suspended, to: stage, because: "done")))
    }

    @Test func `what a download brings is one version that was published (S1)`() {
        func range(_ edit: UInt32, _ length: UInt64) -> ContentRange {
            ContentRange(
                FileVersion(file: 1, edit: edit), offset: .zero, length: ByteCount(length))
        }
        let object = RunEvent(
            at: .start,
            .server(
                .published(
                    ResourceName("/dav/1"), object: "a.mov", version: 1, [range(0, 9)])))
        func brought(_ ranges: ContentRange...) -> RunEvent {
            RunEvent(
                at: .start,
                .file(
                    .downloaded(
                        TransferName(1, of: .background), object: "a.mov", ranges)))
        }
        #expect(
            answer(of: PublishedEqualsOneSnapshot(), to: [object, brought(range(0, 9))]) == .held)
        #expect(isBroken(PublishedEqualsOneSnapshot(), [object, brought(range(0, 8))]))
        #expect(isBroken(PublishedEqualsOneSnapshot(), [object, brought(range(1, 9))]))
        #expect(isBroken(PublishedEqualsOneSnapshot(), [brought(range(0, 9))]))
    }

    @Test func `what an app has of a download is one published version, and not lost (S1)`() {
        func range(_ edit: UInt32, _ length: UInt64) -> ContentRange {
            ContentRange(
                FileVersion(file: 1, edit: edit), offset: .zero, length: ByteCount(length))
        }
        let name = TransferName(1, of: .background)
        let download = AcceptedTransfer(
            transfer: name, source: "a.mov", destination: "", isDownload: true)
        let before = [
            RunEvent(
                at: .start,
                .server(
                    .published(
                        ResourceName("/dav/1"), object: "a.mov", version: 1, [range(0, 9)]))),
            RunEvent(at: .start, .engine(.accepts(task, index: nil, [download]))),
        ]
        func moved(_ range: ContentRange) -> RunEvent {
            RunEvent(at: .start, .file(.moved(name, to: "films/a.mov", [range])))
        }
        let lost = RunEvent(
            at: .start, .file(.lost(name, path: "films/a.mov", because: "there is no file")))
        let check = PublishedEqualsOneSnapshot()
        #expect(answer(of: check, to: before + [moved(range(0, 9))]) == .held)
        #expect(isBroken(check, before + [moved(range(0, 8))]))
        #expect(isBroken(check, before + [moved(range(1, 9))]))
        #expect(isBroken(check, before + [lost]))
        // The disk has refused the file: the app knows, and nothing is lost.
        let refused = RunEvent(
            at: .start, .file(.kept(path: "films/a.mov", because: "the disk is full")))
        #expect(
            answer(of: check, to: before + [moved(range(0, 9)), refused]) == .held)
    }

    @Test func `a task has time, and not a number of attempts (B10)`() {
        func attempt(_ number: Int, at: TimeSpan) -> RunEvent {
            RunEvent(at: .start + at, .engine(.attempt(task, number: number)))
        }
        func failure(at: TimeSpan) -> RunEvent {
            RunEvent(
                at: .start + at,
                .engine(.fails(task, code: -1001, message: "timed out", retryIn: .seconds(60))))
        }
        var log: [RunEvent] = []
        for number in 1...20 {
            log.append(attempt(number, at: .seconds(100 * Int64(number))))
            log.append(failure(at: .seconds(100 * Int64(number) + 1)))
        }
        #expect(answer(of: AttemptsKeepTheirBudget(), to: log) == .held)
        #expect(
            isBroken(AttemptsKeepTheirBudget(), log + [attempt(21, at: .seconds(700_000))]))
    }

    @Test func `an app that is alive hears of each end, and one that is not does later (L1)`() {
        let life = RunEvent(at: .start, .device(.appLaunched(launch: 1)))
        let death = RunEvent(at: .start, .device(.appKilled(launch: 1)))
        let log = [
            life, RunEvent(at: .start, .engine(.accepts(task, index: nil, []))),
            RunEvent(
                at: .start,
                .engine(.moves(task, from: .running, to: .completed, because: "done"))),
        ]
        #expect(answer(of: EverySessionEnds(), to: log + [told, ended]) == .held)
        #expect(answer(of: EverySessionEnds(), to: log + [death, ended]) == .held)
        #expect(isBroken(EverySessionEnds(), log + [ended]))
        // A task that was never resumed is left to the user.
        #expect(answer(of: EverySessionEnds(), to: Array(log[..<2]) + [ended]) == .held)
    }

    @Test func `the daemon goes on without its app, and the app's engine does not (S13)`() {
        let death = RunEvent(at: .start, .device(.appKilled(launch: 1)))
        let deed = RunEvent(at: .start, .engine(.attempt(task, number: 1)))
        #expect(answer(of: NothingOutOfBounds(), to: [death, deed]) == .held)
        #expect(isBroken(NothingOutOfBounds(), [death, told]))
    }

    @Test func `an expected answer is the one that the app is told`() {
        let plan = ExpectationPlan.taskIsTold(task, status: 404, within: .seconds(1))
        #expect(
            answer(of: plan.check(words: "w", place: "p"), to: [told, ended]) == .held)
        let other = ExpectationPlan.taskIsTold(task, status: 201, within: .seconds(1))
        #expect(isBroken(other.check(words: "w", place: "p"), [told, ended]))
        let late = event(.callback(task, .didComplete(.answered(status: 404))), at: 1001)
        #expect(isBroken(plan.check(words: "w", place: "p"), [late, ended]))
        #expect(isBroken(plan.check(words: "w", place: "p"), [ended]))
    }
}
