import RunLog
import Testing

@testable import Checks

@Suite struct StoreSurvivesCrashTests {
    @Test func `a store whose app's data is cleared is empty, and must be`() {
        let kept: [RunEvent.Fact] = [
            .store(.requested(ticket: 1, content: 7, paths: [])), .store(.committed(ticket: 1)),
        ]
        let cleared = kept + [.device(.appDataCleared)]
        let empty = RunEvent.Fact.store(.opened(launch: 2, content: 0, sessions: 0))
        let full = RunEvent.Fact.store(.opened(launch: 2, content: 7, sessions: 1))
        #expect(answer(of: StoreSurvivesCrash(), to: cleared + [empty]) == .held)
        #expect(answer(of: StoreSurvivesCrash(), to: cleared + [full]) != .held)
        #expect(answer(of: StoreSurvivesCrash(), to: kept + [empty]) != .held)
    }

    @Test func `a store that is opened as promised holds`() {
        let log = [opened(0), requested(1, 0xa), committed(1), SmallLog.killed, opened(0xa)]
        #expect(judge(log) == .held)
    }

    @Test(arguments: [0xa, 0xb, 0xc] as [UInt64])
    func `a crash may leave any change that was asked for after the promise`(content: UInt64) {
        let log = [
            opened(0), requested(1, 0xa), committed(1), requested(2, 0xb), requested(3, 0xc),
            SmallLog.killed, opened(content),
        ]
        #expect(judge(log) == .held)
    }

    @Test func `an unused store is not applicable`() {
        #expect(judge([]) == .notApplicable(because: "the store was never used"))
    }

    @Test func `losing a promised change falls`() {
        let log = [
            opened(0), requested(1, 0xa), committed(1), requested(2, 0xb), committed(2),
            SmallLog.killed, opened(0xa),
        ]
        #expect(
            judge(log)
                == broken(
                    at: 6, expected: "the store holds the content b that it promised",
                    seen: "it holds a"))
    }

    @Test func `a promise covers what was asked for before it`() {
        let log = [
            opened(0), requested(1, 0xa), requested(2, 0xb), committed(2), SmallLog.killed,
            opened(0xa),
        ]
        #expect(
            judge(log)
                == broken(
                    at: 5, expected: "the store holds the content b that it promised",
                    seen: "it holds a"))
    }

    @Test func `content that nobody asked for falls`() {
        let log = [
            opened(0), requested(1, 0xa), committed(1), requested(2, 0xb), SmallLog.killed,
            opened(0xf),
        ]
        #expect(
            judge(log)
                == broken(
                    at: 5,
                    expected:
                        "the store holds the content a that it promised, or the content after "
                        + "one of the 1 later changes",
                    seen: "it holds f"))
    }

    @Test func `a first open of anything but an empty store falls`() {
        #expect(
            judge([opened(7)])
                == broken(
                    at: 0, expected: "the store holds the content 0 that it promised",
                    seen: "it holds 7"))
    }

    @Test func `what was opened counts as promised, and what a dead app asked for is void`() {
        let log = [
            opened(0), requested(1, 0xa), requested(2, 0xb), SmallLog.killed, opened(0xa),
            SmallLog.killed,
        ]
        for lost in [0, 0xb] as [UInt64] {
            #expect(
                judge(log + [opened(lost)])
                    == broken(
                        at: 6, expected: "the store holds the content a that it promised",
                        seen: "it holds \(String(lost, radix: 16))"))
        }
    }

    @Test func `a promise for a change that nobody asked for falls`() {
        let log = [opened(0), requested(1, 0xa), committed(2)]
        let expected = "the store confirms only changes that are requested and not yet confirmed"
        #expect(judge(log) == broken(at: 2, expected: expected, seen: "change 2 is confirmed"))
        let twice = [requested(1, 0xa), committed(1), committed(1)]
        #expect(judge(twice) == broken(at: 2, expected: expected, seen: "change 1 is confirmed"))
    }

    @Test(arguments: [
        "/var/mobile/video.mov", "Documents/../../video.mov", "../\u{301}v", "..", "",
    ])
    func `a path that is not relative to the container falls`(path: String) {
        #expect(
            judge([requested(1, 0xa, paths: ["Documents/a..b.mov", path])])
                == broken(
                    at: 0,
                    expected: "stored paths are relative to the container and stay inside it",
                    seen: "“\(path)” is handed to the store"))
    }

    private func requested(
        _ ticket: UInt64, _ content: UInt64, paths: [String] = ["Documents/a..b.mov"]
    ) -> RunEvent.Fact {
        .store(.requested(ticket: ticket, content: content, paths: paths))
    }
    private func committed(_ ticket: UInt64) -> RunEvent.Fact {
        .store(.committed(ticket: ticket))
    }
    private func opened(_ content: UInt64) -> RunEvent.Fact {
        .store(.opened(launch: 1, content: content, sessions: 1))
    }
    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: StoreSurvivesCrash(), to: facts)
    }
}
