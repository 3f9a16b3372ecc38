import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Simulation
import Testing

/// Version 3 of BBR through the whole network.
@Suite struct BBRv3Tests {
    /// What of the link can be content.
    private static let share = 1448.0 / 1500

    @Test(
        arguments: [(0.0, 0.95), (0.1, 0.93), (1, 0.8)],
        [UInt64(1), 2])
    func `a link is filled while chance loses no more than one in a hundred`(
        expected: (loss: Double, share: Double), seed: UInt64
    ) {
        let share = Self.use(losing: expected.loss, seed: seed)
        #expect(share >= expected.share, "seed \(seed), loss \(expected.loss) %: \(share)")
    }

    @Test(arguments: [UInt64(1), 2]) func `five in a hundred make it slow down`(seed: UInt64) {
        let share = Self.use(losing: 5, seed: seed)
        let first = Self.use(losing: 5, of: .bbr, seed: seed)
        #expect(share < 0.6 && first > 0.75, "seed \(seed): \(share), version 1 \(first)")
    }

    /// Of 20 Mbit/s and 40 ms, 100 kB are the product.
    @Test(arguments: [12_500, 25_000] as [UInt64])
    func `a start into a shallow queue ends with its losses`(queue: UInt64) {
        let drops = [TCPSettings.Controller.bbr3, .bbr].map { controller in
            let flow = FlowGroup(.uplink, count: 1, controller: controller)
            let hosts = Self.play([flow], queue, seconds: 1)
            return hosts.packets.count { $0.kind == .dropped }
        }
        #expect(drops[0] < drops[1] / 2, "\(drops)")
    }

    @Test func `what waits in the queue is little when the start is over`() {
        let hosts = Self.play([.init(.uplink, count: 1, controller: .bbr3)], 200_000, seconds: 20)
        let waits = waitsAfterStart(hosts.packets, alone: 20_600_000)
        #expect(waits[waits.count / 2] < 2_000_000)
    }

    @Test func `every five seconds half the product is in flight for 200 ms`() {
        let hosts = Self.play([.init(.uplink, count: 1, controller: .bbr3)], 200_000, seconds: 16)
        let spans = Self.spans(below: 55_000, of: hosts.packets)
        #expect(spans.count == 3, "\(spans)")
        for (place, span) in spans.enumerated() {
            // 5 s after the handshake or the end of the one before; 200 ms, and up to 100 ms to get
            // there and back.
            let middle = (span.lowerBound + span.upperBound) / 2 / 1_000_000
            let expected = 5_000 + UInt64(place) * 5_240 + 150
            #expect((expected - 100...expected + 100).contains(middle), "\(span)")
            #expect((180...300).contains((span.upperBound - span.lowerBound) / 1_000_000))
        }
        // Half the content of 100 kB, and not four segments.
        let least = Self.flights(of: hosts.packets) { at in
            spans.contains { at > $0.lowerBound + 100_000_000 && at < $0.upperBound - 60_000_000 }
        }.min()
        #expect(least.map { (40_000...49_000).contains($0) } == true, "\(least ?? 0) B")
    }

    /// Two flows with the same round trip, which begin together or ten seconds apart.
    @Test(arguments: [0, 10] as [Int64], [UInt64(1), 2, 3])
    func `two flows come to share the link`(apart: Int64, seed: UInt64) {
        let hosts = Self.play(
            [
                .init(.uplink, count: 1, controller: .bbr3),
                .init(.uplink, count: 1, controller: .bbr3, from: .seconds(apart)),
            ], 100_000, seconds: 60, seed: seed)
        let goodputs = [0, 1].map { Self.megabits(of: $0, hosts, after: 20, seconds: 60) }
        let sum = goodputs.reduce(0, +)
        let jain = sum * sum / (2 * goodputs.map { $0 * $0 }.reduce(0, +))
        #expect(jain >= 0.95, "seed \(seed): \(goodputs)")
        #expect(sum > 0.9 * 20, "\(goodputs)")
    }

