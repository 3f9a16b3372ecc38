import RunLog
import Testing

@testable import Checks

@Suite struct ProgressStaysInBoundsTests {
    private let name = "video.mov"

    @Test func `what is acknowledged grows up to the whole`() {
        let log = [SmallLog.created()] + [0, 40, 40, 100].map { SmallLog.acknowledged($0) }
        #expect(judge(log) == .held)
    }

    @Test func `more than the whole falls`() {
        #expect(
            judge([SmallLog.created(), SmallLog.acknowledged(101)])
                == broken(
                    at: 1, expected: "at most 100 bytes of /tus/1 are acknowledged",
                    seen: "101 are"))
    }

    @Test func `what was acknowledged is not taken back`() {
        let log = [SmallLog.created(), SmallLog.acknowledged(40), SmallLog.acknowledged(39)]
        #expect(
            judge(log)
                == broken(
                    at: 2, expected: "at least 40 bytes of /tus/1, as acknowledged before",
                    seen: "39 are acknowledged"))
    }

    @Test func `an upload that was acknowledged outlives a loss of power`() {
        let lost = RunEvent.Fact.server(
            .discarded(SmallLog.upload, why: ServerFact.lostWithPower))
        #expect(judge([SmallLog.created(), SmallLog.acknowledged(0)]) == .held)
        #expect(
            judge([SmallLog.created(), SmallLog.acknowledged(40), lost])
                == broken(
                    at: 2,
                    expected:
                        "/tus/1, of which 40 bytes were acknowledged, outlives a loss of power",
                    seen: "nothing of it is left"))
    }

    @Test func `progress begins anew in a new attempt, and for a second file of one name`() {
        #expect(judge(attempt([50, 80]) + attempt([10, 100]) + attempt([10])) == .held)
        #expect(judge(attempt([100]) + file([50])) == .held)
    }

    @Test(
        arguments: [
            ([9, 8], 3, "progress of video.mov from 9 to 100", 8),
            ([101], 2, "progress of video.mov from 0 to 100", 101),
        ] as [([UInt64], Int, String, Int)])
    func `progress that goes back or too far falls`(
        steps: [UInt64], at event: Int, expected: String, seen: Int
    ) {
        #expect(
            judge(attempt(steps))
                == broken(
                    at: event, expected: expected, seen: "session 1 has moved \(seen) bytes"))
    }

    @Test func `stopping a file in its middle does not let it begin lower in the same attempt`() {
        #expect(
            judge(attempt([9]) + file([8]))
                == broken(
                    at: 5, expected: "progress of video.mov from 9 to 100",
                    seen: "session 1 has moved 8 bytes"))
    }

    @Test func `a log without progress is not applicable`() {
        #expect(
            judge([SmallLog.created()])
                == .notApplicable(because: "no progress was acknowledged or reported"))
    }

    private func attempt(_ steps: [UInt64]) -> [RunEvent.Fact] {
        [SmallLog.told(.willStartRunning)] + file(steps)
    }

    private func file(_ steps: [UInt64]) -> [RunEvent.Fact] {
        [SmallLog.told(.didStartFile(name: name))]
            + steps.map { SmallLog.told(SmallLog.progress($0)) }
            + [SmallLog.told(.didStopFile(name: name))]
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: ProgressStaysInBounds(), to: facts)
    }
}
