import Protocols
import Quantities

/// A case of the benchmark.
package struct BenchmarkCase: Sendable {
    package let name: String
    /// A description in one line.
    package let about: String
    /// Plays the case once.
    package let play: Play
    /// Whether the case takes long, so that the baselines do without it.
    let isLong: Bool

    package typealias Play = @Sendable () throws(RunFailure) -> BenchmarkSample

    private init(
        _ name: String, _ about: String, _ play: @escaping Play, isLong: Bool = false
    ) {
        self.name = name
        self.about = about
        self.play = play
        self.isLong = isLong
    }
}

extension BenchmarkCase {
    package static let all: [BenchmarkCase] = runs + queues + sockets

    private static let runs: [BenchmarkCase] = [
        .init(oneFlow, "one flow for 10 min: 100 Mbit/s, 20 + 20 ms", BulkCase().play),
        .init("bulk/loss-0.1", "bulk/no-loss, losing 0.1 %", BulkCase(loss: percent(0.1)).play),
        .init("bulk/loss-1", "bulk/no-loss, losing 1 %", BulkCase(loss: percent(1)).play),
        .init(
            paced, "bulk/no-loss with the paced transport", BulkCase(paced: PacedSettings()).play),
        .init(
            "paced/loss-1", "paced/no-loss, losing 1 %",
            BulkCase(loss: percent(1), paced: PacedSettings()).play),
        .init(
            "flows/10", "10 flows of 10 Mbit/s each: 100 Mbit/s, 10 min",
            BulkCase(flowCount: 10).play),
        .init(
            "flows/100", "100 flows of 10 Mbit/s each: 1 Gbit/s, 1 min",
            BulkCase(rate: gigabits(1), flowCount: 100, limit: .seconds(60)).play),
        .init(
            manyFlows, "1 000 flows of 10 Mbit/s each: 10 Gbit/s, 6 s",
            BulkCase(rate: gigabits(10), flowCount: 1_000, limit: .seconds(6)).play),
        .init(
            "crowd/1000",
            "1 000 flows on 100 Mbit/s for 1 min, with a third of the packets dropped",
            BulkCase(flowCount: 1_000, limit: .seconds(60)).play),
        .init(shortest, "1 GB by one flow", BulkCase(length: gigabytes(1), limit: day).play),
        .init(
            "length/10GB", "10 GB by one flow", BulkCase(length: gigabytes(10), limit: day).play,
            isLong: true),
        .init(
            longest, "100 GB by one flow", BulkCase(length: gigabytes(100), limit: day).play,
            isLong: true),
        .init(
            shortUpload, "400 runs of a scenario: engine, store, server, all checks",
            UploadCase(size: "8 MB", rate: "10 Mbit/s", queue: "50 kB", runCount: 400).play),
        .init(
            "upload/10GB", "a run of a scenario: engine, store, server, all checks",
            UploadCase(size: "10 GB", rate: "100 Mbit/s", queue: "500 kB", runCount: 1).play,
            isLong: true),
        .init(
            phoneDay, "24 h of a phone: 400 files of 6 MB, hand-overs, opened now and then",
            PhoneDayCase(fileCount: 400).play, isLong: true),
    ]

    private static let queues = QueueCase.Deed.allCases.map { deed in
        BenchmarkCase(
            name(of: deed), "\(deed.rawValue) in a queue of 100 000 sessions",
            QueueCase(deed: deed).play, isLong: true)
    }

    private static let sockets: [BenchmarkCase] = [
        .init(
            overSockets, "the paced transport over the loopback interface, sealed",
            SocketCase().play, isLong: true),
        .init(
            iperfUDP, "iperf3 by UDP over the same interface, if it is installed",
            IperfCase(isOverTCP: false).play, isLong: true),
        .init(
            iperfTCP, "iperf3 by TCP", IperfCase(isOverTCP: true).play, isLong: true),
        .init(
            overLossyLink,
            "the paced transport over an emulated link, as root: 100 Mbit/s, 100 ms, 1 % lost",
            EmulatedCase(flow: .paced).play, isLong: true),
        .init(
            "live/lossy-cubic", "the kernel's CUBIC over the same link",
            EmulatedCase(flow: .kernel("cubic")).play, isLong: true),
    ]

    /// Whether what the case needs is there.
    package var isPossible: Bool {
        if name.hasPrefix("live/iperf3") { return IperfCase.isInstalled }
        return !name.hasPrefix("live/lossy") || EmulatedCase.isPossible
    }

    // The cases of bars and ratios.
    static let oneFlow = "bulk/no-loss"
    static let paced = "paced/no-loss"
    static let manyFlows = "flows/1000"
    static let shortest = "length/1GB"
    static let longest = "length/100GB"
    static let shortUpload = "upload/8MB"
    static let phoneDay = "phone/day"
    static let overSockets = "live/paced"
    static let iperfUDP = "live/iperf3-udp"
    static let iperfTCP = "live/iperf3-tcp"
    static let overLossyLink = "live/lossy-paced"

    static func name(of deed: QueueCase.Deed) -> String { "queue/\(deed.rawValue)" }

    private static let day = TimeSpan.seconds(86_400)

    private static func gigabits(_ count: UInt64) -> Bitrate {
        Bitrate(bitsPerSecond: count * 1_000_000_000)
    }

    private static func gigabytes(_ count: UInt64) -> ByteCount { ByteCount(count * 1_000_000_000) }

    private static func percent(_ value: Double) -> Probability {
        guard let chance = Probability(percent: value) else {
            preconditionFailure("\(value) is not a percentage")
        }
        return chance
    }
}
