import Quantities
import RunLog
import Testing

@testable import Checks

/// S7 with a damaged store: one loss is excused if the disk has flipped bits and the app is told.
/// L1, L4 and S14 no longer ask for the lost sessions.
@Suite struct StoreSetAsideTests {
    static let promised: [RunEvent.Fact] = [
        .store(.opened(launch: 1, content: 0, sessions: 0)), requested(1, 0xa), committed(1),
        SmallLog.killed,
    ]
    static let loss: [RunEvent.Fact] = [setAside(kept: []), opened(0, sessions: 0), told]

    @Test func `a loss by flipped bits that is told is forgiven`() {
        #expect(judge(Self.promised + [Self.flipped] + Self.loss + [SmallLog.runEnds]) == .held)
    }

    @Test func `a loss that no disk has brought about falls, told or not`() {
        #expect(
            judge(Self.promised + Self.loss)
                == broken(
                    at: 5, expected: "a store is set aside only if its disk has damaged it",
                    seen:
                        "it is set aside as q.damaged-1, and the new store does not hold what was "
                        + "promised"))
    }

    @Test func `a healthy store that is set aside falls, even if nothing is lost`() {
        let log = [Self.setAside(kept: [1]), Self.opened(0xa, sessions: 1), Self.told]
        #expect(
            judge(Self.promised + log + [SmallLog.runEnds])
                == broken(
                    at: 5, expected: "a store is set aside only if its disk has damaged it",
                    seen: "it is set aside as q.damaged-1, though nothing has happened to it"))
    }

    @Test func `a silent loss falls, whatever the disk did`() {
        #expect(
            judge(Self.promised + [Self.flipped, Self.opened(0, sessions: 0)])
                == broken(
                    at: 5, expected: "the store holds the content a that it promised",
                    seen: "it holds 0"))
    }

    @Test func `one loss is forgiven, and not the next`() {
        let again = [SmallLog.killed] + Self.loss
        let rebuilt = [Self.requested(2, 0xb), Self.committed(2)]
        let log = Self.promised + [Self.flipped] + Self.loss + rebuilt
        #expect(judge(log + again) != .held)
        #expect(judge(log + [SmallLog.killed, Self.opened(0, sessions: 0)]) != .held)
        #expect(judge(log + [SmallLog.killed, Self.flipped] + Self.loss) == .held)
    }

    @Test func `damage may be found again until the new store has confirmed a change`() {
        let again = [SmallLog.killed] + Self.loss
        #expect(judge(Self.promised + [Self.flipped] + Self.loss + again) == .held)
        let confirmed = [Self.requested(2, 0xb), Self.committed(2)]
        #expect(judge(Self.promised + [Self.flipped] + Self.loss + confirmed + again) != .held)
    }

    @Test func `flipped bits may be found only at a later launch`() {
        let unnoticed = [Self.flipped, Self.opened(0xa, sessions: 1), SmallLog.killed]
        #expect(judge(Self.promised + unnoticed + Self.loss) == .held)
    }

    @Test func `bits of a store that is cleared away excuse nothing`() {
        let cleared: [RunEvent.Fact] = [
            Self.flipped, .device(.appDataCleared), Self.opened(0, sessions: 0),
            Self.requested(1, 0xa), Self.committed(1), SmallLog.killed,
        ]
        #expect(judge(Self.promised + cleared + Self.loss) != .held)
    }

    @Test func `sessions that are said to be kept are there`() {
        let log = [Self.flipped, Self.setAside(kept: [1, 2]), Self.opened(0xb, sessions: 1)]
        #expect(
            judge(Self.promised + log)
                == broken(
                    at: 6, expected: "the store holds the 2 sessions that were reported as kept",
                    seen: "it holds 1"))
    }

    @Test func `an app that is never told falls, unless it dies before that`() {
        let untold = Self.promised + [Self.flipped] + Self.loss.dropLast()
        #expect(
            judge(untold + [SmallLog.runEnds])
                == broken(
                    at: 7, expected: "the app is told that its store is set aside as q.damaged-1",
                    seen: "it has not been told when the run ends"))
        #expect(judge(untold + [SmallLog.killed, SmallLog.runEnds]) == .held)
        let crashed = RunEvent.Fact.device(.appCrashed(launch: 2, how: "x"))
        #expect(judge(untold + [crashed, SmallLog.runEnds]) == .held)
        let other = RunEvent.Fact.queue(.storeWasSetAside(as: "q.damaged-7"))
        #expect(judge(untold + [other, SmallLog.runEnds]) != .held)
    }

    @Test func `a session that is lost and told is owed no end, and one that is kept is`() {
        let log = [
            SmallLog.begins(sessions: 2), SmallLog.accepted(1), SmallLog.accepted(2),
            SmallLog.killed,
        ]
        let lost = log + [Self.setAside(kept: [])]
        #expect(answer(of: EverySessionEnds(), to: lost + [SmallLog.runEnds]) == .held)
        let kept = log + [Self.setAside(kept: [2])]
        #expect(answer(of: EverySessionEnds(), to: kept + [SmallLog.runEnds]) != .held)
    }

    @Test func `a session that is lost has no turn, and no place in the order`() {
        let log = [
            RunEvent.Fact.queue(.started), SmallLog.accepted(1), SmallLog.accepted(2),
            SmallLog.accepted(3), SmallLog.told(.willActivate), SmallLog.killed,
        ]
        let third = RunEvent.Fact.queue(.callback(ItemName(3), .willActivate))
        for (kept, isGood) in [([3], true), ([2, 3], false), ([1, 3], false)] {
            let next = log + [Self.setAside(kept: kept.map(UInt64.init)), third]
            #expect((answer(of: QueueKeepsOrder(), to: next) == .held) == isGood)
        }
    }

    @Test func `the queue owes a turn to what is kept, and none to what is lost`() {
        for (kept, isOwed) in [([], false), ([2], true)] as [([UInt64], Bool)] {
            var log = TimedLog()
            log.add(SmallLog.launched, .queue(.started), SmallLog.accepted(1))
            log.add(SmallLog.accepted(2), SmallLog.told(1, .willActivate), SmallLog.killed)
            log.add(SmallLog.launched, Self.setAside(kept: kept), .queue(.started))
            log.wait(.seconds(2))
            log.add(SmallLog.runEnds)
            #expect((log.answer(of: NothingBlocksTheQueue()) == .held) == !isOwed)
        }
    }

    @Test func `it is counted as the app hears of it`() {
        for (log, isMet) in [(Self.loss, true), (Self.loss.dropLast(), false)] {
            var check = ExpectationPlan.happens(.settingAside, .exactly(1))
                .check(words: "the store is set aside once", place: "x:1:1")
            for fact in log + [SmallLog.runEnds] { check.read(RunEvent(at: .start, fact)) }
            #expect((check.verdict() == .held) == isMet)
        }
    }

    static let flipped = RunEvent.Fact.device(.bitsFlipped(count: 3))
    static let told = RunEvent.Fact.queue(.storeWasSetAside(as: "q.damaged-1"))

    static func setAside(kept: [UInt64]) -> RunEvent.Fact {
        .store(
            .setAside(
                as: "q.damaged-1", because: "a flipped bit", kept: kept.map { ItemName($0) },
                lost: []))
    }
    static func requested(_ ticket: UInt64, _ content: UInt64) -> RunEvent.Fact {
        .store(.requested(ticket: ticket, content: content, paths: []))
    }
    static func committed(_ ticket: UInt64) -> RunEvent.Fact { .store(.committed(ticket: ticket)) }
    static func opened(_ content: UInt64, sessions: Int) -> RunEvent.Fact {
        .store(.opened(launch: 2, content: content, sessions: sessions))
    }
    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: StoreSurvivesCrash(), to: facts)
    }
}
