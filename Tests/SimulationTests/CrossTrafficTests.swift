import Capture
import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Simulation
import Testing

/// Others on the same links.
@Suite struct CrossTrafficTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `two cubic flows share a line fairly in the long run`(seed: UInt64) {
        let hosts = hosts(
            .init(flows: [
                .init(.uplink, count: 1), .init(.uplink, count: 1, from: .seconds(5)),
            ]), seed: seed)
        play(hosts, seconds: 120)
        let shares = [UInt16.max, UInt16.max - 1].map {
            Double(delivered($0, of: hosts, after: 20).count)
        }
        let sum = shares[0] + shares[1]
        let jain = sum * sum / (2 * (shares[0] * shares[0] + shares[1] * shares[1]))
        #expect(jain >= 0.9, "\(shares)")
        // 8 Mbit/s are 667 full packets a second.
        #expect(sum > 0.95 * 100 * 667, "\(sum)")
    }

    @Test func `a sparse stream hardly waits behind a bulk flow where queues are fair`() {
        func longWaits(_ queue: BottleneckPlan.Queue) -> UInt64 {
            var uplink = LinkPlan.plain("uplink")
            uplink.bottleneck.queue = queue
            let sparse = TrafficSource.Plan(
                rate: Bitrate(bitsPerSecond: 100_000), packetSize: ByteCount(200))
            let hosts = hosts(
                .init(
                    streams: [.init(.uplink, sparse)],
                    flows: [.init(.uplink, count: 1)]), uplink)
            play(hosts, seconds: 30)
            let sent = hosts.packets.filter { $0.kind == .sent && $0.link == 0 }
            let waits = delivered(0x8000, of: hosts, after: 5).map {
                $0.atNanoseconds - sent[Int($0.packet)].atNanoseconds
            }
            return waits.sorted()[waits.count * 95 / 100]
        }
        let limit = ByteCount(150_000)
        // 10 ms of way, 0.2 ms on the wire, and at most one full packet before it.
        #expect(longWaits(.disciplined(.fairQueueCoDel(.init()), limit: limit)) < 12_000_000)
        #expect(longWaits(.dropTail(limit: limit)) > 60_000_000)
    }

    @Test func `others do not keep a run alive, and end with it`() throws {
        let hosts = hosts(
            .init(
                streams: [.init(.downlink, .init(rate: Bitrate(bitsPerSecond: 1_000_000)))],
                flows: [.init(.uplink, count: 2)]))
        hosts.open(sending: [.content(.file(1, 1_000_000))])
        hosts.play()
        #expect(hosts.received.values.first == [.file(1, 1_000_000)])
        #expect(hosts.network.nextEventTime == nil)
        let own = hosts.packets.filter { $0.flow == 0 }
        let last = try #require(own.last)
        // The very packet that ends the connection is the last of all.
        #expect(hosts.network.now == Instant(nanoseconds: last.atNanoseconds))
        #expect(last.kind == .delivered && last.flags.contains(.ack))
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `flows of one moment may begin in any order`(ties: UInt64) {
        let hosts = TwoHosts(
            .plain("uplink"), .plain("downlink"),
            crossTraffic: .init(flows: [
                .init(.uplink, count: 3), .init(.downlink, count: 2),
            ]), ties: ties)
        hosts.open(sending: [.content(.file(1, 100_000))])
        hosts.play()
        #expect(hosts.received.values.first == [.file(1, 100_000)])
        let begun = hosts.packets.filter { $0.kind == .sent && $0.flags == .syn && $0.flow > 0 }
        #expect(Set(begun.map(\.flow)).count == 5)
    }

    @Test func `a flow that is over is ended from both sides`() {
        let hosts = hosts(
            .init(flows: [.init(.uplink, count: 1, length: ByteCount(100_000))]))
        play(hosts, seconds: 10)
        let ends = hosts.packets.filter { $0.flow == .max && $0.flags.contains(.fin) }
        #expect(Set(ends.map(\.link)) == [0, 1])
    }

    @Test func `the log tells who they are, and what they got`() {
        let hosts = hosts(
            .init(
                streams: [.init(.uplink, .init(rate: Bitrate(bitsPerSecond: 1_000_000)))],
                flows: [
                    .init(.downlink, count: 1, from: .seconds(2), length: ByteCount(100_000)),
                    .init(.uplink, count: 1, controller: .newReno, from: .seconds(1)),
                ]))
        play(hosts, seconds: 10)
        hosts.network.closeBooks()
        hosts.collectLog()
        let announced = hosts.facts.compactMap { event -> String? in
            guard case .link(.shared(let link, let terms)) = event.fact else { return nil }
            return "\(link) \(terms.flow) \(terms.what)"
        }
        #expect(
            announced == [
                "0 32768 1 Mbit/s in packets of 1.5 kB",
                "0 65535 TCP with newreno, as much as it gets through, from 1 s",
                "1 65534 TCP with cubic, 100 kB, from 2 s",
            ])
        let counts = hosts.facts.compactMap { event -> SharingCount? in
            if case .link(.shareCounted(_, let count)) = event.fact { count } else { nil }
        }
        #expect(counts.map(\.flow) == [0x8000, 65_535, 65_534])
        for (count, link) in zip(counts, [0, 0, 1] as [UInt16]) {
            let records = hosts.packets.filter {
                $0.flow == count.flow && $0.link == link && $0.kind == .delivered
            }
            #expect(records.count == Int(count.delivered.packets))
        }
        // All of what the one had to send, once, and its SYN and FIN.
        let payload = delivered(65_534, of: hosts, after: 0, link: 1)
            .reduce(0) { $0 + Int($1.payload) }
        #expect(payload == 100_000)
    }

    @Test func `each flow of others has the controller that was named for it`() {
        // Every fiftieth packet is lost, which BBR does not take for congestion.
        let hosts = hosts(
            .init(flows: [
                .init(.uplink, count: 1, controller: .newReno),
                .init(.uplink, count: 1, controller: .bbr),
            ]), .plain("uplink", losing: 2))
        play(hosts, seconds: 20)
        let newReno = delivered(65_535, of: hosts, after: 2).count
        let bbr = delivered(65_534, of: hosts, after: 2).count
        #expect(bbr > 2 * newReno, "\(bbr) and \(newReno) packets")
    }

    @Test func `what is damaged on its way to others never came to them`() {
        // A queue that takes everything: nothing else is sent again.
        var uplink = LinkPlan.plain("uplink", queue: 5_000_000)
        uplink.filters = [.corruption(.percent(5))]
        let length = ByteCount(500_000)
        let hosts = hosts(
            .init(flows: [.init(.uplink, count: 1, length: length)]), uplink)
        play(hosts, seconds: 60)
        let sent = hosts.packets.filter { $0.link == 0 && $0.kind == .sent }
            .reduce(0) { $0 + UInt64($1.payload) }
        // A twentieth has to be sent again.
        #expect(sent > length.bytes + 10_000, "\(sent) B")
    }

    @Test func `two streams on a link come and go each in its own time`() {
        let source = TrafficSource.Plan(
            rate: Bitrate(bitsPerSecond: 500_000),
            bursts: .init(
                on: .milliseconds(300), off: .milliseconds(300), lengths: .exponential))
        let hosts = hosts(.init(streams: [.init(.uplink, source), .init(.uplink, source)]))
        play(hosts, seconds: 10)
        let times = [UInt16(0x8000), 0x8001].map { flow in
            hosts.packets.filter { $0.flow == flow && $0.kind == .sent }.map(\.atNanoseconds)
        }
        #expect(times[0].count > 50 && times[1].count > 50)
        #expect(times[0] != times[1])
    }

    @Test func `others leave the numbers and draws of the run's own connections as they were`() {
        func first(_ traffic: CrossTraffic) -> [UInt32] {
            let hosts = hosts(traffic)
            hosts.open(sending: [.content(.file(1, 100_000))])
            hosts.play()
            return hosts.packets.filter { $0.flow == 0 && $0.flags.contains(.syn) }
                .map(\.sequence)
        }
        let alone = first(CrossTraffic())
        let shared = first(.init(flows: [.init(.uplink, count: 3)]))
        #expect(alone.first == shared.first && !alone.isEmpty)
    }

    @Test(arguments: TappedHosts.Place.allCases)
    func `a capture holds the run's own packets and nobody else's, with the marks of the queue`(
        place: TappedHosts.Place
    ) throws {
        var coDel = CoDel.Options()
        coDel.marks = true
        var uplink = LinkPlan.plain("uplink")
        uplink.bottleneck.queue = .disciplined(.coDel(coDel), limit: ByteCount(1_000_000))
        let run = try TappedHosts(
            uplink, .plain("downlink"), sending: [.content(.file(1, 1_000_000))],
            marksCongestion: true,
            crossTraffic: .init(
                streams: [.init(.uplink, .init(rate: Bitrate(bitsPerSecond: 1_000_000)))],
                flows: [.init(.uplink, count: 1), .init(.downlink, count: 1)]))
        let own = run.records(at: place).filter { $0.flow < 0x8000 }
        #expect(own.count < run.records(at: place).count)
        // The last two bits of the second byte (RFC 3168 §5).
        let seen = try run.frames(at: place).map { $0.bytes[$0.bytes.startIndex + 1] & 3 }
        #expect(seen == own.map(\.codepoint.rawValue))
        #expect(place == .client || seen.contains(3))
    }

    // MARK: Playing

    private func hosts(
        _ traffic: CrossTraffic, _ uplink: LinkPlan = .plain("uplink"), seed: UInt64 = 7
    ) -> TwoHosts {
        TwoHosts(
            uplink, .plain("downlink"), controller: .cubic, crossTraffic: traffic, seed: seed)
    }

    /// A timer of the host keeps the run alive so long.
    private func play(_ hosts: TwoHosts, seconds: Int64) {
        let end = Instant.start + .seconds(seconds)
        hosts.network.setTimer(slot: 0, at: end)
        hosts.play(until: end)
    }

    private func delivered(
        _ flow: UInt16, of hosts: TwoHosts, after seconds: UInt64, link: UInt16 = 0
    ) -> [PacketRecord] {
        hosts.packets.filter {
            $0.flow == flow && $0.link == link && $0.kind == .delivered
                && $0.atNanoseconds >= seconds * 1_000_000_000
        }
    }
}
