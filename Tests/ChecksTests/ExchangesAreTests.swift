import Checks
import Quantities
import RunLog
import Testing

/// Expectations of what apps ask, and of what is left on the server.
@Suite struct ExchangesAreTests {
    private static let log = [
        request("POST"), responds(201), request("PATCH"), request("HEAD", on: 2),
        responds(200, on: 2),
        request("PATCH", on: 2), responds(204, on: 2), SmallLog.runEnds,
    ]

    @Test func `all exchanges are as said, in the order of their requests`() {
        let wanted = [
            Exchange("POST", 201), Exchange("PATCH", nil), Exchange("HEAD", 200),
            Exchange("PATCH", 204),
        ]
        #expect(judge(.exchanges(wanted)) == .held)
        #expect(
            judge(.exchanges(Array(wanted.dropLast())))
                == broken(
                    at: 7, expected: "the exchanges are POST 201, PATCH unanswered, HEAD 200",
                    seen: "they are POST 201, PATCH unanswered, HEAD 200, PATCH 204"))
    }

    @Test func `of many exchanges the first that differs is named`() {
        let many = (0..<7).flatMap { _ in [Self.request("POST"), Self.responds(201)] }
        let wanted = Array(repeating: Exchange("POST", 201), count: 6) + [Exchange("POST", nil)]
        let log = many + many + [SmallLog.runEnds]
        guard case .broken(let breach) = judge(.exchanges(wanted), log) else {
            return #expect(Bool(false), "it held")
        }
        #expect(breach.seen == "there are 14, and number 7 is POST 201")
    }

    @Test func `two apps may give their connections the same name`() {
        let plan = ExpectationPlan.exchanges([Exchange("GET", 404), Exchange("PUT", 201)])
        let log: [(app: UInt16?, fact: RunEvent.Fact)] = [
            (1, Self.request("GET")), (2, Self.request("PUT")), (1, Self.responds(404)),
            (2, Self.responds(201)), (nil, SmallLog.runEnds),
        ]
        #expect(answer(of: plan.check(words: "so", place: "a.yaml:1:1"), toAll: log) == .held)
    }

    @Test func `requests are counted by method`() {
        #expect(judge(.happens(.request("PATCH"), .exactly(2))) == .held)
        #expect(
            judge(.happens(.request("PATCH"), .atMost(1)))
                == broken(
                    at: 5, expected: "an app asks PATCH at most once",
                    seen: "an app asks PATCH 2 times, at 0.002 s, 0.005 s"))
    }

    @Test func `what was neither published nor discarded is left`() {
        let second = ResourceName("/tus/2")
        let third = ResourceName("/tus/3")
        let log = [
            SmallLog.created(), SmallLog.created(second), SmallLog.created(third),
            SmallLog.published([]), .server(.discarded(second, why: "its time is up")),
            SmallLog.runEnds,
        ]
        #expect(judge(.uploadsLeft(1), log) == .held)
        #expect(
            judge(.uploadsLeft(0), log)
                == broken(
                    at: 5, expected: "0 unfinished uploads are left on the server",
                    seen: "/tus/3 for in/video.mov"))
    }

    private func judge(_ plan: ExpectationPlan, _ log: [RunEvent.Fact] = log) -> Verdict.Answer {
        answer(of: plan.check(words: "so much", place: "a.yaml:1:1"), to: log)
    }

    private static func request(_ method: String, on number: UInt32 = 1) -> RunEvent.Fact {
        let connection = ConnectionName(launch: 1, number: number)
        return .connection(.request(connection, method: method, target: "/tus/1"))
    }

    private static func responds(_ status: Int, on number: UInt32 = 1) -> RunEvent.Fact {
        .connection(.response(ConnectionName(launch: 1, number: number), status: status))
    }
}
