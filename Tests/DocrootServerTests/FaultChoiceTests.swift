import Content
import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// Which requests a fault chooses, and when.
@Suite struct FaultChoiceTests {
    private func busy(
        _ route: FaultRoute = FaultRoute(), _ occasion: FaultOccasion = FaultOccasion(),
        from: Instant? = .start, until: Instant? = nil
    ) -> FaultRule {
        FaultRule(
            name: "busy", .answer(status: 503, nil), route: route, occasion: occasion, from: from,
            until: until)
    }

    /// Which of so many requests are answered with 503, counted from 1.
    private func hits(_ bench: DocrootBench, of count: Int) -> [Int] {
        (1...count).filter { _ in bench.ask("GET", "/dav/a")?.status == 503 }
    }

    static let routes: [(route: FaultRoute, takes: [Bool])] = [
        (FaultRoute(), [true, true, true, true]),
        (FaultRoute(frontEnd: .tus), [false, false, true, false]),
        (FaultRoute(frontEnd: .kii), [false, false, false, true]),
        (FaultRoute(method: "GET"), [true, false, false, true]),
        (FaultRoute(path: "/dav/a"), [true, true, false, false]),
        (FaultRoute(path: "/dav/*"), [true, true, false, false]),
        (FaultRoute(path: "*/objects/*"), [false, false, false, true]),
        (FaultRoute(frontEnd: .dav, method: "PUT", path: "*a"), [false, true, false, false]),
        (FaultRoute(connection: 1), [true, true, true, true]),
        (FaultRoute(connection: 2), [false, false, false, false]),
    ]

    @Test(arguments: routes)
    func `a fault is about some routes`(route: FaultRoute, takes: [Bool]) {
        let bench = DocrootBench(busy(route))
        let asked = [
            bench.ask("GET", "/dav/a"), bench.ask("PUT", "/dav/a"), bench.ask("HEAD", "/tus/1"),
            bench.ask("GET", KiiTests.body),
        ]
        #expect(asked.map { $0?.status == 503 } == takes)
    }

    @Test func `a fault is about somebody`() {
        let people = ["ada", "bob"].map {
            ServerUser(
                name: $0, password: nil, tokens: [.init(text: "t-\($0)", expires: nil)],
                docroot: .root, quota: nil)
        }
        let bench = DocrootBench(busy(FaultRoute(user: "bob")), accounts: people)
        let statuses = ["t-ada", "t-bob", "t-nobody"].map {
            bench.ask("GET", "/dav/a", [("Authorization", "Bearer \($0)")])?.status
        }
        #expect(statuses == [404, 503, 401])
    }

    static let networks: [(network: ClientNetwork, takes: [Bool])] = [
        (ClientNetwork(ClientAddress(0x0a01_0207)), [true, false, false, false]),
        (ClientNetwork(ClientAddress(0x0a01_0200), prefix: 24), [true, true, false, false]),
        (ClientNetwork(ClientAddress(0x0a00_0000), prefix: 8), [true, true, true, false]),
        (ClientNetwork(ClientAddress(0xffff_ffff), prefix: 0), [true, true, true, true]),
    ]

    @Test(arguments: networks)
    func `a fault is about whoever comes from some addresses`(
        network: ClientNetwork, takes: [Bool]
    ) {
        let bench = DocrootBench(busy(FaultRoute(client: network)))
        let addresses: [UInt32] = [0x0a01_0207, 0x0a01_02ff, 0x0aff_0000, 0x0b00_0000]
        for (index, address) in addresses.enumerated() {
            bench.connect(UInt32(index + 1), from: ClientAddress(address))
        }
        let statuses = (1...4).map { bench.ask("GET", "/dav/a", on: $0)?.status }
        #expect(statuses.map { $0 == 503 } == takes)
    }

    static let patterns: [(text: String, pattern: String, fits: Bool)] = [
        ("/a", "/a", true), ("/a", "/b", false), ("/a", "/", false), ("/", "/a", false),
        ("/a/b", "/*", true), ("/a/b", "*", true), ("", "*", true), ("", "", true),
        ("/a/b", "/*b", true), ("/a/b", "/*c", false), ("/aab", "/*ab", true),
        ("/abcabd", "*ab*d", true), ("/x", "/x**", true), ("/ü", "/*", true), ("/a", "/a*b", false),
    ]

    @Test(arguments: patterns)
    func `a star stands for anything`(text: String, pattern: String, fits: Bool) {
        #expect(FaultRoute.matches(text, pattern) == fits)
    }

