import Quantities
import RunLog
import Testing

@testable import Checks

/// Checks of upload operations: a good log, and each way in which a log can be bad.
@Suite struct OperationChecksTests {
    private static let operation = ItemName(1, of: .operations)
    private static let lost = OperationCallback.failed(code: -1005, message: "lost")

    private static let accepted: [RunEvent.Fact] = [
        .engine(
            .accepts(
                operation, index: nil,
                [
                    AcceptedTransfer(
                        transfer: TransferName(operation), source: "a", destination: "in/a")
                ])), .engine(.moves(operation, from: .waiting, to: .running, because: "added")),
    ]

    private static func told(_ callback: OperationCallback) -> RunEvent.Fact {
        .operations(.callback(operation, callback))
    }

    private static func asked(_ wish: OperationWish) -> RunEvent.Fact {
        .operations(.asked(operation, wish))
    }

    private static func moves(_ from: ItemStage, _ to: ItemStage) -> RunEvent.Fact {
        .engine(.moves(operation, from: from, to: to, because: "the test says so"))
    }

    private static let progress = told(.progress(done: ByteCount(1), total: ByteCount(2)))
    private static let begun = accepted + [told(.added)]
    private static let failed = begun + [moves(.running, .failed), told(lost)]
    private static let completed = begun + [moves(.running, .completed), told(.completed)]
    private static let retried =
        failed + [asked(.retry), moves(.failed, .running), told(.added)]

    // MARK: S9

    @Test func `added, progress, and an end; and again when it is retried`() {
        let unlisted =
            Self.failed + [Self.told(.agedOut), Self.asked(.retry), Self.told(.added)]
        let flushed = Self.completed + [Self.told(.flushed)]
        for log in [Self.retried + [Self.progress], unlisted, flushed] {
            #expect(answer(of: CallbacksFollowGrammar(), to: log) == .held)
        }
    }

    static let slips: [(log: [RunEvent.Fact], expected: String)] = [
        (accepted + [progress], "the first callback of operation 1 is “added”"),
        (begun + [told(.added)], "operation 1 is added once"),
        (completed + [told(.completed)], "no callback of operation 1 after its end"),
        (failed + [told(.added)], "no callback of operation 1 after its end"),
        (begun + [asked(.retry)], "operation 1 is retried only after it has failed"),
        (
            completed + [told(.agedOut), told(.agedOut)],
            "operation 1 leaves its list once, after it has ended"
        ),
        (
            completed + [told(.agedOut), asked(.retry)],
            "operation 1 is retried only after it has failed"
        ),
        (
            begun + [told(.agedOut)],
            "operation 1 leaves its list once, after it has ended"
        ),
        (
            begun + [SmallLog.killed, SmallLog.launched, progress],
            "callbacks only for operations that this process has accepted"
        ),
        (begun + [SmallLog.killed, progress], "no callback to an app that is dead"),
    ]

    @Test(arguments: slips.indices) func `what is out of the grammar falls`(index: Int) {
        let (log, expected) = Self.slips[index]
        guard case .broken(let breach) = answer(of: CallbacksFollowGrammar(), to: log) else {
            Issue.record("it holds")
            return
        }
        #expect(breach.expected == expected)
        #expect(breach.event == log.count - 1)
    }

    // MARK: S4, S5, S10, S12

