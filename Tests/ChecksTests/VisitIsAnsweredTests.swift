import Checks
import Quantities
import RunLog
import Testing

/// What the answer to another client's request must be.
@Suite struct VisitIsAnsweredTests {
    private static let begins = RunEvent.Fact.server(.visited("v", request: "GET /a"))

    private static func reply(
        _ status: Int, _ fields: String = "", body: UInt64 = 3, text: String? = "abc"
    ) -> RunEvent.Fact {
        .server(
            .visitAnswered(
                "v", head: "HTTP/1.1 \(status) X\r\n\(fields)\r\n", body: ByteCount(body),
                text: text))
    }

    private static let over = RunEvent.Fact.server(.visitUnanswered("v"))

    private func judge(_ log: [RunEvent.Fact], _ demand: VisitDemand) -> String? {
        let plan = ExpectationPlan.visitIsAnswered(demand)
        let all = log + [SmallLog.runEnds]
        switch answer(of: plan.check(words: "so", place: "a.yaml:1:1"), to: all) {
        case .broken(let breach): return breach.seen
        default: return nil
        }
    }

    private func demand(
        _ statuses: [Int]?, _ fields: [(String, String?)] = [], text: String? = nil,
        size: UInt64? = nil
    ) -> VisitDemand {
        VisitDemand(
            visit: "v", statuses: statuses,
            fields: fields.map { .init(name: $0.0, value: $0.1) }, text: text,
            size: size.map { ByteCount($0) })
    }

    @Test func `the status is the one that is wanted`() {
        #expect(judge([Self.begins, Self.reply(200)], demand([200])) == nil)
        #expect(
            judge([Self.begins, Self.reply(404)], demand([200])) == "it is answered 404: abc")
        let invited = [Self.begins, Self.reply(100), Self.reply(201)]
        #expect(judge(invited, demand([100, 201])) == nil)
        #expect(judge(invited, demand([201])) == "it is answered 100, then 201: abc")
    }

    @Test func `the fields and the body are the ones that are wanted`() {
        let log = [Self.begins, Self.reply(206, "etag:  \"v1\"\r\n")]
        #expect(judge(log, demand(nil, [("ETag", "\"v1\""), ("Age", nil)])) == nil)
        #expect(judge(log, demand(nil, [("ETag", "\"v2\"")])) == "the answer has ETag: \"v1\"")
        #expect(judge(log, demand(nil, [("ETag", nil)])) == "the answer has ETag: \"v1\"")
        #expect(judge(log, demand(nil, [("Age", "1")])) == "the answer has no Age")
        #expect(judge(log, demand(nil, text: "bc", size: 3)) == nil)
        #expect(judge(log, demand(nil, text: "cb")) == "the body is “abc”")
        #expect(judge(log, demand(nil, size: 4)) == "the body has 3 B")
    }

    @Test func `it takes place, and is answered or not, as it is wanted`() {
        #expect(judge([], demand([200])) == "the visit does not take place")
        #expect(judge([Self.begins], demand([200])) == "it is not answered by the run's end")
        let log = [Self.begins, Self.over]
        #expect(judge(log, demand([200])) == "its connection ends without an answer")
        #expect(judge(log, demand([])) == nil)
        #expect(judge([Self.begins, Self.reply(200)], demand([])) == "it is answered 200: abc")
        let twice = [Self.begins, Self.reply(200), Self.begins, Self.reply(503)]
        #expect(judge(twice, demand([200])) == "it is answered 503: abc")
    }
}
