import Quantities
import RunLog
import Testing

@testable import Checks

@Suite struct EverySessionEndsTests {
    @Test func `a session that was cleared away with its app's data is owed nothing`() {
        let log = [SmallLog.begins(sessions: 1), SmallLog.accepted(1)]
        #expect(
            answer(of: EverySessionEnds(), to: log + [.device(.appDataCleared), SmallLog.runEnds])
                == .held)
        #expect(answer(of: EverySessionEnds(), to: log + [SmallLog.runEnds]) != .held)
    }

    @Test(
        arguments: [
            (.completed, .completed), (.failed, .failed(code: 21, message: "no such file")),
        ] as [(ItemStage, SessionResult)])
    func `a session that ends, and says so, holds`(stage: ItemStage, end: SessionResult) {
        let log = [
            SmallLog.accepted(), SmallLog.stage(.waiting, .running),
            SmallLog.stage(.running, stage), SmallLog.told(.didDeactivate(end)), SmallLog.runEnds,
        ]
        #expect(judge(log) == .held)
    }

    @Test func `an end that the app is never told of falls`() {
        let log = [
            SmallLog.accepted(), SmallLog.stage(.waiting, .running),
            SmallLog.stage(.running, .completed), SmallLog.told(.didStopRunning),
            SmallLog.runEnds,
        ]
        #expect(
            judge(log)
                == broken(
                    at: 4, expected: "the app is told that session 1 has completed",
                    seen: "no callback says so when the run ends: nothing was left to happen"))
    }

    @Test func `an app that dies before it is told finds the end in its queue`() {
        let log = [
            SmallLog.accepted(), SmallLog.stage(.waiting, .running),
            SmallLog.stage(.running, .completed), SmallLog.killed, SmallLog.launched,
            SmallLog.runEnds,
        ]
        #expect(judge(log) == .held)
    }

    @Test func `a run whose planned sessions were never accepted falls`() {
        #expect(
            judge([SmallLog.begins(sessions: 2), SmallLog.killed, SmallLog.runEnds])
                == broken(
                    at: 2, expected: "sessions accepted: 2, as planned",
                    seen: "sessions accepted: 0, when the run ends: nothing was left to happen"))
    }

    @Test func `a session that is missing beside one that ends falls`() {
        let log = [
            SmallLog.begins(sessions: 2), SmallLog.accepted(), SmallLog.stage(.waiting, .running),
            SmallLog.stage(.running, .completed), SmallLog.told(.didDeactivate(.completed)),
            SmallLog.runEnds,
        ]
        #expect(
            judge(log)
                == broken(
                    at: 5, expected: "sessions accepted: 2, as planned",
                    seen: "sessions accepted: 1, when the run ends: nothing was left to happen"))
        #expect(judge([SmallLog.begins(sessions: 1)] + log.dropFirst()) == .held)
    }

    static let refusedByDisk: [(log: [RunEvent.Fact], isHeld: Bool)] = [
        ([], false),
        ([.device(.disk(.full))], true),
        ([.device(.disk(.writesFail, device: 2))], true),
        ([.device(.diskStands(capacity: ByteCount(9), used: ByteCount(9)))], true),
        ([.device(.disk(.readsFail))], true),
        ([.device(.disk(.readsFail)), .device(.disk(.readsWork))], false),
        ([.device(.disk(.full)), .device(.disk(.hasSpace))], false),
        ([.device(.disk(.full)), .device(.disk(.writesFail)), .device(.disk(.hasSpace))], true),
        (
            [
                .device(.disk(.full)), .device(.disk(.writesFail)), .device(.disk(.hasSpace)),
                .device(.disk(.writesWork)),
            ], false
        ),
    ]

    @Test(arguments: refusedByDisk.indices)
    func `a planned session may be refused, where the disk has no room for it`(row: Int) {
        let (disk, isHeld) = Self.refusedByDisk[row]
        let refused = RunEvent.Fact.queue(.refused(reason: "it was not stored"))
        let log = [SmallLog.begins(sessions: 1)] + disk + [refused, SmallLog.runEnds]
        #expect((judge(log) == .held) == isHeld, "\(judge(log))")
    }

    @Test func `a full disk does not excuse that nothing was asked for`() {
        let log = [SmallLog.begins(sessions: 1), .device(.disk(.full)), SmallLog.runEnds]
        #expect(judge(log) != .held)
    }

    @Test func `a log without sessions or without an end is not applicable`() {
        #expect(judge([]) == .notApplicable(because: "no session was accepted"))
        #expect(judge([SmallLog.runEnds]) == .notApplicable(because: "no session was accepted"))
        let cut = "the log ends before the run does"
        #expect(judge([SmallLog.accepted()]) == .notApplicable(because: cut))
        #expect(judge([SmallLog.begins(sessions: 1)]) == .notApplicable(because: cut))
    }

    @Test(arguments: [ItemStage.running, .retrying, .waiting])
    func `a session that the run's end finds unfinished falls`(stage: ItemStage) {
        let log = [
            SmallLog.accepted(1), SmallLog.stage(1, .waiting, .running),
            SmallLog.stage(1, .running, .completed), SmallLog.told(1, .didDeactivate(.completed)),
            SmallLog.accepted(2), SmallLog.stage(2, .running, stage), SmallLog.runEnds,
        ]
        #expect(
            judge(log)
                == broken(
                    at: 6, expected: "session 2 has completed or failed",
                    seen: "session 2 is \(stage.rawValue) when the run ends: "
                        + "nothing was left to happen"))
    }

    @Test func `after a healing all has to be over by its deadline, not only by the run's end`() {
        let healing = RunEvent.Fact.run(
            .healing(name: "healing", deadline: .start + .milliseconds(3)))
        let late = [
            SmallLog.accepted(), SmallLog.stage(.waiting, .running), healing, .queue(.started),
            SmallLog.stage(.running, .completed), SmallLog.told(.didDeactivate(.completed)),
            SmallLog.runEnds,
        ]
        #expect(
            judge(late)
                == broken(
                    at: 4, expected: "session 1 has completed or failed",
                    seen:
                        "session 1 is running when healing should have ended everything by 0.003 s")
        )
        let early = [late[0], late[1], late[4], late[5], healing, late[6]]
        #expect(judge(early) == .held)
    }

    @Test func `the kill of one app ends no other's waiting for a network`() {
        let waits = RunEvent.Fact.engine(
            .waitsForNetwork(ItemName(1), because: "there is only cellular"))
        for (killed, isHeld) in [(UInt16?.none, false), (2, true)] {
            var check = EverySessionEnds()
            let log: [(UInt16?, RunEvent.Fact)] = [
                (nil, SmallLog.begins(sessions: 1)), (nil, SmallLog.accepted()), (nil, waits),
                (killed, SmallLog.killed), (nil, SmallLog.runEnds),
            ]
            for (app, fact) in log { check.read(RunEvent(at: .start, app: app, fact)) }
            #expect((check.verdict() == .held) == isHeld)
        }
    }

    @Test func `waiting for a network that it may use is the user's to end, until a healing`() {
        let waits = RunEvent.Fact.engine(
            .waitsForNetwork(ItemName(1), because: "there is only cellular"))
        let log = [SmallLog.accepted(), SmallLog.stage(.waiting, .running), waits]
        #expect(judge(log + [SmallLog.runEnds]) == .held)
        let tries = RunEvent.Fact.engine(.attempt(ItemName(1), number: 1))
        #expect(
            judge(log + [tries, SmallLog.runEnds])
                == broken(
                    at: 4, expected: "session 1 has completed or failed",
                    seen: "session 1 is running when the run ends: nothing was left to happen"))
        let healing = RunEvent.Fact.run(
            .healing(name: "healing", deadline: .start + .milliseconds(3)))
        #expect(
            judge(log + [healing, SmallLog.runEnds])
                == broken(
                    at: 4, expected: "session 1 has completed or failed",
                    seen:
                        "session 1 is running when healing should have ended everything by 0.003 s")
        )
    }

    @Test func `what waits for a charger may wait after a healing, until there is one`() {
        let limits: NetworkLimits = [.noCellular, .needsCharger]
        func charger(_ isThere: Bool) -> RunEvent.Fact { .device(.charger(connected: isThere)) }
        let log = [
            SmallLog.accepted(), .engine(.isLimited(ItemName(1), limits)),
            SmallLog.stage(.waiting, .running),
            .engine(.waitsForNetwork(ItemName(1), because: "it waits for a charger")),
            .run(.healing(name: "healing", deadline: .start + .milliseconds(3))),
        ]
        #expect(judge(log + [SmallLog.runEnds]) == .held)
        #expect(judge([charger(true), charger(false)] + log + [SmallLog.runEnds]) == .held)
        #expect(judge([charger(true)] + log + [SmallLog.runEnds]) != .held)
    }

    @Test func `a session that never moved falls`() {
        #expect(
            judge([SmallLog.accepted(), SmallLog.runEnds])
                == broken(
                    at: 1, expected: "session 1 has completed or failed",
                    seen: "session 1 is waiting when the run ends: nothing was left to happen"))
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: EverySessionEnds(), to: facts)
    }
}