    /// Of 20 Mbit/s beside CUBIC: queues of a quarter of the product, one and four.
    @Test(arguments: [(25_000, 4.0, 16.0), (100_000, 3, 16), (400_000, 2, 12)])
    func `CUBIC and version 3 leave each other room`(
        queue: UInt64, least: Double, most: Double
    ) {
        let (own, first) = (Self.besideCUBIC(.bbr3, queue), Self.besideCUBIC(.bbr, queue))
        #expect(own > least && own < most, "\(queue) B: \(own) Mbit/s")
        if queue <= 100_000 {
            #expect(abs(own - 10) < abs(first - 10), "\(own), version 1 \(first) Mbit/s")
        }
    }

    // MARK: Playing

    private static func besideCUBIC(
        _ controller: TCPSettings.Controller, _ queue: UInt64
    ) -> Double {
        let flows = [controller, .cubic].map { FlowGroup(.uplink, count: 1, controller: $0) }
        let hosts = play(flows, queue, seconds: 60)
        return megabits(of: 0, hosts, after: 10, seconds: 60)
    }

    /// The share of the link's content that gets through in the last 15 of 20 s.
    private static func use(
        losing loss: Double, of controller: TCPSettings.Controller = .bbr3, seed: UInt64
    ) -> Double {
        let hosts = play(
            [.init(.uplink, count: 1, controller: controller)], 100_000, losing: loss, seconds: 20,
            seed: seed)
        return megabits(of: 0, hosts, after: 5, seconds: 20) / 20
    }

    /// Plays flows over 20 Mbit/s and 40 ms.
    private static func play(
        _ flows: [FlowGroup], _ queue: UInt64, losing loss: Double = 0, seconds: Int64,
        seed: UInt64 = 1
    ) -> TwoHosts {
        let hosts = TwoHosts(
            .plain(
                "uplink", megabits: 20, delay: .milliseconds(20), queue: queue,
                losing: loss),
            .plain("downlink", megabits: 20, delay: .milliseconds(20)),
            crossTraffic: .init(flows: flows), seed: seed)
        let end = Instant.start + .seconds(seconds)
        hosts.network.setTimer(slot: 0, at: end)
        hosts.play(until: end)
        return hosts
    }

    /// Megabits a second on the wire.
    private static func megabits(
        of number: Int, _ hosts: TwoHosts, after start: UInt64, seconds end: UInt64
    ) -> Double {
        let bytes = hosts.packets.reduce(UInt64(0)) { sum, record in
            let counts =
                record.flow == .max - UInt16(number) && record.link == 0
                && record.kind == .delivered && record.atNanoseconds > start * 1_000_000_000
            return counts ? sum + UInt64(record.size) : sum
        }
        return Double(bytes) * 8e-6 / Double(end - start)
    }

    /// Stretches of at least 100 ms after the first second with no more unacknowledged.
    private static func spans(below limit: UInt32, of records: [PacketRecord]) -> [Range<UInt64>] {
        var spans: [Range<UInt64>] = []
        var begunAt: UInt64?
        forEachFlight(of: records) { flight, now in
            guard now > 1_000_000_000 else { return }
            if flight <= limit, begunAt == nil { begunAt = now }
            guard flight > limit, let begun = begunAt else { return }
            if now - begun >= 100_000_000 { spans.append(begun..<now) }
            begunAt = nil
        }
        return spans
    }

    /// What is unacknowledged at times that a condition accepts.
    private static func flights(
        of records: [PacketRecord], where accepts: (UInt64) -> Bool
    ) -> [UInt32] {
        var flights: [UInt32] = []
        forEachFlight(of: records) { if accepts($1) { flights.append($0) } }
        return flights
    }

    /// Calls a function for each packet, with what is unacknowledged and the time.
    private static func forEachFlight(
        of records: [PacketRecord], _ body: (UInt32, UInt64) -> Void
    ) {
        var next: UInt32 = 0
        var acknowledged: UInt32 = 0
        for record in records {
            if record.link == 0, record.kind == .sent, record.payload > 0 {
                next = record.sequence &+ UInt32(record.payload)
            } else if record.link == 1, record.kind == .delivered {
                acknowledged = record.acknowledgement
            }
            body(next &- acknowledged, record.atNanoseconds)
        }
    }
}