    @Test func `an end is left by a retry alone`() {
        #expect(answer(of: TerminalStateIsFinal(), to: Self.retried) == .held)
        #expect(
            answer(of: TerminalStateIsFinal(), to: Self.failed + [Self.moves(.failed, .running)])
                != .held)
        #expect(
            answer(of: TerminalStateIsFinal(), to: Self.completed + [Self.progress]) != .held)
    }

    @Test func `progress stays in its bounds, and begins anew with an attempt`() {
        let attempt = RunEvent.Fact.engine(.attempt(Self.operation, number: 1))
        let full = Self.told(.progress(done: ByteCount(2), total: ByteCount(2)))
        let log = [attempt, full]
        #expect(answer(of: ProgressStaysInBounds(), to: log + [attempt, Self.progress]) == .held)
        #expect(answer(of: ProgressStaysInBounds(), to: log + [Self.progress]) != .held)
    }

    @Test func `an attempt that nobody asked for falls`() {
        func attempt(_ number: Int) -> RunEvent.Fact {
            .engine(.attempt(Self.operation, number: number))
        }
        let fails = RunEvent.Fact.engine(
            .fails(Self.operation, code: -1005, message: "lost", retryIn: nil))
        let once = [attempt(1), fails]
        let retried = once + [Self.asked(.retry), attempt(1)]
        #expect(answer(of: AttemptsKeepTheirBudget(), to: retried) == .held)
        #expect(answer(of: AttemptsKeepTheirBudget(), to: once + [attempt(1)]) != .held)
        #expect(answer(of: AttemptsKeepTheirBudget(), to: once + [attempt(2)]) != .held)
    }

    // MARK: L1, L3

    @Test func `an operation ends, the app is told, or it dies with its process (U7)`() {
        let end = [SmallLog.runEnds]
        #expect(answer(of: EverySessionEnds(), to: Self.completed + end) == .held)
        #expect(answer(of: EverySessionEnds(), to: Self.begun + end) != .held)
        #expect(
            answer(of: EverySessionEnds(), to: Self.begun + [Self.moves(.running, .failed)] + end)
                != .held)
        #expect(
            answer(of: EverySessionEnds(), to: Self.begun + [SmallLog.killed] + end)
                == .notApplicable(because: "no session was accepted"))
    }

    @Test func `an app that is suspended with one comes back, or dies`() {
        let suspended = RunEvent.Fact.device(
            .appEntered(launch: 1, stage: .suspended, because: "it is not in front"))
        let log = Self.begun + [suspended]
        #expect(answer(of: SuspendedAppsAreReleased(), to: log + [SmallLog.runEnds]) != .held)
        let again = log + [SmallLog.killed, SmallLog.launched, suspended, SmallLog.runEnds]
        #expect(answer(of: SuspendedAppsAreReleased(), to: again) == .held)
    }

    // MARK: L5: the lists (U2)

    /// The seconds after an operation's end at which it leaves its list, and whether it is in time.
    static let stays: [(isCompleted: Bool, seconds: Int64, isHeld: Bool)] = [
        (true, 9, false), (true, 10, true), (true, 11, true), (true, 12, false),
        (false, 59, false), (false, 60, true), (false, 61, true), (false, 62, false),
    ]

    @Test(arguments: stays.indices) func `an operation is listed for its time`(row: Int) {
        let (isCompleted, seconds, isHeld) = Self.stays[row]
        var log = ended(isCompleted)
        log.wait(.seconds(seconds))
        log.add(Self.told(.agedOut))
        let answer = log.answer(of: LeftoversAreReclaimed())
        // The log has no end, so the state of the server is unknown.
        #expect(answer.isBroken != isHeld, "\(answer)")
    }

    @Test func `who is never taken from a list falls when the run ends`() {
        var log = ended(true)
        log.wait(.seconds(12))
        log.add(SmallLog.runEnds)
        #expect(log.answer(of: LeftoversAreReclaimed()).isBroken)
    }

    @Test func `while the app is suspended nothing leaves a list, and then it does at once`() {
        var log = ended(true)
        log.add(.device(.appEntered(launch: 1, stage: .suspended, because: "behind")))
        log.wait(.seconds(100))
        log.add(.device(.appEntered(launch: 1, stage: .active, because: "opened")))
        log.add(Self.told(.agedOut))
        log.add(SmallLog.runEnds)
        #expect(!log.answer(of: LeftoversAreReclaimed()).isBroken)
    }

    @Test func `a list that the app empties is empty at once, and a retry takes out of it`() {
        var log = ended(false)
        log.add(.operations(.flushed))
        log.add(Self.told(.flushed))
        #expect(!log.answer(of: LeftoversAreReclaimed()).isBroken)
        var retried = ended(false)
        retried.add(Self.told(.added))
        retried.wait(.seconds(100))
        retried.add(SmallLog.runEnds)
        #expect(!retried.answer(of: LeftoversAreReclaimed()).isBroken)
    }

    @Test func `what the app empties is said to be flushed, and nothing else is`() {
        var aged = ended(false)
        aged.add(.operations(.flushed))
        aged.add(Self.told(.agedOut))
        #expect(aged.answer(of: LeftoversAreReclaimed()).isBroken)
        var flushed = ended(true)
        flushed.wait(.seconds(10))
        flushed.add(Self.told(.flushed))
        #expect(flushed.answer(of: LeftoversAreReclaimed()).isBroken)
    }

    private func ended(_ isCompleted: Bool) -> TimedLog {
        var log = TimedLog()
        for fact in isCompleted ? Self.completed : Self.failed { log.add(fact) }
        return log
    }
}

extension Verdict.Answer {
    fileprivate var isBroken: Bool {
        if case .broken = self { true } else { false }
    }
}
