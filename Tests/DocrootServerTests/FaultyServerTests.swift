import Content
import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// Faults of the server as a whole: its process, and its clock.
@Suite struct FaultyServerTests {
    private func restart(
        keepsStaging: Bool = true, at point: FaultPoint? = nil, from: Instant? = nil
    ) -> FaultRule {
        FaultRule(
            name: "crash", .restart(after: .seconds(2), keepsStaging: keepsStaging), at: point,
            occasion: FaultOccasion(times: 1), from: from)
    }

    @Test(arguments: [true, false])
    func `a server comes back, with what was staged or without`(keepsStaging: Bool) {
        let bench = DocrootBench(restart(keepsStaging: keepsStaging))
        bench.ask("PUT", "/dav/a", body: bytes(10))
        let resource = FaultyBodyTests.create(bench)
        bench.begin(
            "PATCH", resource,
            FaultyBodyTests.version + [
                ("Content-Type", "application/offset+octet-stream"), ("Upload-Offset", "0"),
            ], length: ByteCount(1_000))
        bench.send(bytes(300))
        bench.fault("crash", on: true)
        #expect(bench.aborted == [1])
        #expect(bench.isDown?.until == .start + .seconds(2))
        bench.wait(.seconds(2))
        #expect(bench.isDown == nil)
        let offset = FaultyBodyTests.offset(bench, resource, on: 2)
        #expect(offset == (keepsStaging ? "300" : nil))
        #expect(bench.ask("GET", "/dav/a", on: 3)?.status == 200)
        #expect(
            bench.effects == [
                "crash: the server is down for 2 s, and what is staged is "
                    + (keepsStaging ? "kept" : "lost"),
                "crash: the server is back, uploads found: \(keepsStaging ? 1 : 0)",
            ])
        // It is over by itself, so that it can be asked for again.
        #expect(bench.switchings == ["+crash", "-crash"])
        bench.fault("crash", on: true)
        #expect(bench.isDown != nil)
    }

    @Test(arguments: [FaultPoint.request, .received(ByteCount(400)), .answer])
    func `a request brings the server down`(point: FaultPoint) {
        let bench = DocrootBench(
            FaultRule(
                name: "crash", .restart(after: .zero, keepsStaging: true), at: point,
                route: FaultRoute(method: "PATCH"), occasion: FaultOccasion(times: 1)))
        let resource = FaultyBodyTests.create(bench)
        #expect(FaultyBodyTests.patch(bench, resource) == nil)
        #expect(bench.aborted == [1])
        bench.wait(.seconds(1))
        switch point {
        case .request: #expect(FaultyBodyTests.offset(bench, resource, on: 2) == "0")
        case .received: #expect(FaultyBodyTests.offset(bench, resource, on: 2) == "400")
        case .answer, .switching, .sent: #expect(bench.published == 1)
        }
        let effect = "crash 1 PATCH \(resource): the server restarts, and what is staged is kept"
        #expect(bench.effects.first == effect)
        #expect(bench.switchings == ["+crash"])
    }

    @Test func `a download brings the server down`() {
        let bench = DocrootBench(restart(at: .sent(ByteCount(70)), from: .start))
        bench.ask("PUT", "/dav/a", body: bytes(100))
        bench.begin("GET", "/dav/a", length: .zero)
        #expect(bench.aborted == [1])
        bench.wait(.seconds(2))
        #expect(bench.ask("GET", "/dav/a", on: 2)?.ranges.map(\.length) == [ByteCount(100)])
    }

    @Test func `a planned restart comes at its moment`() {
        let bench = DocrootBench(restart(from: .start + .seconds(20)))
        bench.wait(.seconds(20))
        #expect(bench.isDown?.until == .start + .seconds(22))
        bench.wait(.seconds(2))
        #expect(bench.switchings == ["+crash", "-crash"])
    }

    @Test func `a clock that is wrong lets tokens expire, and is right again later`() {
        let account = Account(
            name: "ada", password: nil, tokens: [.init(text: "t0", expires: 1_000)],
            docroot: .root, quota: nil)
        let bench = DocrootBench(
            FaultRule(name: "ahead", .clock(aheadBy: 1_000), from: nil), accounts: [account])
        let token = [("Authorization", "Bearer t0")]
        #expect(bench.ask("GET", "/dav/a", token)?.status == 404)
        bench.fault("ahead", on: true)
        #expect(bench.ask("GET", "/dav/a", token)?.status == 401)
        bench.fault("ahead", on: false)
        #expect(bench.ask("GET", "/dav/a", token)?.status == 404)
        #expect(bench.effects == ["ahead: the clock is wrong by 1000 s"])
    }

    @Test func `a clock that is slow lets tokens live on`() {
        let account = Account(
            name: "ada", password: nil, tokens: [.init(text: "t0", expires: 10)],
            docroot: .root, quota: nil)
        let bench = DocrootBench(
            FaultRule(name: "slow", .clock(aheadBy: -1_000)), accounts: [account])
        bench.now = .start + .seconds(500)
        #expect(bench.ask("GET", "/dav/a", [("Authorization", "Bearer t0")])?.status == 404)
    }
}