    @Test func `a pattern of many stars takes no longer for it`() {
        let text = String(repeating: "a", count: 10_000)
        #expect(!FaultRoute.matches(text, String(repeating: "*a", count: 100) + "*b"))
    }

    static let occasions: [(occasion: FaultOccasion, hits: [Int])] = [
        (FaultOccasion(), Array(1...10)), (FaultOccasion(first: 3, last: 3), [3]),
        (FaultOccasion(first: 2, last: 4), [2, 3, 4]), (FaultOccasion(first: 9), [9, 10]),
        (FaultOccasion(first: 3, period: 3), [3, 6, 9]), (FaultOccasion(times: 2), [1, 2]),
        (FaultOccasion(first: 2, period: 2, times: 2), [2, 4]),
        (FaultOccasion(chance: .never), []),
    ]

    @Test(arguments: occasions)
    func `a fault is about some of the requests`(occasion: FaultOccasion, hits: [Int]) {
        #expect(self.hits(DocrootBench(busy(FaultRoute(), occasion)), of: 10) == hits)
    }

    @Test func `chance has a stream of its own, and the seed says all`() throws {
        let half = FaultOccasion(chance: try #require(Probability(percent: 50)))
        func drawn(_ rules: [FaultRule], seed: UInt64) -> [Int] {
            let bench = DocrootBench(ServerSettings(faults: FaultScript(rules, seed: seed)))
            bench.wake(at: .start)
            return hits(bench, of: 40)
        }
        let rule = busy(FaultRoute(), half)
        let other = FaultRule(
            name: "other", .ignore(.ranges), occasion: half)
        let first = drawn([rule], seed: 1)
        #expect((10...30).contains(first.count))
        #expect(drawn([rule], seed: 1) == first)
        #expect(drawn([other, rule], seed: 1) == first)
        #expect(drawn([rule], seed: 2) != first)
    }

    @Test func `a fault is on from one moment to another, and the log says so`() {
        let bench = DocrootBench(busy(from: .start + .seconds(5), until: .start + .seconds(8)))
        #expect(bench.switchings.isEmpty)
        bench.wait(.milliseconds(4_999))
        #expect(hits(bench, of: 1) == [])
        bench.wait(.milliseconds(1))
        #expect(bench.switchings == ["+busy"])
        #expect(hits(bench, of: 1) == [1])
        bench.wait(.seconds(3))
        #expect(bench.switchings == ["+busy", "-busy"])
        #expect(hits(bench, of: 1) == [])
        #expect(bench.deadline == nil)
    }

    @Test func `a switch counts anew, and nothing happens where nothing changes`() {
        let bench = DocrootBench(busy(FaultRoute(), FaultOccasion(times: 1)))
        #expect(hits(bench, of: 3) == [1])
        bench.fault("busy", on: true)
        bench.fault("strange", on: true)
        #expect(hits(bench, of: 3) == [])
        bench.fault("busy", on: false)
        bench.fault("busy", on: true)
        #expect(hits(bench, of: 3) == [1])
        #expect(bench.switchings == ["+busy", "-busy", "+busy"])
        #expect(
            bench.server.faultStatus == [FaultStatus(name: "busy", isOn: true, hits: 2)])
    }

    @Test func `a fault that is switched on takes effect on what is under way`() {
        let bench = DocrootBench(
            FaultRule(name: "cut", .reset, at: .received(ByteCount(100)), from: nil),
            FaultRule(
                name: "other", .reset, at: .received(.zero), route: FaultRoute(method: "GET"),
                from: nil))
        bench.begin("PUT", "/dav/a", length: ByteCount(1_000))
        bench.send(bytes(500))
        bench.fault("other", on: true)
        bench.fault("cut", on: true)
        #expect(bench.aborted.isEmpty)
        bench.send(bytes(1, at: 500))
        #expect(bench.aborted == [1])
        #expect(
            bench.effects == ["cut 1 PUT /dav/a: the connection is reset after 500 B of its body"])
    }

    @Test func `what was chosen and is switched off is let go`() {
        let bench = DocrootBench(
            FaultRule(name: "cut", .reset, at: .received(ByteCount(100))))
        bench.begin("PUT", "/dav/a", length: ByteCount(1_000))
        bench.send(bytes(50))
        bench.fault("cut", on: false)
        bench.send(bytes(950, at: 50))
        #expect(bench.reply()?.status == 201)
    }

    @Test func `without a script a server plans nothing`() {
        let bench = DocrootBench()
        bench.ask("PUT", "/dav/a", body: bytes(10))
        #expect(bench.deadline == nil)
        #expect(bench.server.faultStatus.isEmpty)
    }
}
