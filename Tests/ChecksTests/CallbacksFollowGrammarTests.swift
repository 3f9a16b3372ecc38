import Quantities
import RunLog
import Testing

@testable import Checks

@Suite struct CallbacksFollowGrammarTests {
    private let name = "video.mov"
    private let begins: [SessionCallback] = [
        .willActivate, .didActivate, .willStartRunning, .didStartRunning,
    ]
    private let ends: [SessionCallback] = [
        .willStopRunning, .didStopRunning, .willDeactivate, .didDeactivate(.completed),
    ]
    private var moves: [SessionCallback] {
        [
            .didStartFile(name: name), SmallLog.progress(0), SmallLog.progress(50),
            SmallLog.progress(50), SmallLog.progress(100), .didStopFile(name: name),
        ]
    }

    @Test func `one activation with a file holds`() {
        #expect(judge(begins + moves + ends) == .held)
    }

    @Test func `a failure to connect and then a success hold (A2)`() {
        let fails: [SessionCallback] = [
            .willActivate, .didActivate, .willStartRunning, .didStopRunning,
        ]
        #expect(judge(fails + begins.dropFirst(2) + moves + ends) == .held)
    }

    @Test func `one source may go to two places within an attempt`() {
        #expect(judge(begins + moves + moves + ends) == .held)
    }

    @Test func `a kill cuts anywhere, and the next launch begins afresh`() {
        for cut in begins.indices {
            let log =
                [SmallLog.accepted()] + begins[...cut].map { SmallLog.told($0) }
                + [SmallLog.killed, SmallLog.launched]
                + (begins + ends).map { SmallLog.told($0) }
            #expect(answer(of: CallbacksFollowGrammar(), to: log) == .held)
        }
    }

    @Test func `an app that was told nothing is not applicable`() {
        #expect(judge([]) == .notApplicable(because: "there were no callbacks"))
    }

    @Test func `a second end of one activation falls`() {
        let log = begins + ends + [.didDeactivate(.completed)]
        #expect(
            judge(log)
                == broken(
                    at: 9, expected: "session 1: will activate",
                    seen: "session 1 did deactivate: completed"))
    }

    @Test func `a connection that failed never stops running first (A2)`() {
        let log = Array(begins.dropLast()) + [.willStopRunning]
        #expect(
            judge(log)
                == broken(
                    at: 4, expected: "session 1: did start running, or did stop running",
                    seen: "session 1 will stop running"))
    }

    @Test(
        arguments: [
            ([.didStartFile(name: "a"), .willStopRunning], "progress or the stop of a"),
            ([.didStartFile(name: "a"), .didStartFile(name: "b")], "progress or the stop of a"),
            ([.didStartFile(name: "a"), .didStopFile(name: "b")], "progress or the stop of a"),
            (
                [.didStartFile(name: "a"), SmallLog.progress(1, of: "b")],
                "progress or the stop of a"
            ),
            ([SmallLog.progress(1)], "the start of a file, or will stop running"),
            ([.didStopFile(name: "a")], "the start of a file, or will stop running"),
        ] as [([SessionCallback], String)])
    func `files move one by one and inside an attempt`(
        callbacks: [SessionCallback], expected: String
    ) throws {
        let last = try #require(callbacks.last)
        #expect(
            judge(begins + callbacks)
                == broken(
                    at: 4 + callbacks.count, expected: "session 1: \(expected)",
                    seen: "session 1 \(last.sentence)"))
    }

    @Test func `callbacks of a session that nobody enqueued fall`() {
        #expect(
            answer(of: CallbacksFollowGrammar(), to: [SmallLog.told(.willActivate)])
                == broken(
                    at: 0, expected: "callbacks only for accepted sessions",
                    seen: "session 1 will activate"))
    }

    @Test func `callbacks to a dead app fall`() {
        let log = [SmallLog.accepted(), SmallLog.killed, SmallLog.told(.willActivate)]
        #expect(
            answer(of: CallbacksFollowGrammar(), to: log)
                == broken(
                    at: 2, expected: "no callback to an app that is dead",
                    seen: "session 1 will activate"))
    }

    private func judge(_ callbacks: [SessionCallback]) -> Verdict.Answer {
        let log = [SmallLog.accepted()] + callbacks.map { SmallLog.told($0) }
        return answer(of: CallbacksFollowGrammar(), to: log)
    }
}
