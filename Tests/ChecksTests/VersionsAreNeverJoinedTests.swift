import Quantities
import RunLog
import Testing

@testable import Checks

@Suite struct VersionsAreNeverJoinedTests {
    private let begun = [
        SmallLog.stands(SmallLog.first), SmallLog.accepted(), SmallLog.inspected(modified: 1),
        SmallLog.created(), SmallLog.sends(from: 0),
    ]

    @Test func `going on with the same file holds`() {
        let log = begun + [SmallLog.inspected(modified: 1), SmallLog.resumes(at: 40)]
        #expect(judge(log) == .held)
    }

    @Test func `resuming with another version falls, even one that looks the same`() {
        let log =
            begun + [
                SmallLog.stands(SmallLog.second), SmallLog.inspected(modified: 1),
                SmallLog.resumes(at: 40),
            ]
        #expect(
            judge(log)
                == broken(
                    at: 7,
                    expected:
                        "transfer 1 starts over, because its source has changed since /tus/1 began",
                    seen: "it resumes at 40, with file 1 version 2, 100 B, modified at 1 "
                        + "behind file 1 version 1, 100 B, modified at 1"))
    }

    @Test func `an upload that only lacks its last answer may be asked for after an edit`() {
        let edited = [SmallLog.stands(SmallLog.second), SmallLog.inspected(modified: 2)]
        #expect(judge(begun + edited + [SmallLog.resumes(at: 100)]) == .held)
        #expect(judge(begun + edited + [SmallLog.resumes(at: 0)]) == .held)
    }

    @Test func `one that was begun without saying how long it is counts as whole when it is`() {
        let nameless = RunEvent.Fact.server(
            .created(SmallLog.upload, object: "in/video.mov", length: nil))
        let edited = [SmallLog.stands(SmallLog.second), SmallLog.inspected(modified: 2)]
        func ended(isComplete: Bool) -> RunEvent.Fact {
            .server(.appendEnded(SmallLog.upload, staged: ByteCount(40), complete: isComplete))
        }
        let (cut, whole) = (ended(isComplete: false), ended(isComplete: true))
        let resumes = edited + [SmallLog.resumes(at: 40)]
        #expect(judge(begun + [nameless, cut] + resumes) != .held)
        #expect(judge(begun + [nameless, cut, whole] + resumes) == .held)
    }

    @Test func `an object of one version holds, one that joins two falls`() {
        let one = SmallLog.published([SmallLog.range(SmallLog.first, 0..<100)])
        #expect(judge([one]) == .held)
        let two = SmallLog.published([
            SmallLog.range(SmallLog.first, 0..<40), SmallLog.range(SmallLog.second, 40..<100),
        ])
        #expect(
            judge([two])
                == broken(
                    at: 0, expected: "in/video.mov holds bytes of one version of one file",
                    seen: "it joins file 1 version 1 and file 1 version 2, from byte 40"))
    }

    @Test func `a log in which nothing went on is not applicable`() {
        let reason = "no transfer was resumed or published"
        #expect(judge(begun) == .notApplicable(because: reason))
        #expect(judge([SmallLog.published([])]) == .notApplicable(because: reason))
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: VersionsAreNeverJoined(), to: facts)
    }
}
