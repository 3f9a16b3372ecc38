import Checks
import Content
import Quantities
import RunLog
import Testing

/// `PATH is published within T`, `after T`, and `PATH holds A or B`.
@Suite struct PublishedInTimeTests {
    private static let object = "in/video.mov"
    private static let once = [
        .queue(.started), SmallLog.published([]), SmallLog.published([]), SmallLog.runEnds,
    ]

    private func judge(_ plan: ExpectationPlan, _ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: plan.check(words: "it holds", place: "a.yaml:1:1"), to: facts)
    }

    private func published(
        _ window: ClosedRange<TimeSpan>, _ facts: [RunEvent.Fact] = once
    ) -> Verdict.Answer {
        judge(.objectIsPublished(Self.object, within: window), facts)
    }

    @Test func `only the first publication counts`() {
        #expect(published(.zero ... .milliseconds(1)) == .held)
        #expect(published(.milliseconds(1) ... .seconds(9)) == .held)
        #expect(
            published(.milliseconds(2) ... .seconds(9))
                == broken(
                    at: 1, expected: "in/video.mov is published, but not before 2 ms",
                    seen: "it is published at 0.001 s"))
        #expect(
            published(.zero...TimeSpan(nanoseconds: 999_999))
                == broken(
                    at: 1,
                    expected: "in/video.mov is published within 999.999 µs of the run's start",
                    seen: "it is published at 0.001 s"))
    }

    @Test func `what is never published is neither early nor late`() {
        let answer = published(.zero ... .seconds(9), [.queue(.started), SmallLog.runEnds])
        #expect(
            answer
                == broken(
                    at: 1, expected: "in/video.mov is published within 9 s of the run's start",
                    seen: "it is not published by the run's end"))
        let silent = published(.zero ... .seconds(9), [.queue(.started)])
        #expect(silent == .notApplicable(because: "the log ends before the run does"))
    }

    @Test func `an object holds one of two files, and no mixture of them`() {
        let other = FileVersion(file: 2, edit: 0)
        let stands = [
            SmallLog.stands(SmallLog.first),
            .file(.stands(path: "other.mov", version: other, size: ByteCount(100))),
        ]
        let plan = ExpectationPlan.objectHoldsOne(Self.object, of: ["video.mov", "other.mov"])
        for version in [SmallLog.first, other] {
            let whole = SmallLog.published([SmallLog.range(version, 0..<100)])
            #expect(judge(plan, stands + [whole, SmallLog.runEnds]) == .held)
        }
        let mixture = SmallLog.published([
            SmallLog.range(SmallLog.first, 0..<50), SmallLog.range(other, 50..<100),
        ])
        guard case .broken(let breach) = judge(plan, stands + [mixture, SmallLog.runEnds]) else {
            Issue.record("a mixture holds")
            return
        }
        #expect(
            breach.expected == "in/video.mov holds the latest video.mov or other.mov in the end")
        #expect(
            judge(plan, stands + [SmallLog.runEnds])
                == broken(at: 2, expected: breach.expected, seen: "there is no object"))
    }
}
