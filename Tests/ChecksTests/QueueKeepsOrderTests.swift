import RunLog
import Testing

@testable import Checks

@Suite struct QueueKeepsOrderTests {
    private let bothAccepted = [SmallLog.accepted(1), SmallLog.accepted(2)]

    @Test func `one after the other in order holds`() {
        #expect(judge(bothAccepted + activation(of: 1) + activation(of: 2)) == .held)
    }

    @Test func `a session that failed lets the next one go`() {
        let failed = SmallLog.told(1, .didDeactivate(.failed(code: 19, message: "no")))
        let log = [SmallLog.told(1, .willActivate), failed]
        #expect(judge(bothAccepted + log + activation(of: 2)) == .held)
    }

    @Test func `a session that was stopped keeps its place in the line`() {
        let stopped = SmallLog.told(1, .didDeactivate(.stopped(by: .expiry)))
        let cut = bothAccepted + [SmallLog.told(1, .willActivate), stopped]
        #expect(judge(cut + activation(of: 1) + activation(of: 2)) == .held)
        #expect(
            judge(cut + activation(of: 2))
                == broken(
                    at: 4,
                    expected:
                        "session 1 is activated next, because it was interrupted or the app runs "
                        + "it",
                    seen: "session 2 is activated"))
    }

    @Test func `after a kill the session that was running is first in line`() {
        let cut = bothAccepted + [SmallLog.told(1, .willActivate), SmallLog.killed]
        #expect(judge(cut + activation(of: 1) + activation(of: 2)) == .held)
        #expect(
            judge(cut + activation(of: 2))
                == broken(
                    at: 4,
                    expected:
                        "session 1 is activated next, because it was interrupted or the app runs "
                        + "it",
                    seen: "session 2 is activated"))
    }

    @Test func `an end that a kill kept from the app may stand or be undone`() {
        let cut =
            bothAccepted + [
                SmallLog.told(1, .willActivate), SmallLog.stage(1, .running, .completed),
                SmallLog.killed,
            ]
        #expect(judge(cut + activation(of: 1) + activation(of: 2)) == .held)
        #expect(judge(cut + activation(of: 2)) == .held)
    }

    @Test func `an end that the store has refused may be undone by a kill, and by nothing else`() {
        let refused = RunEvent.Fact.store(.failed(reason: "no space"))
        let ends = [SmallLog.told(1, .willActivate), SmallLog.stage(1, .running, .completed)]
        let told = [SmallLog.told(1, .didDeactivate(.completed))]
        let again = activation(of: 1) + activation(of: 2)
        #expect(judge(bothAccepted + ends + [refused] + told + [SmallLog.killed] + again) == .held)
        #expect(judge(bothAccepted + ends + [refused] + told + again) != .held)
        let promised: [RunEvent.Fact] = [
            .store(.requested(ticket: 1, content: 1, paths: [])), .store(.committed(ticket: 1)),
        ]
        #expect(
            judge(bothAccepted + ends + promised + told + [refused, SmallLog.killed] + again)
                != .held)
    }

    @Test func `a log without an activation is not applicable`() {
        #expect(judge([]) == .notApplicable(because: "no session was activated"))
        #expect(judge(bothAccepted) == .notApplicable(because: "no session was activated"))
    }

    @Test func `two active sessions fall`() {
        let log = [SmallLog.told(1, .willActivate), SmallLog.told(2, .willActivate)]
        #expect(
            judge(bothAccepted + log)
                == broken(
                    at: 3,
                    expected: "session 1 is deactivated before another session is activated",
                    seen: "session 2 is activated beside it"))
    }

    @Test func `overtaking a session that waits falls`() {
        #expect(
            judge(bothAccepted + activation(of: 2) + activation(of: 1))
                == broken(
                    at: 2,
                    expected: "session 1 is activated next, because it is first in the queue",
                    seen: "session 2 is activated"))
    }

    @Test func `running an ended session while another waits falls`() {
        #expect(
            judge(bothAccepted + activation(of: 1) + activation(of: 1))
                == broken(
                    at: 5,
                    expected: "session 2 is activated next, because it is first in the queue",
                    seen: "session 1 is activated"))
    }

    private func activation(of session: UInt64) -> [RunEvent.Fact] {
        [
            SmallLog.told(session, .willActivate), SmallLog.stage(session, .running, .completed),
            SmallLog.told(session, .didDeactivate(.completed)),
        ]
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: QueueKeepsOrder(), to: facts)
    }
}

