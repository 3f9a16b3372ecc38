import Quantities

/// Something whose speed is measured, by name.
package struct BenchmarkCase: Sendable {
    package let name: String
    /// One line for a person.
    package let about: String
    private let work: Work
    /// Long cases only say of speed and memory what short ones cannot: the baselines do without.
    let isLong: Bool

    private enum Work: Sendable {
        case bulk(BulkCase)
        case uploads(UploadCase)
        case day(PhoneDayCase)
        case queue(QueueCase)
    }

    private init(_ name: String, _ about: String, _ work: Work, isLong: Bool = false) {
        self.name = name
        self.about = about
        self.work = work
        self.isLong = isLong
    }

    package func play() throws(RunFailure) -> BenchmarkSample {
        switch work {
        case .bulk(let bulk): bulk.play()
        case .uploads(let uploads): try uploads.play()
        case .day(let day): try day.play()
        case .queue(let queue): queue.play()
        }
    }
}

extension BenchmarkCase {
    /// Every case, in the order in which they are told.
    package static let all: [BenchmarkCase] = runs + queues

    private static let runs: [BenchmarkCase] = [
        .init(oneFlow, "one flow for 10 min: 100 Mbit/s, 20 + 20 ms", .bulk(BulkCase())),
        .init(
            "bulk/loss-0.1", "bulk/no-loss, losing 0.1 %", .bulk(BulkCase(loss: percent(0.1)))),
        .init("bulk/loss-1", "bulk/no-loss, losing 1 %", .bulk(BulkCase(loss: percent(1)))),
        .init(
            "flows/10", "10 flows of 10 Mbit/s each: 100 Mbit/s, 10 min",
            .bulk(BulkCase(flowCount: 10))),
        .init(
            "flows/100", "100 flows of 10 Mbit/s each: 1 Gbit/s, 1 min",
            .bulk(BulkCase(rate: gigabits(1), flowCount: 100, limit: .seconds(60)))),
        .init(
            manyFlows, "1 000 flows of 10 Mbit/s each: 10 Gbit/s, 6 s",
            .bulk(BulkCase(rate: gigabits(10), flowCount: 1_000, limit: .seconds(6)))),
        .init(
            "crowd/1000",
            "1 000 flows on 100 Mbit/s for 1 min, with a third of the packets dropped",
            .bulk(BulkCase(flowCount: 1_000, limit: .seconds(60)))),
        .init(shortest, "1 GB by one flow", .bulk(BulkCase(length: gigabytes(1), limit: day))),
        .init(
            "length/10GB", "10 GB by one flow", .bulk(BulkCase(length: gigabytes(10), limit: day)),
            isLong: true),
        .init(
            longest, "100 GB by one flow", .bulk(BulkCase(length: gigabytes(100), limit: day)),
            isLong: true),
        .init(
            shortUpload, "400 runs of a scenario: engine, store, server, all checks",
            .uploads(UploadCase(size: "8 MB", rate: "10 Mbit/s", queue: "50 kB", runCount: 400))),
        .init(
            "upload/10GB", "a run of a scenario: engine, store, server, all checks",
            .uploads(UploadCase(size: "10 GB", rate: "100 Mbit/s", queue: "500 kB", runCount: 1)),
            isLong: true),
        .init(
            phoneDay, "24 h of a phone: 400 files of 6 MB, hand-overs, opened now and then",
            .day(PhoneDayCase(fileCount: 400)), isLong: true),
    ]

    private static let queues = QueueCase.Deed.allCases.map { deed in
        BenchmarkCase(
            name(of: deed), "\(deed.rawValue) in a queue of 100 000 sessions",
            .queue(QueueCase(deed: deed)), isLong: true)
    }

    // The cases that bars and ratios speak of.
    static let oneFlow = "bulk/no-loss"
    static let manyFlows = "flows/1000"
    static let shortest = "length/1GB"
    static let longest = "length/100GB"
    static let shortUpload = "upload/8MB"
    static let phoneDay = "phone/day"

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
