import DocrootServer
import Quantities
import RunPlan
import Scenario
import Testing

/// The language of faults, in a file of their own and in a scenario.
@Suite struct FaultReadingTests {
    static func read(_ rule: String) -> Result<[FaultRule], ScenarioError> {
        Result { () throws(ScenarioError) in
            try FaultFile.read(Array("faults:\n  odd: \(rule)\n".utf8), path: "x.faults.yaml")
        }
    }

    static let deeds: [(words: String, fault: Fault, point: FaultPoint)] = [
        ("answer 404", .answer(status: 404, nil), .request),
        ("answer 503 with retry after 2 min", .answer(status: 503, .seconds(120)), .request),
        (
            "answer 429 with retry date after 5 s", .answer(status: 429, .date(afterSeconds: 5)),
            .request
        ),
        ("reset", .reset, .request), ("close", .close, .request),
        ("lose the answer", .loseAnswer, .answer), ("repeat the answer", .repeatAnswer, .answer),
        ("send objects in chunks", .sendInChunks, .answer),
        ("stall", .stall(nil), .answer), ("stall for 10 s", .stall(.seconds(10)), .answer),
        (
            "take bodies at 100 kbit/s", .slow(Bitrate(bitsPerSecond: 100_000)),
            .received(.zero)
        ),
        ("send objects at 1 Mbit/s", .slow(Bitrate(bitsPerSecond: 1_000_000)), .sent(.zero)),
        ("ignore ranges", .ignore(.ranges), .request),
        ("ignore range conditions", .ignore(.rangeConditions), .request),
        ("ignore idempotency keys", .ignore(.idempotencyKeys), .request),
        ("send another range", .sendAnotherRange(.least), .request),
        (
            "send another range 4 kB earlier",
            .sendAnotherRange(.earlier(ByteCount(4_000))), .request
        ),
        (
            "send another range 1 MB later", .sendAnotherRange(.later(ByteCount(1_000_000))),
            .request
        ),
        ("send a wrong content-range", .sendWrongContentRange, .answer),
        ("send another etag", .sendAnotherTag, .answer),
        ("send no etag", .sendField("ETag", nil), .answer),
        ("expire the token", .expireToken, .request),
        ("keep broken uploads locked for 30 s", .keepLock(.seconds(30)), .request),
        ("fill the disk", .fillDisk, .received(.zero)),
        ("limit what is kept to 10 MB", .quota(ByteCount(10_000_000)), .request),
        ("set the clock 1 h ahead", .clock(aheadBy: 3_600), .switching),
        ("set the clock 30 s back", .clock(aheadBy: -30), .switching),
        ("send a bad status line", .malformed(.statusLine), .answer),
        ("send a header without colon", .malformed(.headerWithoutColon), .answer),
        ("send a wrong content-length", .malformed(.wrongContentLength), .answer),
        ("send two content-lengths", .malformed(.twoContentLengths), .answer),
        ("send a bad chunk", .malformed(.badChunk), .answer),
        ("send half a head", .malformed(.halfHead), .answer),
        ("send garbage", .malformed(.garbage), .answer),
    ]

    @Test(arguments: deeds)
    func `a sentence says what goes wrong`(words: String, fault: Fault, point: FaultPoint) throws {
        let rules = try Self.read("{ do: \(words) }").get()
        #expect(rules == [FaultRule(name: "odd", fault, at: point)])
    }

    static let restarts: [(words: String, pause: TimeSpan, keepsStaging: Bool)] = [
        ("restart", .zero, true), ("restart after 2 s", .seconds(2), true),
        ("restart without staging", .zero, false),
        ("restart after 2 s without staging", .seconds(2), false),
    ]

