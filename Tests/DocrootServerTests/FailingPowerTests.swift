import Facts
import Quantities
import Testing

@testable import DocrootServer

/// Faults that take the power of the server's machine.
@Suite struct FailingPowerTests {
    private func bench(
        _ steps: UInt64?, at point: FaultPoint? = nil, method: String = "PATCH"
    ) -> DocrootBench {
        let isSwitched = point == nil
        let rule = FaultRule(
            name: "dark", .losePower(inSteps: steps, for: .seconds(2)), at: point,
            route: isSwitched ? FaultRoute() : FaultRoute(method: method),
            occasion: isSwitched ? FaultOccasion() : FaultOccasion(times: 1),
            from: isSwitched ? nil : .start)
        return DocrootBench(rule)
    }

    @Test func `power that fails at once ends the process, and what was promised is there`() {
        let bench = bench(nil)
        bench.ask("PUT", "/dav/a", body: bytes(10))
        let resource = FaultyBodyTests.create(bench)
        bench.fault("dark", on: true)
        #expect(bench.aborted == [1])
        #expect(bench.isDown?.until == .start + .seconds(2))
        bench.wait(.seconds(2))
        #expect(FaultyBodyTests.offset(bench, resource, on: 2) == "0")
        #expect(bench.ask("GET", "/dav/a", on: 3)?.status == 200)
        #expect(
            bench.effects == [
                "dark: the power fails for 2 s", "dark: the server is back, uploads found: 1",
            ])
        #expect(bench.switchings == ["+dark", "-dark"])
    }

    /// Wherever the power fails: a client that was not answered finds the upload, and ends it.
    @Test(arguments: 1...16 as ClosedRange<UInt64>)
    func `power that fails between two steps takes nothing that was promised`(steps: UInt64) {
        let bench = bench(steps, at: .request)
        let resource = FaultyBodyTests.create(bench)
        let reply = FaultyBodyTests.patch(bench, resource)
        guard bench.isDown != nil else { return #expect(reply?.status == 204) }
        #expect(reply == nil)
        bench.wait(.seconds(2))
        let offset = FaultyBodyTests.offset(bench, resource, on: 2)
        #expect(offset.flatMap { UInt64($0) } != nil)
        #expect(bench.notes.allSatisfy { if case .lost = $0 { false } else { true } })
        // Its publication is told once, by this process or by the next one.
        if offset == "1000" { #expect(bench.published == 1) }
    }

    @Test func `power that is switched on again in time does not fail`() {
        let bench = bench(2)
        bench.fault("dark", on: true)
        bench.fault("dark", on: false)
        bench.ask("PUT", "/dav/a", body: bytes(10))
        #expect(bench.isDown == nil)
        #expect(bench.effects == ["dark: the power will fail for 2 s after 2 more disk steps"])
    }

    @Test func `a promise that the disk has not kept is told as lost`() {
        let bench = bench(2, at: .request, method: "POST")
        _ = FaultyBodyTests.create(bench)
        #expect(bench.isDown != nil)
        bench.wait(.seconds(2))
        let why = ServerFact.lostWithPower
        let isTold = bench.notes.contains { note in
            if case .discarded(_, why) = note { true } else { false }
        }
        #expect(isTold)
    }
}
