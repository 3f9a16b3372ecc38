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
        switch point.kind {
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
        let account = ServerUser(
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
        let account = ServerUser(
            name: "ada", password: nil, tokens: [.init(text: "t0", expires: 10)],
            docroot: .root, quota: nil)
        let bench = DocrootBench(
            FaultRule(name: "slow", .clock(aheadBy: -1_000)), accounts: [account])
        bench.now = .start + .seconds(500)
        #expect(bench.ask("GET", "/dav/a", [("Authorization", "Bearer t0")])?.status == 404)
    }

    @Test func `of two wrong clocks the later one counts, and the other once it is over`() {
        let bench = DocrootBench(
            FaultRule(name: "ahead", .clock(aheadBy: 3_600), from: nil),
            FaultRule(name: "back", .clock(aheadBy: -60), from: nil),
            FaultRule(name: "busy", .answer(status: 503, .date(afterSeconds: 0))))
        bench.now = .start + .seconds(1_000)
        func date() -> String? { bench.ask("GET", "/dav/a")?.head.fields["Retry-After"] }
        let right = date()
        #expect(right == "Thu, 01 Jan 1970 00:16:40 GMT")
        bench.fault("ahead", on: true)
        #expect(date() == "Thu, 01 Jan 1970 01:16:40 GMT")
        bench.fault("back", on: true)
        #expect(date() == "Thu, 01 Jan 1970 00:15:40 GMT")
        bench.fault("back", on: false)
        #expect(date() == "Thu, 01 Jan 1970 01:16:40 GMT")
        bench.fault("back", on: true)
        bench.fault("ahead", on: false)
        #expect(date() == "Thu, 01 Jan 1970 00:15:40 GMT")
        bench.fault("back", on: false)
        #expect(date() == right)
    }

    /// An upload that is good for a minute, while a clock can be switched.
    private func waitingUpload(
        _ clock: Int64, begunAt moment: Instant = .start
    ) -> DocrootBench {
        let bench = DocrootBench(
            ServerSettings(
                uploadLifetime: .seconds(60),
                faults: FaultScript([
                    FaultRule(name: "wrong", .clock(aheadBy: clock), from: nil)
                ])))
        bench.now = moment
        _ = FaultyBodyTests.create(bench)
        return bench
    }

    private func isThere(_ bench: DocrootBench) -> Bool {
        FaultyBodyTests.offset(bench, "/tus/1", on: 1) != nil
    }

    @Test func `a clock that jumps ahead ends the time of what waits`() {
        let bench = waitingUpload(3_600)
        bench.wait(.seconds(10))
        bench.fault("wrong", on: true)
        bench.wait(.seconds(1))
        #expect(!isThere(bench))
    }

    @Test func `a clock that jumps ahead and is right again in time ends nothing`() {
        let bench = waitingUpload(30)
        bench.fault("wrong", on: true)
        bench.wait(.seconds(20))
        bench.fault("wrong", on: false)
        bench.wait(.seconds(39))
        #expect(isThere(bench))
        bench.wait(.seconds(1))
        #expect(!isThere(bench))
    }

    @Test func `a clock that is set back gives more time, and nobody is woken for nothing`() {
        let bench = waitingUpload(-3_600, begunAt: .start + .seconds(10_000))
        bench.fault("wrong", on: true)
        #expect(bench.deadline == .start + .seconds(13_660))
        bench.fault("wrong", on: false)
        #expect(bench.deadline == .start + .seconds(10_060))
    }
}