    @Test(arguments: restarts)
    func `a restart comes at a moment, by a switch or by a request`(
        words: String, pause: TimeSpan, keepsStaging: Bool
    ) throws {
        let fault = Fault.restart(after: pause, keepsStaging: keepsStaging)
        let later = try Self.read("{ do: \(words), from: 20 s }").get()
        #expect(later == [FaultRule(name: "odd", fault, from: .start + .seconds(20))])
        let off = try Self.read("{ do: \(words), starts: off }").get()
        #expect(off == [FaultRule(name: "odd", fault, from: nil)])
        let asked = try Self.read("{ do: \(words), at: request, method: PUT }").get()
        #expect(
            asked == [FaultRule(name: "odd", fault, at: .request, route: FaultRoute(method: "PUT"))]
        )
    }

    static let losses: [(words: String, steps: UInt64?, pause: TimeSpan)] = [
        ("lose power", nil, .zero), ("lose power for 2 s", nil, .seconds(2)),
        ("lose power in 3 disk steps", 3, .zero),
        ("lose power in 12 disk steps for 2 s", 12, .seconds(2)),
    ]

    @Test(arguments: losses)
    func `power is lost at once or after some steps of the disk`(
        words: String, steps: UInt64?, pause: TimeSpan
    ) throws {
        let fault = Fault.losePower(inSteps: steps, for: pause)
        let off = try Self.read("{ do: \(words), starts: off }").get()
        #expect(off == [FaultRule(name: "odd", fault, from: nil)])
        let asked = try Self.read("{ do: \(words), at: answer, method: PATCH }").get()
        let route = FaultRoute(method: "PATCH")
        #expect(asked == [FaultRule(name: "odd", fault, at: .answer, route: route)])
        #expect(throws: ScenarioError.self) { try Self.read("{ do: \(words) }").get() }
    }

    @Test func `the disk does one step at least before the power fails`() {
        #expect(throws: ScenarioError.self) {
            try Self.read("{ do: lose power in 0 disk steps, from: 1 s }").get()
        }
    }

    @Test func `keys say where, in which requests, how often and when`() throws {
        let rules = try Self.read(
            """
            { do: reset, at: 1 MB received, front-end: tus, method: PATCH, path: "/tus/*",
              user: ada, client: 10.0.0.0/8, connection: 2, requests: 2 to 4, chance: 50 %,
              times: 3, from: 5 s,
              until: 8 s }
            """
        ).get()
        let chance = try #require(Probability(percent: 50))
        #expect(
            rules == [
                FaultRule(
                    name: "odd", .reset, at: .received(ByteCount(1_000_000)),
                    route: FaultRoute(
                        frontEnd: .tus, method: "PATCH", path: "/tus/*", user: "ada",
                        client: ClientNetwork(ClientAddress(0x0a00_0000), prefix: 8),
                        connection: 2),
                    occasion: FaultOccasion(first: 2, last: 4, chance: chance, times: 3),
                    from: .start + .seconds(5), until: .start + .seconds(8))
            ])
    }

    @Test func `one client is chosen by its address alone`() throws {
        let rules = try Self.read("{ do: reset, client: 192.168.1.7 }").get()
        let client = ClientNetwork(ClientAddress(0xc0a8_0107))
        #expect(rules.map(\.route) == [FaultRoute(client: client)])
        #expect("\(client)" == "192.168.1.7")
    }

    static let noClients: [(words: String, meant: String?)] = [
        ("10.0.0", "“10.0.0.0/24”"), ("10.0.0.*", "“10.0.0.0/24”"), ("10.*", "“10.0.0.0/8”"),
        ("10.1.2.3/8", "“10.0.0.0/8”"), ("localhost", "“127.0.0.1”"),
        ("10.0.0.7:8080", "“10.0.0.7”"), ("10.0.0.256", nil), ("010.0.0.1", nil), ("phone", nil),
        ("10.0.0.0/33", nil), ("10.0.0.0/+8", nil), ("10.0.0.0/", nil), ("fd00::2", nil),
        ("1.2.3.4.5", nil), ("10.0..1", nil),
    ]

    @Test(arguments: noClients)
    func `what is no address is said to be none, and what was meant`(
        words: String, meant: String?
    ) throws {
        guard case .failure(let error) = Self.read("{ do: reset, client: '\(words)' }") else {
            Issue.record("\(words) is taken for an address")
            return
        }
        #expect(error.description.contains("“\(words)” is not a client's address"))
        #expect(error.description.contains("did you mean") == (meant != nil), "\(error)")
        if let meant { #expect(error.description.contains("did you mean \(meant)"), "\(error)") }
    }

    static let occasions: [(words: String, occasion: FaultOccasion)] = [
        ("3", FaultOccasion(first: 3, last: 3)), ("2 to 4", FaultOccasion(first: 2, last: 4)),
        ("every 5", FaultOccasion(first: 5, period: 5)),
        ("from 7 on", FaultOccasion(first: 7)),
    ]

    @Test(arguments: occasions)
    func `requests are chosen by their number`(words: String, occasion: FaultOccasion) throws {
        let rules = try Self.read("{ do: reset, requests: \(words) }").get()
        #expect(rules.map(\.occasion) == [occasion])
    }

    // MARK: Mistakes

    static let mistakes: [(rule: String, at: String, message: String, more: String)] = [
        ("{ at: answer }", "2:8", "a fault needs the key “do”", "do: answer 503"),
        ("reset", "2:8", "a single value where a mapping of keys to values is needed", "do"),
        ("{ do: rest }", "2:14", "“rest” is not something that can go wrong", "answer N"),
        (
            "{ do: loose the answer }", "2:14",
            "“loose the answer” is not something that can go wrong", "“lose the answer”"
        ),
        ("{ do: answer 99 }", "2:21", "“99” is not a status for an answer", "200 to 599"),
        ("{ do: answer 600 }", "2:21", "“600” is not a status for an answer", "200 to 599"),
        ("{ do: answer no }", "2:21", "“no” is not a whole number", "status"),
        (
            "{ do: answer 503 with retry after 1500 ms }", "2:42",
            "“1500 ms” is not a whole number of seconds", "5 s"
        ),
        ("{ do: stall for 10 }", "2:24", "“10” has no unit", "250 ms"),
        ("{ do: take bodies at 0 bit/s }", "2:29", "a rate of zero", "1 bit/s"),
        ("{ do: reset, att: answer }", "2:21", "a fault has no key “att”", "“at”"),
        ("{ do: reset, at: anser }", "2:25", "“anser” is not a point of a request", "answer"),
        ("{ do: reset, at: 1 MB recieved }", "2:25", "“1 MB recieved” is not a point", "received"),
        (
            "{ do: ignore ranges, at: answer }", "2:33",
            "“ignore ranges” cannot happen at that point",
            "request"
        ),
        (
            "{ do: send garbage, at: 1 MB sent }", "2:32",
            "“send garbage” cannot happen at that point",
            "answer"
        ),
        (
            "{ do: set the clock 1 h ahead, at: request }", "2:43",
            "“set the clock 1 h ahead” cannot happen at that point", "when it is switched on"
        ),
        (
            "{ do: set the clock 1 h ahead, method: PUT }", "2:14",
            "“set the clock 1 h ahead” does not concern requests", "no key that chooses requests"
        ),
        (
            "{ do: lose the answer, method: GET }", "2:14", "“lose the answer” cannot affect GET",
            "“reset” with “at: answer”"
        ),
        ("{ do: restart }", "2:14", "the server would restart at 0 s", "starts: off"),
        (
            "{ do: restart, method: PUT }", "2:14", "“restart” does not concern requests",
            "at: request"
        ),
        ("{ do: reset, front-end: tuss }", "2:32", "there is no front end “tuss”", "“tus”"),
        ("{ do: reset, method: patch }", "2:29", "“patch” is not a method", "“PATCH”"),
        ("{ do: reset, path: dav/* }", "2:27", "“dav/*” is not a path of a request", "“/dav/*”"),
        ("{ do: reset, connection: 0 }", "2:33", "“0” is out of range", "second connection"),
        ("{ do: reset, requests: 0 }", "2:31", "there is no request 0", "from 1 on"),
        ("{ do: reset, requests: 4 to 2 }", "2:36", "2 comes before 4", "lower"),
        ("{ do: reset, requests: evry 2 }", "2:31", "“evry 2” is not a whole number", "every 5"),
        ("{ do: reset, chance: 0.5 }", "2:29", "“0.5” has no unit", "50 %"),
        ("{ do: reset, times: 0 }", "2:28", "“0” is out of range", "how often"),
        ("{ do: reset, from: 5 }", "2:27", "“5” has no unit", "250 ms"),
        ("{ do: reset, from: 5 s, until: 5 s }", "2:39", "it ends before it begins", "from"),
        ("{ do: reset, from: 5 s, starts: off }", "2:40", "“from” says when it starts", "one"),
        ("{ do: reset, starts: of }", "2:29", "“of” is neither on nor off", "off"),
    ]

    @Test(arguments: mistakes)
    func `a mistake has its place, its words and a way out`(
        rule: String, at: String, message: String, more: String
    ) {
        guard case .failure(let error) = Self.read(rule) else {
            Issue.record("“\(rule)” was read")
            return
        }
        #expect(error.diagnostics.count == 1, "\(error)")
        let words = error.description
        #expect(words.hasPrefix("x.faults.yaml:\(at): error: \(message)"), "\(words)")
        #expect(words.contains(more), "\(words)")
    }

    static let files: [(text: String, message: String)] = [
        ("", "the file is empty"), ("faults:\n", "nothing where a mapping"),
        ("fault: { odd: { do: reset } }\n", "a file of faults has no key “fault”"),
        ("faults: [reset]\n", "a list where a mapping"),
        ("faults: { odd: { do: reset }, odd: { do: close } }\n", "is given twice"),
        ("faults: { '': { do: reset } }\n", "is not a name for a fault"),
        ("faults: { a  b: { do: reset } }\n", "is not a name for a fault"),
        ("faults: { *a: { do: reset } }\n", "alias"),
    ]

    @Test(arguments: files)
    func `a file that is none is refused`(text: String, message: String) {
        do {
            _ = try FaultFile.read(Array(text.utf8), path: "x.faults.yaml")
            Issue.record("it was read")
        } catch {
            #expect(error.description.contains(message), "\(error)")
        }
    }

    // MARK: In a scenario

    private func scenario(_ server: String, _ timeline: String) -> String {
        ValidScenario.text.replacing(
            "timeline:\n", with: "server:\n  faults:\n    \(server)\ntimeline:\n\(timeline)")
    }

    @Test func `a scenario has them under its server, and its timeline switches them`() throws {
        let text = scenario(
            "disk full: { do: fill the disk, starts: off }",
            "  - 1 s: fault disk full on\n  - 2 s: fault disk full off\n")
        let plan = try Scenario.read(text: text, path: "x.yaml").plan()
        #expect(plan.faults == [FaultRule(name: "disk full", .fillDisk, from: nil)])
        #expect(
            plan.timeline.prefix(2) == [
                TimelineEntry(at: .start + .seconds(1), .switchFault("disk full", on: true)),
                TimelineEntry(at: .start + .seconds(2), .switchFault("disk full", on: false)),
            ])
    }

    @Test func `a switch for a fault that nobody knows is a mistake`() {
        let text = scenario(
            "disk full: { do: fill the disk, starts: off }", "  - 1 s: fault disc full on\n")
        let seen = ValidScenario.diagnostics(of: text)
        #expect(seen.map(\.message) == ["there is no fault “disc full”"])
        #expect(seen.first?.suggestion == "“disk full”")
    }

    @Test func `a report says in plain words what goes wrong`() throws {
        let text = scenario(
            """
            busy: { do: answer 503 with retry after 5 s, method: PATCH, path: /tus/*, times: 1 }
                cut: { do: reset, at: 1 MB received, requests: 2 to 4, from: 5 s, until: 8 s }
                full: { do: fill the disk, starts: off }
                crash: { do: restart after 2 s without staging, from: 1 min }
            """, "")
        let sentences = try Scenario.read(text: text, path: "x.yaml").sentences
        #expect(
            sentences.filter { $0.hasPrefix("Fault") } == [
                "Fault “busy”: the answer is 503, to be tried again after 5 s before anything is "
                    + "done; PATCH alone; at /tus/*; once.",
                "Fault “cut”: the connection is reset after 1 MB of a body; requests 2 to 4; on"
                    + " from 5 s to 8 s.",
                "Fault “full”: the disk is full after 0 B of a body; off until it is switched on.",
                "Fault “crash”: the server restarts after 2 s, and what is staged is lost; on from"
                    + " 60 s.",
            ])
    }

    @Test func `a server may keep unfinished uploads for a while`() throws {
        let text = ValidScenario.text(with: 5, replacedBy: "server: { uploads-expire-after: 1 h }")
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(scenario.server.uploadLifetime == .seconds(3_600))
        #expect(scenario.plan().serverSettings.uploadLifetime == .seconds(3_600))
        #expect(scenario.sentences.contains("The server keeps an unfinished upload for 60 min."))
        let wrong = ValidScenario.text(with: 5, replacedBy: "server: { uploads-expire-after: 0 s }")
        #expect(
            ValidScenario.diagnostics(of: wrong).map(\.message) == [
                "an upload would expire at once"
            ])
    }
}
