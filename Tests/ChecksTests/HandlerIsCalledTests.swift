import Checks
import Quantities
import RunLog
import Testing

/// `the handler is called within T`, with an event each millisecond.
@Suite struct HandlerIsCalledTests {
    private typealias Entry = (app: UInt16?, fact: RunEvent.Fact)
    private static let expected =
        "an app that gets a completion handler for background events calls it within 2 ms"

    private func judge(_ log: [Entry]) -> Verdict.Answer {
        let plan = ExpectationPlan.handlerIsCalled(within: .milliseconds(2))
        return answer(of: plan.check(words: "in time", place: "a.yaml:1:1"), toAll: log)
    }

    private static func given(_ session: String = "uploads", to app: UInt16? = nil) -> Entry {
        (app, .background(.handleEvents(session: session)))
    }

    private static func called(_ session: String = "uploads", by app: UInt16? = nil) -> Entry {
        (app, .background(.handlerCalled(session: session)))
    }

    private static let other: Entry = (nil, .background(.woken))
    private static let end: Entry = (nil, SmallLog.runEnds)

    @Test func `a handler is called in time, each time`() {
        let log = [Self.given(), Self.other, Self.called(), Self.given(), Self.called(), Self.end]
        #expect(judge(log) == .held)
    }

    @Test func `a handler that is called too late fails there`() {
        let log = [Self.given(), Self.other, Self.other, Self.called(), Self.end]
        #expect(
            judge(log)
                == broken(
                    at: 3, expected: Self.expected,
                    seen: "the handler of “uploads” is called after 3 ms"))
    }

    @Test func `one app or session does not call for another`() {
        let logs = [
            [Self.given(), Self.called(by: 2), Self.end],
            [Self.given(), Self.called("downloads"), Self.end],
        ]
        for log in logs {
            #expect(
                judge(log)
                    == broken(
                        at: 2, expected: Self.expected,
                        seen: "the handler of “uploads”, given at 0 s, is never called"))
        }
    }

    @Test func `a run without a handler shows nothing`() {
        #expect(
            judge([Self.other, Self.end])
                == broken(at: 1, expected: Self.expected, seen: "no app gets a handler"))
    }
}
