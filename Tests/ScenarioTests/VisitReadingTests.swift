import Checks
import DocrootServer
import Quantities
import RunPlan
import Scenario
import Testing

/// Requests of other clients.
@Suite struct VisitReadingTests {
    private static func text(_ visit: String, entry: String = "  - 4 s: visit other") -> String {
        ValidScenario.text(with: 16, replacedBy: "\(entry)\n  - 4 s: app killed")
            + "visits: { other: \(visit) }\n"
    }

    private static func sent(_ visit: String) throws -> String {
        let scenario = try Scenario.read(text: text(visit), path: "x.yaml")
        return String(decoding: scenario.plan().visits[0].bytes, as: UTF8.self)
    }

    @Test func `the host and the length are added to a head`() throws {
        #expect(
            try Self.sent("{ ask: PUT /dav/a, fields: { If-Match: '\"v1\"' }, body: 'a b ' }")
                == "PUT /dav/a HTTP/1.1\r\nHost: docroot\r\nIf-Match: \"v1\"\r\n"
                + "Content-Length: 4\r\n\r\na b ")
        #expect(
            try Self.sent("{ ask: GET /dav/a, fields: { host: other } }")
                == "GET /dav/a HTTP/1.1\r\nhost: other\r\n\r\n")
        #expect(
            try Self.sent("{ ask: PUT /dav/a, fields: { Transfer-Encoding: chunked }, size: 3 B }")
                == "PUT /dav/a HTTP/1.1\r\nHost: docroot\r\nTransfer-Encoding: chunked\r\n\r\nxxx")
    }

    @Test func `raw bytes are sent as they stand`() throws {
        #expect(
            try Self.sent(#"{ raw: 'A \\ \r\n\t\x41\x00' }"#) == "A \\ \r\n\tA\0")
    }

    @Test func `how it is sent`() throws {
        let text = Self.text(
            "{ ask: GET /a, connection: one, piece: 3 B, pause: 2 s, hangs-up: yes }")
        let plan = try Scenario.read(text: text, path: "x.yaml").plan()
        let visit = plan.visits[0]
        #expect(visit.connection == "one" && visit.hangsUp)
        #expect(visit.pieces == Visit.Pieces(size: 3, pause: .seconds(2)))
        #expect(plan.timeline.first?.action == .visit("other"))
    }

    @Test func `what must be answered is an expectation`() throws {
        let rows: [(String, VisitDemand?)] = [
            ("answer: 412", demand([412])), ("answer: [100, 201]", demand([100, 201])),
            ("answer: none", demand([])), ("hangs-up: yes", nil),
            (
                "with: { ETag: none }, holds: x, answer-size: 2 B",
                VisitDemand(
                    visit: "other", statuses: nil, fields: [.init(name: "ETag", value: nil)],
                    text: "x", size: ByteCount(2))
            ),
        ]
        for (words, wanted) in rows {
            let text = Self.text("{ ask: GET /a, \(words) }")
            let plans = try Scenario.read(text: text, path: "x.yaml").expectations.map(\.plan)
            #expect(plans.contains { $0.isAboutVisits } == (wanted != nil), "\(words)")
            if let wanted { #expect(plans.contains(.visitIsAnswered(wanted)), "\(words)") }
        }
    }

    @Test(
        arguments: [
            ("{ answer: 200 }", "the visit “other” asks nothing"),
            ("{ ask: GET }", "“GET” is not a method and a target"),
            ("{ ask: GET /a, body: b, size: 1 B }", "“body” and “size” are two bodies"),
            ("{ raw: GET, body: b }", "“raw” is all that is sent"),
            (#"{ raw: '\q' }"#, "a backslash begins nothing that is known here"),
            ("{ ask: GET /a, piece: 0 B }", "nothing would ever be sent"),
            ("{ ask: GET /a, answer: 99 }", "“99” is out of range"),
            ("{ ask: GET /a, pause: 2 s }", "“pause” comes after each piece, and there are none"),
            (
                "{ ask: GET /a, answer: none, holds: x }",
                "“answer: none” leaves nothing that could have fields or a body"
            ),
            ("{ ask: PUT /a, size: 17 MB }", "17 MB is too long for a visit"),
        ])
    func `a mistake is told at its place`(visit: String, message: String) {
        #expect(ValidScenario.diagnostics(of: Self.text(visit)).map(\.message) == [message])
    }

    @Test func `an unknown visit is told`() {
        let text = Self.text("{ ask: GET /a }", entry: "  - 4 s: visit othr")
        #expect(
            ValidScenario.diagnostics(of: text).map(\.message) == ["there is no visit “othr”"])
    }

    @Test func `the server's settings are read`() throws {
        let text = ValidScenario.text(
            with: 5,
            replacedBy: "server: { connections: 2, longest-body: 1 MB, patience: { request: 3 s, "
                + "progress: 4 s }, accounts: { ada: { password: p, folder: a/b, quota: 9 B } } }")
        let settings = try Scenario.read(text: text, path: "x.yaml").plan().serverSettings
        #expect(settings.connectionsLimit == 2)
        #expect(settings.bodyLimit == ByteCount(1_000_000))
        #expect(settings.patience?.request == .seconds(3))
        #expect(settings.patience?.progress == .seconds(4))
        #expect(settings.accounts.map(\.name) == ["ada"])
        #expect(settings.accounts.first?.docroot.text == "a/b")
        #expect(settings.accounts.first?.quota == ByteCount(9))
    }

    @Test func `a field of an answer is read`() throws {
        let rows: [(String, String)] = [
            (
                "'send the field Retry-After: Sun, 06 Nov 1994'",
                "the answer says Retry-After: Sun, 06 Nov 1994"
            ),
            ("send no field ETag", "there is no ETag"),
        ]
        for (words, sentence) in rows {
            let text = ValidScenario.text(
                with: 5, replacedBy: "server: { faults: { odd: { do: \(words) } } }")
            let sentences = try Scenario.read(text: text, path: "x.yaml").sentences
            #expect(sentences.contains { $0.contains(sentence) }, "\(words)")
        }
        for (words, message) in [
            ("send the field ETag", "“ETag” has no colon"),
            ("'send the field a b: c'", "“a b” is not the name of a field"),
        ] {
            let text = ValidScenario.text(
                with: 5, replacedBy: "server: { faults: { odd: { do: \(words) } } }")
            #expect(ValidScenario.diagnostics(of: text).map(\.message) == [message])
        }
    }

    private func demand(_ statuses: [Int]) -> VisitDemand {
        VisitDemand(visit: "other", statuses: statuses, fields: [], text: nil, size: nil)
    }
}

extension ExpectationPlan {
    fileprivate var isAboutVisits: Bool { if case .visitIsAnswered = self { true } else { false } }
}
