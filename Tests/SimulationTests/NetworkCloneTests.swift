import Capture
import Content
import Foundation
import LinkModels
import Quantities
import RunLog
import RunPlan
import Simulation
import Testing

/// A network that is cloned in the middle of a run: two worlds with one past.
@Suite struct NetworkCloneTests {
    @Test(arguments: Path.all, TCPSettings.Controller.allCases)
    func `a clone goes on as its original does`(
        path: Path, controller: TCPSettings.Controller
    ) {
        var reference = path.network(controller)
        var original = path.network(controller)
        // In the handshake, in slow start, and while losses are repaired.
        for milliseconds in [15, 40, 130, 400, 1_100, 2_300, 4_000] as [Int64] {
            let moment = Instant.start + .milliseconds(milliseconds)
            Self.play(&reference, until: moment)
            Self.play(&original, until: moment)
            var clone = original.clone()
            let end = moment + .milliseconds(1_200)
            let future = Self.play(&clone, until: end)
            #expect(future == Self.play(&original, until: end), "cloned at \(moment)")
            #expect(future == Self.play(&reference, until: end), "not cloned at \(moment)")
            // LEDBAT++ slows down to two segments a round trip now and then.
            let least = [.ledbat: 15, .prague: 10, .bbr3: 40][controller] ?? 50
            #expect(future.packets >= least, "\(path.name) at \(moment): nothing was tried")
        }
    }

    @Test func `what happens to a clone does not happen to its original`() {
        let path = Path.all[0]
        var reference = path.network(.cubic)
        var original = path.network(.cubic)
        let moment = Instant.start + .seconds(1)
        Self.play(&reference, until: moment)
        Self.play(&original, until: moment)
        var clone = original.clone()
        let extra = clone.connect(from: .client, to: .server, port: 80)
        clone.send(extra, [.content(ContentRange(Self.file, offset: .zero, length: Self.much))])
        clone.setTimer(slot: 3, at: moment + .seconds(2))
        let other = Self.play(&clone, until: moment + .seconds(9))
        let future = Self.play(&original, until: moment + .seconds(9))
        #expect(future == Self.play(&reference, until: moment + .seconds(9)))
        #expect(future != other)
    }

    @Test func `a clone outlives its original`() {
        let path = Path.all[1]
        var reference = path.network(.cubic)
        Self.play(&reference, until: .start + .seconds(1))
        var clone = Self.cloneOfForgotten(path)
        let end = Instant.start + .seconds(3)
        #expect(Self.play(&clone, until: end) == Self.play(&reference, until: end))
    }

