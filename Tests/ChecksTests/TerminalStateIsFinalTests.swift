import RunLog
import Testing

@testable import Checks

@Suite struct TerminalStateIsFinalTests {
    @Test(arguments: [ItemStage.completed, .failed])
    func `a session that runs, retries and ends holds`(end: ItemStage) {
        let log = [
            SmallLog.accepted(), SmallLog.stage(.waiting, .running),
            SmallLog.told(.didStartFile(name: "video.mov")), SmallLog.told(SmallLog.progress(10)),
            SmallLog.stage(.running, .retrying), SmallLog.stage(.retrying, .running),
            SmallLog.stage(.running, end), SmallLog.told(.didStopFile(name: "video.mov")),
            SmallLog.told(.didDeactivate(.completed)),
        ]
        #expect(judge(log) == .held)
    }

    @Test func `a log without a change of state is not applicable`() {
        let because = "no session changed its state"
        #expect(judge([]) == .notApplicable(because: because))
        #expect(judge([SmallLog.accepted()]) == .notApplicable(because: because))
    }

    @Test(arguments: [ItemStage.completed, .failed])
    func `leaving a terminal state falls`(end: ItemStage) {
        let log = [
            SmallLog.stage(.waiting, .running), SmallLog.stage(.running, end),
            SmallLog.stage(end, .running),
        ]
        #expect(
            judge(log)
                == broken(
                    at: 2, expected: "session 1 stays \(end.rawValue)",
                    seen: "it leaves \(end.rawValue)"))
    }

    @Test func `an end of a task that nobody was told may be undone by a loss of power alone`() {
        let task = ItemName(1, of: .background)
        let ends: [RunEvent.Fact] = [
            .engine(.moves(task, from: .suspended, to: .running, because: "of the test")),
            .engine(.moves(task, from: .running, to: .completed, because: "of the test")),
        ]
        let found = RunEvent.Fact.engine(.found(task, .running))
        #expect(judge(ends + [.device(.power(.lost)), found]) == .held)
        #expect(judge(ends + [found]) != .held)
    }

    @Test func `a change that does not go on from the last state falls`() {
        let log = [SmallLog.stage(.waiting, .running), SmallLog.stage(.waiting, .running)]
        let expected = "session 1 continues from running"
        #expect(judge(log) == broken(at: 1, expected: expected, seen: "it continues from waiting"))
        #expect(
            judge([SmallLog.accepted(), SmallLog.stage(.running, .failed)])
                == broken(
                    at: 1, expected: "session 1 continues from waiting",
                    seen: "it continues from running"))
    }

    @Test func `a kill may bring back an end that nobody was told, and no other`() {
        let ends = [SmallLog.stage(.waiting, .running), SmallLog.stage(.running, .completed)]
        let back = [SmallLog.killed, SmallLog.launched, SmallLog.stage(.waiting, .running)]
        #expect(judge(ends + back) == .held)
        #expect(
            judge(ends + [SmallLog.told(.didDeactivate(.completed))] + back)
                == broken(
                    at: 5, expected: "session 1 continues from completed",
                    seen: "it continues from waiting"))
    }

    @Test func `an end that the store has refused may be undone by a kill, and by nothing else`() {
        let refused = RunEvent.Fact.store(.failed(reason: "no space"))
        let told = SmallLog.told(.didDeactivate(.completed))
        let ends = [SmallLog.stage(.waiting, .running), SmallLog.stage(.running, .completed)]
        let back = [SmallLog.launched, SmallLog.stage(.waiting, .running)]
        #expect(judge(ends + [refused, told, SmallLog.killed] + back) == .held)
        #expect(judge(ends + [refused, told] + back) != .held)
        // The store has already kept the end.
        #expect(judge(ends + [told, refused, SmallLog.killed] + back) != .held)
        #expect(judge([refused] + ends + [told, SmallLog.killed] + back) != .held)
    }

    @Test func `a task that the system could not keep may be made anew after a restart`() {
        let task = ItemName(4, of: .background)
        let made = RunEvent.Fact.engine(
            .moves(task, from: .suspended, to: .running, because: "of the test"))
        let fails = RunEvent.Fact.engine(
            .moves(task, from: .suspended, to: .failed, because: "of the test"))
        let daemon = RunEvent.Fact.daemon(.store(.failed(reason: "no space"), device: 0))
        let told = RunEvent.Fact.background(.callback(task, .didComplete(.answered(status: 404))))
        let restart = RunEvent.Fact.device(.power(.restarting))
        #expect(judge([fails, daemon, told, restart, made]) == .held)
        #expect(judge([fails, daemon, told, made]) != .held)
        // Who finds it in the store had no reason to tell its end.
        let found = RunEvent.Fact.engine(.found(task, .running))
        #expect(judge([fails, daemon, restart, found]) == .held)
        #expect(judge([fails, daemon, told, restart, found]) != .held)
        // The store of the app says nothing about a task, nor that of the system about a session.
        let app = RunEvent.Fact.store(.failed(reason: "no space"))
        #expect(judge([fails, app, told, restart, made]) != .held)
        let ends = [SmallLog.stage(.waiting, .running), SmallLog.stage(.running, .completed)]
        let end = SmallLog.told(.didDeactivate(.completed))
        let again = [SmallLog.killed, SmallLog.launched, SmallLog.stage(.waiting, .running)]
        #expect(judge(ends + [daemon, end] + again) != .held)
    }

    @Test func `after a kill a running session waits again, until the next change`() {
        let log = [
            SmallLog.stage(.waiting, .running), SmallLog.killed, SmallLog.launched,
            SmallLog.stage(.waiting, .running),
        ]
        #expect(judge(log) == .held)
        #expect(
            judge(log + [SmallLog.stage(.waiting, .running)])
                == broken(
                    at: 4, expected: "session 1 continues from running",
                    seen: "it continues from waiting"))
    }

    @Test(arguments: [
        (SmallLog.progress(100), "session 1 has moved 100 B of 100 B of video.mov"),
        (SessionCallback.didStartFile(name: "video.mov"), "session 1 starts video.mov"),
    ])
    func `a data callback after the end falls`(callback: SessionCallback, seen: String) {
        let log = [
            SmallLog.stage(.waiting, .running), SmallLog.stage(.running, .failed),
            SmallLog.told(callback),
        ]
        let expected = "no data callback of session 1 after it is failed"
        #expect(judge(log) == broken(at: 2, expected: expected, seen: seen))
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: TerminalStateIsFinal(), to: facts)
    }
}