/// The app's changes of its queue, and the session that must be next (A5, A7, A8).
@Suite struct QueueKeepsWishedOrderTests {
    private let three = [
        SmallLog.accepted(1), SmallLog.accepted(2), SmallLog.accepted(3),
        RunEvent.Fact.queue(.started),
    ]

    private func begins(_ session: UInt64) -> [RunEvent.Fact] {
        [
            SmallLog.stage(session, .waiting, .running), SmallLog.told(session, .willActivate),
        ]
    }

    private func asked(_ wish: SessionWish, _ session: UInt64) -> RunEvent.Fact {
        .queue(.asked(ItemName(session), wish))
    }

    private func ends(_ session: UInt64, _ outcome: SessionResult = .completed) -> RunEvent.Fact {
        SmallLog.told(session, .didDeactivate(outcome))
    }

    private func completes(_ session: UInt64) -> [RunEvent.Fact] {
        [SmallLog.stage(session, .running, .completed), ends(session)]
    }

    @Test func `one that is stopped while it is interrupted does not come back next`() {
        let interrupted =
            three + begins(1) + [asked(.run, 3), SmallLog.stage(1, .running, .preempted)]
        let stopped = [asked(.stop, 1), SmallLog.stage(1, .preempted, .waiting)]
        let ended = [ends(1, .stopped(by: .preemption))]
        #expect(judge(interrupted + stopped + ended + begins(3)) == .held)
        #expect(
            judge(interrupted + stopped + ended + begins(3) + completes(3) + begins(2)) == .held)
        #expect(judge(interrupted + ended + begins(3) + completes(3) + begins(2)) != .held)
    }

    @Test func `one that is run comes first, and the one it stopped right after it`() {
        let log =
            three + begins(1)
            + [
                asked(.run, 3), SmallLog.stage(1, .running, .preempted),
                ends(1, .stopped(by: .preemption)),
            ] + begins(3) + completes(3)
        #expect(judge(log + begins(1) + completes(1) + begins(2)) == .held)
        #expect(
            judge(log + begins(2))
                == broken(
                    at: 14,
                    expected:
                        "session 1 is activated next, because it was interrupted or the app runs "
                        + "it",
                    seen: "session 2 is activated"))
    }

    @Test func `one that is stopped waits for all that waited, and for five seconds`() {
        let stopped =
            three + begins(1)
            + [
                asked(.stop, 1), SmallLog.stage(1, .running, .waiting),
                ends(1, .stopped(by: .session)),
            ]
        #expect(
            judge(stopped + begins(2) + completes(2) + begins(3) + completes(3)) == .held)
        #expect(
            judge(stopped + begins(2) + completes(2) + begins(1))
                == broken(
                    at: 14,
                    expected:
                        "session 3 is activated next, because it was waiting when the other "
                        + "session was stopped",
                    seen: "session 1 is activated at 0.014 s"))
    }

    @Test func `what is put in front of a queue that stands comes first`() {
        let stopped =
            three + begins(1)
            + [
                SmallLog.stage(1, .running, .waiting), ends(1, .stopped(by: .queue)),
                .queue(.stopped),
            ]
        let moved = [RunEvent.Fact.queue(.reordered(ItemName(3), from: 2, to: 0))]
        let started = [RunEvent.Fact.queue(.started)]
        #expect(judge(stopped + started + begins(1)) == .held)
        #expect(judge(stopped + started + begins(3)) != .held)
        #expect(judge(stopped + moved + started + begins(3)) == .held)
        #expect(judge(stopped + moved + started + begins(1)) != .held)
    }

    @Test func `what was changed and not promised yet may be undone by a kill`() {
        let wanted = three + begins(1) + [.store(.committed(ticket: 1)), asked(.run, 3)]
        let again = [SmallLog.killed, RunEvent.Fact.queue(.started)] + begins(1)
        #expect(judge(wanted + again) == .held)
        let promised: [RunEvent.Fact] = [
            .store(.requested(ticket: 2, content: 1, paths: [])), .store(.committed(ticket: 2)),
        ]
        #expect(judge(wanted + promised + again) != .held)
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: QueueKeepsOrder(), to: facts)
    }
}
