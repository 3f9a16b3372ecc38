import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Simulation
import Testing

/// BBR through the whole network, 100 Mbit/s and 40 ms; the queue holds one bandwidth-delay
/// product.
@Suite struct BBRTests {
    /// What of the link can be content.
    private static let capacity = 100e6 * 1448 / 1500

    /// Of a kernel over such a link, 90 to 94 Mbit/s arrive.
    @Test(arguments: [(0.0, 0.93), (0.1, 0.93), (1, 0.85)], [UInt64(1), 2])
    func `a link is filled whatever chance loses`(
        expected: (loss: Double, share: Double), seed: UInt64
    ) {
        let hosts = Self.transfer(.seconds(8), losing: expected.loss, seed: seed)
        let share = Self.goodput(of: hosts, seconds: 8).reduce(0, +) / Self.capacity
        #expect(share >= expected.share, "seed \(seed), loss \(expected.loss) %: \(share)")
    }

    @Test func `what waits in the queue is little when the start is over`() {
        let hosts = Self.transfer(.seconds(8))
        let waits = waitsAfterStart(hosts.packets, alone: 20_120_000)
        #expect(waits[waits.count / 2] < 2_000_000)
        #expect(waits[waits.count * 95 / 100] < 11_000_000)
    }

    @Test func `every ten seconds the path is looked at with four segments in flight`() {
        let hosts = Self.transfer(.seconds(11))
        let spans = Self.spansWithLittleInFlight(hosts.packets)
        #expect(spans.count == 1)
        // 10 s after the handshake, as soon as all but four segments have arrived; 200 ms long.
        #expect(spans.first.map { $0.lowerBound / 100_000_000 } == 100)
        #expect(spans.first.map { ($0.upperBound - $0.lowerBound) / 10_000_000 } == 20)
    }

    @Test func `two flows come to share the link`() {
        let hosts = Self.transfer(.seconds(30), flows: 2)
        let goodputs = Self.goodput(of: hosts, seconds: 30)
        let sum = goodputs.reduce(0, +)
        let squares = goodputs.map { $0 * $0 }.reduce(0, +)
        #expect(goodputs.count == 2)
        #expect(sum * sum / (2 * squares) > 0.95)
        #expect(sum > 0.9 * Self.capacity)
    }

    private static func transfer(
        _ time: TimeSpan, losing loss: Double = 0, flows: Int = 1, seed: UInt64 = 1
    ) -> TwoHosts {
        let hosts = TwoHosts(
            .plain(
                "uplink", megabits: 100, delay: .milliseconds(20), queue: 500_000, losing: loss),
            .plain("downlink", megabits: 100, delay: .milliseconds(20)), controller: .bbr,
            seed: seed)
        for number in 0..<flows {
            hosts.open(sending: [.content(.file(UInt32(number), 1_000_000_000))])
        }
        hosts.play(until: .start + time)
        return hosts
    }

    /// In bit/s, flow by flow.
    private static func goodput(of hosts: TwoHosts, seconds: Double) -> [Double] {
        // any order: they are only added up.
        hosts.received.values.map { ranges in
            Double(ranges.map(\.length.bytes).reduce(0, +)) * 8 / seconds
        }
    }

    /// Stretches of at least 100 ms in which no more than four segments are unacknowledged.
    private static func spansWithLittleInFlight(_ records: [PacketRecord]) -> [Range<UInt64>] {
        var spans: [Range<UInt64>] = []
        var next: UInt32 = 0
        var acknowledged: UInt32 = 0
        var begunAt: UInt64?
        for record in records {
            if record.link == 0, record.kind == .sent, record.payload > 0 {
                next = record.sequence &+ UInt32(record.payload)
            } else if record.link == 1, record.kind == .delivered {
                acknowledged = record.acknowledgement
            }
            let isLittle = next != 0 && next &- acknowledged <= 4 * 1448
            if isLittle, begunAt == nil { begunAt = record.atNanoseconds }
            guard !isLittle, let begun = begunAt else { continue }
            if record.atNanoseconds - begun >= 100_000_000 {
                spans.append(begun..<record.atNanoseconds)
            }
            begunAt = nil
        }
        return spans
    }
}