    @Test func `a clone leaves its original's capture file alone`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "cloned \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["alone", "cloned"].map { folder.appending(path: $0) }
        for file in files {
            let tap = try PacketTap(client: file.path, server: nil)
            var original = Path.all[1].network(.cubic, tap: tap)
            Self.play(&original, until: .start + .seconds(1))
            if file == files[1] {
                var clone = original.clone()
                Self.play(&clone, until: .start + .seconds(2))
                try clone.finishTap()
            }
            Self.play(&original, until: .start + .seconds(3))
            try original.finishTap()
        }
        let contents = try files.map { try Data(contentsOf: $0) }
        #expect(contents[0].count > 10_000 && contents[0] == contents[1])
    }

    private static func cloneOfForgotten(_ path: Path) -> VirtualNetwork {
        var original = path.network(.cubic)
        play(&original, until: .start + .seconds(1))
        return original.clone()
    }

    private static let file = FileVersion(file: 1, edit: 0)
    private static let much = ByteCount(1_000_000_000)

    /// What somebody sees who looks on for a while.
    private struct Seen: Equatable {
        var digest: String
        var packets: UInt64
        var events: UInt64
    }

    @discardableResult
    private static func play(_ network: inout VirtualNetwork, until end: Instant) -> Seen {
        var digest = RunDigest()
        let before = network.eventCount
        while network.advance(until: end) {
            while let event = network.takeEvent() {
                guard case .connected(let handle) = event else { continue }
                network.send(handle, [.content(ContentRange(file, offset: .zero, length: much))])
            }
            if network.isLogRipe { network.drainLog(into: &digest) }
        }
        network.drainLog(into: &digest)
        return Seen(
            digest: digest.text, packets: digest.packetCount,
            events: network.eventCount - before)
    }

    /// A way through the network, with three flows on it.
    struct Path: Sendable, CustomTestStringConvertible {
        var name: String
        var uplink = LinkPlan.plain("uplink")
        var downlink = LinkPlan.plain("downlink")
        var crossTraffic = CrossTraffic()

        var testDescription: String { name }

        func network(
            _ controller: TCPSettings.Controller, tap: consuming PacketTap? = nil
        ) -> VirtualNetwork {
            var network = VirtualNetwork(
                uplink: uplink, downlink: downlink, tcp: TCPSettings(controller: controller),
                crossTraffic: crossTraffic, seed: 7, tap: tap)
            network.listen(.server, port: 80, onlyCounting: true)
            for _ in 0..<3 { _ = network.connect(from: .client, to: .server, port: 80) }
            return network
        }

        static let all: [Path] = [
            Path(name: "plain"),
            Path(name: "lossy", uplink: .plain("uplink", losing: 2)) {
                $0.downlink.filters = [.independentLoss(Probability(percent: 1) ?? .never)]
            },
            Path(name: "wild") {
                $0.uplink.filters = [
                    .burstLoss(.init(goodToBad: chance(0.5), badToGood: chance(30))),
                    .duplication(chance(2)), .corruption(chance(0.5)),
                    .jitter(.uniform(.milliseconds(8))),
                    .listedLoss([70, 71, 90, 400]),
                ]
            },
            Path(name: "air") {
                let wifi = WiFi.Options(
                    rates: [80, 160].map { Bitrate(bitsPerSecond: $0 * 1_000_000) }, stations: 3,
                    adaptation: .init(every: .milliseconds(50), chance: chance(30)))
                $0.uplink.bottleneck = BottleneckPlan(
                    schedule: .wifi(wifi), queue: .dropTail(limit: ByteCount(64_000)))
                $0.uplink.lossesOnWay = [.independentLoss(chance(1)), .periodicLoss(period: 70)]
                $0.downlink.slots = Slots.Options(
                    shortest: .milliseconds(3), longest: .milliseconds(5))
            },
            Path(name: "buckets") {
                let bucket = TokenBucket.Options(
                    rate: Bitrate(bitsPerSecond: 12_000_000), burst: ByteCount(40_000))
                $0.uplink.bottleneck = BottleneckPlan(
                    schedule: .shaped(
                        Shaper(line: Bitrate(bitsPerSecond: 24_000_000), bucket: bucket)),
                    queue: .dropTail(limit: ByteCount(64_000)))
                $0.downlink.filters = [.policer(bucket)]
            },
            disciplined("CoDel", .coDel(.init())),
            disciplined("fair queues", .fairQueueCoDel(.init())),
            disciplined("PIE", .pie(.init())),
            disciplined("drop-head", .dropHead),
            Path(
                name: "others",
                crossTraffic: CrossTraffic(
                    streams: [
                        .init(
                            .uplink,
                            TrafficSource.Plan(
                                rate: Bitrate(bitsPerSecond: 500_000), packetSize: ByteCount(300)))
                    ],
                    flows: [.init(.uplink, count: 2), .init(.downlink, count: 1)])),
        ]

        private static func disciplined(_ name: String, _ plan: DisciplinePlan) -> Path {
            Path(name: name) {
                $0.uplink.bottleneck.queue = .disciplined(plan, limit: ByteCount(90_000))
            }
        }

        private static func chance(_ percent: Double) -> Probability {
            Probability(percent: percent) ?? .never
        }
    }
}

extension NetworkCloneTests.Path {
    fileprivate init(
        name: String, uplink: LinkPlan = .plain("uplink"), _ change: (inout Self) -> Void
    ) {
        self.init(name: name, uplink: uplink)
        change(&self)
    }
}
