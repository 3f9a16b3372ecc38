import Content
import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// Whatever goes wrong together, a server goes on when nothing does any more.
@Suite struct RandomFaultsTests {
    private static let faults: [Fault] =
        [
            .answer(status: 503, .seconds(1)), .answer(status: 416, nil), .reset, .close,
            .loseAnswer,
            .stall(nil), .stall(.seconds(3)), .slow(Bitrate(bitsPerSecond: 8_000)), .repeatAnswer,
            .sendInChunks,
            .ignore(.ranges), .ignore(.rangeConditions), .ignore(.idempotencyKeys),
            .sendAnotherRange(.least), .sendAnotherRange(.earlier(ByteCount(300))),
            .sendAnotherRange(.later(ByteCount(300))), .sendField("ETag", nil),
            .keepLock(.seconds(2)),
            .sendWrongContentRange, .sendAnotherTag, .expireToken, .fillDisk,
            .quota(ByteCount(1_500)), .restart(after: .seconds(2), keepsStaging: true),
            .restart(after: .zero, keepsStaging: false), .losePower(inSteps: nil, for: .zero),
            .losePower(inSteps: 7, for: .seconds(2)), .losePower(inSteps: 1, for: .zero),
            .clock(aheadBy: 5), .clock(aheadBy: -5),
        ] + Malformation.allCases.map { .malformed($0) }

    @Test(arguments: 1...40) func `a server survives any script`(seed: UInt64) {
        var random = RandomStream(seed: seed, name: "faults")
        let rules = (0..<8).map { rule(named: "\($0)", &random) }
        let bench = DocrootBench(ServerSettings(faults: FaultScript(rules, seed: seed)))
        bench.wake(at: .start)
        var connection: UInt32 = 1
        for _ in 0..<150 { step(bench, on: &connection, rules, &random) }
        for rule in rules { bench.fault(rule.name, on: false) }
        bench.wait(.seconds(10))
        #expect(bench.server.faultStatus.allSatisfy { !$0.isOn }, "seed \(seed)")
        let put = bench.ask("PUT", "/dav/last", body: bytes(1_000), on: 10_000)
        #expect([201, 204].contains(put?.status), "seed \(seed)")
        let got = bench.ask("GET", "/dav/last", on: 10_000)
        #expect(got?.ranges.map(\.length) == [ByteCount(1_000)], "seed \(seed)")
        // Whoever is still waiting is answered, or goes.
        for id in 1...connection { bench.leave(id) }
        bench.leave(10_000)
        #expect(bench.server.exchanges.isEmpty, "seed \(seed)")
        #expect(bench.server.uploads.values.allSatisfy { $0.writer == nil }, "seed \(seed)")
    }

    private func rule(named name: String, _ random: inout RandomStream) -> FaultRule {
        let fault = Self.faults[Int(random.below(UInt64(Self.faults.count)))]
        let kind = fault.places[Int(random.below(UInt64(fault.places.count)))]
        let isOn = kind != .switching && random.below(2) == 0
        return FaultRule(
            name: name, fault, at: FaultPoint(kind, after: ByteCount(random.below(1_200))),
            occasion: FaultOccasion(
                first: 1 + random.below(3), period: 1 + random.below(3),
                times: random.below(2) == 0 ? 1 : .max),
            from: isOn ? .start : nil)
    }

    private func step(
        _ bench: DocrootBench, on connection: inout UInt32, _ rules: [FaultRule],
        _ random: inout RandomStream
    ) {
        let key = [("Idempotency-Key", "k\(random.below(3))"), ("Authorization", "Bearer t")]
        let offset = random.below(900)
        // Nobody reaches a server that is down.
        if bench.isDown != nil { bench.wait(.seconds(2)) }
        switch random.below(9) {
        case 0: bench.ask("PUT", "/dav/a", key, body: bytes(1_000), on: connection)
        case 1: bench.ask("GET", "/dav/a", on: connection)
        case 2: bench.ask("GET", "/dav/a", [("Range", "bytes=\(offset)-")], on: connection)
        case 3: _ = FaultyBodyTests.create(bench, on: connection)
        case 4:
            let resource = "/tus/\(1 + random.below(4))"
            let known = FaultyBodyTests.offset(bench, resource, on: connection)
            guard let at = known.flatMap({ UInt64($0) }), at < 1_000 else { break }
            _ = FaultyBodyTests.patch(bench, resource, at: at, length: 1_000 - at, on: connection)
        case 5:
            bench.leave(connection)
            connection += 1
        case 6: bench.wait(.milliseconds(Int64(random.below(3_000))))
        case 7:
            let rule = rules[Int(random.below(UInt64(rules.count)))]
            bench.fault(rule.name, on: random.below(2) == 0)
        default:
            bench.begin("PUT", "/dav/b", length: ByteCount(1_000), on: connection)
            bench.send(bytes(offset), on: connection)
        }
    }
}
