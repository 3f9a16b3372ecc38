import Quantities
import RunLog
import Testing

@testable import Checks

@Suite struct NothingFromTheSuspendedTests {
    private static let suspended = RunEvent.Fact.device(
        .appEntered(launch: 1, stage: .suspended, because: "it is behind"))
    private static let active = RunEvent.Fact.device(
        .appEntered(launch: 1, stage: .active, because: "it is back"))
    private let begun = [RunEvent.Fact.device(.appLaunched(launch: 1))]

    @Test(
        arguments: [
            SmallLog.told(.willActivate), SmallLog.stage(.waiting, .running),
            .store(.requested(ticket: 1, content: 1, paths: [])),
            .connection(.opening(SmallLog.connection, to: "docroot:80", by: ItemName(1))),
            .connection(.request(SmallLog.connection, method: "HEAD", target: "/tus/1")),
            .connection(.response(SmallLog.connection, status: 200)),
        ] as [RunEvent.Fact])
    func `whatever a suspended or dead app does falls`(deed: RunEvent.Fact) {
        let crashed = RunEvent.Fact.device(.appCrashed(launch: 1, how: "a signal"))
        for (state, word) in [
            (Self.suspended, "suspended"), (SmallLog.killed, "dead"), (crashed, "dead"),
        ] {
            #expect(
                judge(begun + [state, deed])
                    == broken(
                        at: 2, expected: "nothing from an app that is \(word)",
                        seen: "\(deed.subject): \(deed.sentence)"))
        }
        #expect(judge(begun + [Self.suspended, Self.active, deed]) == .held)
        #expect(judge(begun + [SmallLog.killed, SmallLog.launched, deed]) == .held)
    }

    @Test func `an app that is woken behind may do what it has to`() {
        let woken = RunEvent.Fact.device(
            .appEntered(launch: 1, stage: .background, because: "it is woken"))
        #expect(
            judge(begun + [Self.suspended, woken, SmallLog.told(.willActivate)]) == .held)
    }

    @Test func `what the network and the disk do for it meanwhile is not its deed`() {
        let log = [
            Self.suspended, SmallLog.ended(transmitted: 5), SmallLog.acknowledged(5),
            .store(.committed(ticket: 1)),
        ]
        #expect(judge(begun + log) == .held)
    }

    @Test func `another app may do what it likes`() {
        var check = NothingFromTheSuspended()
        check.read(RunEvent(at: .start, begun[0]))
        check.read(RunEvent(at: .start, app: 2, .device(.appLaunched(launch: 2))))
        check.read(RunEvent(at: .start, Self.suspended))
        check.read(RunEvent(at: .start, app: 2, SmallLog.told(2, .willActivate)))
        #expect(check.verdict() == .held)
        check.read(RunEvent(at: .start, app: 2, SmallLog.killed))
        check.read(RunEvent(at: .start, app: 2, SmallLog.told(2, .willActivate)))
        #expect(check.verdict() != .held)
    }

    @Test func `who was only ever dead is judged, too`() {
        #expect(judge(begun + [SmallLog.killed, SmallLog.runEnds]) == .held)
    }

    @Test func `an app that is always awake is not applicable`() {
        #expect(
            judge(begun + [Self.active, SmallLog.told(.willActivate)])
                == .notApplicable(because: "no app was suspended or dead in this run"))
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: NothingFromTheSuspended(), to: facts)
    }
}
