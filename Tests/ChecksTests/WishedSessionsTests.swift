import Quantities
import RunLog
import Testing

@testable import Checks

/// Checks that must know the app's requests for its sessions, and their traces at the next launch.
@Suite struct WishedSessionsTests {
    private static func asked(_ wish: SessionWish, _ session: UInt64 = 1) -> RunEvent.Fact {
        .queue(.asked(ItemName(session), wish))
    }

    private static func found(_ stage: ItemStage, _ session: UInt64 = 1) -> RunEvent.Fact {
        .engine(.found(ItemName(session), stage))
    }

    private static let updated = SmallLog.told(.row(.updated(at: 0)))
    private static let ended = SmallLog.told(.didDeactivate(.completed))
    private static let relaunch = [SmallLog.killed, SmallLog.launched]
    private static let completed = [
        SmallLog.accepted(), .queue(.started), SmallLog.told(.willActivate),
        SmallLog.stage(.waiting, .running), SmallLog.stage(.running, .completed), ended,
    ]
    private static let wantedAgain = [asked(.run), SmallLog.stage(.completed, .waiting), updated]

    // MARK: S4

    @Test func `an end that was told is found by a launch, and nothing else`() {
        let log = Self.completed + Self.relaunch
        #expect(answer(of: TerminalStateIsFinal(), to: log + [Self.found(.completed)]) == .held)
        #expect(
            answer(of: TerminalStateIsFinal(), to: log + [Self.found(.waiting)])
                == broken(
                    at: 8, expected: "session 1 continues from completed",
                    seen: "it continues from waiting"))
    }

    @Test func `a session that was run again may be found as it was before`() {
        let log = Self.completed + Self.wantedAgain + Self.relaunch + [Self.found(.completed)]
        #expect(answer(of: TerminalStateIsFinal(), to: log) == .held)
        #expect(answer(of: TerminalStateIsFinal(), to: log + Self.wantedAgain) == .held)
        // The request died with its app.
        let leaves = [SmallLog.stage(.completed, .waiting)]
        #expect(answer(of: TerminalStateIsFinal(), to: log + leaves) != .held)
    }

    // MARK: S8

    @Test func `each run of a completed session publishes once more`() {
        func publishes(_ number: Int) -> [RunEvent.Fact] {
            let resource = ResourceName("/tus/\(number)")
            return [
                SmallLog.sends(from: 0, to: resource),
                .server(.published(resource, object: "in/video.mov", version: 1, [])),
            ]
        }
        let once = [SmallLog.accepted()] + publishes(1) + [SmallLog.stage(.running, .completed)]
        #expect(answer(of: PublishesOnce(), to: once + publishes(2)) != .held)
        let undone = once + Self.wantedAgain + Self.relaunch + [Self.found(.completed)]
        let again = undone + Self.wantedAgain + publishes(2)
        #expect(answer(of: PublishesOnce(), to: again) == .held)
        #expect(answer(of: PublishesOnce(), to: again + publishes(3)) != .held)
    }

    // MARK: S10

    /// The attempts that may follow a kill, after one failure and an explicit run. They depend on
    /// the content of the store.
    static let renewals: [(isStored: Bool, next: Int, isHeld: Bool)] = [
        (false, 1, true), (false, 2, true), (false, 3, false), (true, 1, true), (true, 2, false),
    ]

    @Test(arguments: renewals.indices)
    func `a budget that was renewed stays so if the store has promised it`(row: Int) {
        let (isStored, next, isHeld) = Self.renewals[row]
        var log = TimedLog()
        log.add(.engine(.attempt(ItemName(1), number: 1)))
        log.add(.engine(.fails(ItemName(1), code: 16, message: "lost", retryIn: .seconds(2))))
        log.add(.store(.requested(ticket: 1, content: 1, paths: [])))
        log.add(.store(.committed(ticket: 1)))
        log.add(Self.asked(.run))
        log.add(.store(.requested(ticket: 2, content: 2, paths: [])))
        if isStored { log.add(.store(.committed(ticket: 2))) }
        log.add(SmallLog.killed)
        log.add(.engine(.attempt(ItemName(1), number: next)))
        let answer = log.answer(of: AttemptsKeepTheirBudget())
        #expect((answer == .held) == isHeld, "\(answer)")
    }

    @Test func `what is committed of a session holds what a request before it lost`() {
        var log = TimedLog()
        for number in 1...2 {
            log.add(.engine(.attempt(ItemName(1), number: number)))
            let pause = TimeSpan.seconds(Int64(2 * number))
            log.add(.engine(.fails(ItemName(1), code: 16, message: "lost", retryIn: pause)))
            log.add(.store(.requested(ticket: UInt64(number), content: 1, paths: [])))
            log.add(.store(number == 1 ? .failed(reason: "full") : .committed(ticket: 2)))
            log.wait(pause)
        }
        log.add(SmallLog.killed)
        log.add(.engine(.attempt(ItemName(1), number: 1)))
        #expect(log.answer(of: AttemptsKeepTheirBudget()) != .held)
    }

    // MARK: L1

    @Test func `the row of a cancelled session that was not active tells of it`() {
        let cancelled = [
            SmallLog.accepted(), Self.asked(.cancel), SmallLog.stage(.waiting, .cancelled),
        ]
        #expect(
            answer(of: EverySessionEnds(), to: cancelled + [Self.updated, SmallLog.runEnds])
                == .held)
        #expect(answer(of: EverySessionEnds(), to: cancelled + [SmallLog.runEnds]) != .held)
        let active = [SmallLog.accepted(), SmallLog.told(.willActivate)] + cancelled.dropFirst()
        #expect(
            answer(of: EverySessionEnds(), to: active + [Self.updated, SmallLog.runEnds]) != .held)
    }

    @Test func `a session that a launch finds paused is for the user to resume`() {
        let resumed = [
            SmallLog.accepted(), SmallLog.stage(.running, .paused),
            SmallLog.stage(.paused, .running),
        ]
        let log = resumed + Self.relaunch
        #expect(
            answer(of: EverySessionEnds(), to: log + [Self.found(.paused), SmallLog.runEnds])
                == .held)
        #expect(answer(of: EverySessionEnds(), to: log + [SmallLog.runEnds]) != .held)
    }

    @Test func `a paused session may stay so after a healing, and a queue that stands may stand`() {
        let healing = RunEvent.Fact.run(.healing(name: "all is well", deadline: .start))
        let paused = [
            SmallLog.accepted(), SmallLog.stage(.running, .paused), healing, SmallLog.runEnds,
        ]
        #expect(answer(of: EverySessionEnds(), to: paused) == .held)
        let stands = [
            SmallLog.accepted(), RunEvent.Fact.queue(.stopped), healing, SmallLog.runEnds,
        ]
        #expect(answer(of: EverySessionEnds(), to: stands) == .held)
        #expect(
            answer(of: EverySessionEnds(), to: [SmallLog.accepted(), healing, SmallLog.runEnds])
                != .held)
    }

    @Test func `a queue that stood before a kill stands no more for that`() {
        let log = [SmallLog.accepted(), .queue(.stopped)] + Self.relaunch + [.queue(.started)]
        #expect(answer(of: EverySessionEnds(), to: log + [SmallLog.runEnds]) != .held)
        let notStarted = [SmallLog.accepted(), .queue(.stopped)] + Self.relaunch
        #expect(answer(of: EverySessionEnds(), to: notStarted + [SmallLog.runEnds]) != .held)
    }

    // MARK: L4

    @Test(arguments: [(ItemStage.waiting, false), (.preempted, true)])
    func `a stop puts off one that does not wait, and no other`(
        stage: ItemStage, isPutOff: Bool
    ) {
        var log = TimedLog()
        log.add(SmallLog.accepted())
        log.add(.device(.appLaunched(launch: 1)))
        log.add(.queue(.started))
        log.add(SmallLog.told(.willActivate))
        log.add(SmallLog.stage(.running, stage))
        log.add(Self.asked(.stop))
        log.add(SmallLog.told(.didDeactivate(.stopped(by: .preemption))))
        log.wait(.seconds(3))
        log.add(SmallLog.runEnds)
        let answer = log.answer(of: NothingBlocksTheQueue())
        #expect((answer == .held) == isPutOff, "\(answer)")
    }

    @Test func `a session that a launch finds at its end is waited for by nobody`() {
        var log = TimedLog()
        log.add(SmallLog.accepted())
        log.add(SmallLog.told(.willActivate))
        log.add(SmallLog.killed)
        log.add(.device(.appLaunched(launch: 2)))
        log.add(Self.found(.completed))
        log.add(.queue(.started))
        log.wait(.seconds(3))
        log.add(SmallLog.runEnds)
        #expect(log.answer(of: NothingBlocksTheQueue()) == .held)
    }

    // MARK: L5

    @Test func `an upload that is published is left behind by nobody`() {
        let published = [SmallLog.sends(from: 0), SmallLog.published([])]
        let other = ResourceName("/tus/2")
        let again = published + [SmallLog.resumes(at: 100), SmallLog.sends(from: 0, to: other)]
        #expect(answer(of: LeftoversAreReclaimed(), to: again + [SmallLog.runEnds]) == .held)
        let left = [SmallLog.sends(from: 0), SmallLog.sends(from: 0, to: other)]
        #expect(answer(of: LeftoversAreReclaimed(), to: left + [SmallLog.runEnds]) != .held)
    }

    // MARK: S14

    private static let three = [
        SmallLog.accepted(1), SmallLog.accepted(2), SmallLog.accepted(3),
        RunEvent.Fact.queue(.started),
    ]

    @Test func `a session that a launch finds at its end is passed over`() {
        let log =
            Self.three + [SmallLog.told(1, .willActivate)] + Self.relaunch
            + [Self.found(.completed, 1), .queue(.started)]
        #expect(
            answer(of: QueueKeepsOrder(), to: log + [SmallLog.told(2, .willActivate)]) == .held)
        #expect(
            answer(of: QueueKeepsOrder(), to: log + [SmallLog.told(3, .willActivate)]) != .held)
    }

    @Test func `the stop of a session that waits changes nothing`() {
        let log = Self.three + [Self.asked(.stop, 1)]
        #expect(
            answer(of: QueueKeepsOrder(), to: log + [SmallLog.told(1, .willActivate)]) == .held)
        #expect(
            answer(of: QueueKeepsOrder(), to: log + [SmallLog.told(2, .willActivate)]) != .held)
    }
}
