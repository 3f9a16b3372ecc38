import Quantities
import Testing

@testable import Runs

/// From samples to a sheet, and from a sheet to what a person reads.
@Suite struct BenchmarkSheetTests {
    @Test func `samples become medians, and rates of all that was counted`() throws {
        let samples = [1.0, 4, 2].map { Self.sample(seconds: $0) }
        let subject = try FigureSubject(name: "a", about: "one", samples: samples)
        #expect(subject.exact == ["digest": .text("1f")])
        let rate = try #require(subject.measured["dataPacketsPerUserSecond"])
        #expect(rate.median == 500 && rate.least == 250 && rate.most == 1_000)
        #expect(rate.better == .more)
        #expect(subject.measured["dataPacketsPerWallSecond"]?.median == 250)
        #expect(subject.measured["userSeconds"]?.median == 2)
        #expect(subject.measured["userSeconds"]?.better == .less)
        #expect(subject.measured["heapBytes"] == nil, "nobody said")
    }

    @Test func `an exact figure that comes out twice differently ends the benchmark`() {
        let samples = ["1f", "20"].map { Self.sample(digest: $0) }
        let error = #expect(throws: RunFailure.self) {
            try FigureSubject(name: "bulk/no-loss", about: "", samples: samples)
        }
        #expect(error?.description.contains("bulk/no-loss gave different results") == true)
        #expect(error?.description.contains("“digest” differs") == true)
    }

    @Test func `a case is played with the network's accounting on, and is exact`() {
        let work = BulkCase(
            loss: Probability(percent: 1) ?? .always, flowCount: 3, length: ByteCount(1_000_000),
            limit: .seconds(600))
        let (one, other) = (work.play(), work.play())
        #expect(one.exact == other.exact)
        #expect(one.exact["physics"] == .text("held"))
        #expect(one.exact["receivedBytes"] == .whole(3_000_000))
        #expect(one.exact["dataPacketsDelivered"]?.number ?? 0 >= 3 * 691)
        #expect(one.exact["completionNanoseconds"]?.number ?? 0 > 0.24e9)
        #expect(one.cost.wallSeconds > 0 && one.cost.peakBytes > 0)
        #expect(one.cost.heapBytes ?? 0 > 0)
    }

    @Test func `a case that goes on at its limit has a goodput and no completion`() {
        let sample = BulkCase(limit: .seconds(2)).play()
        #expect(sample.exact["completionNanoseconds"] == nil)
        let goodput = sample.exact["goodputBitsPerSecond"]?.number ?? 0
        #expect((20e6...97e6).contains(goodput), "\(goodput)")
    }

    @Test func `the whole path is played, too`() throws {
        let work = UploadCase(size: "100 kB", rate: "10 Mbit/s", queue: "50 kB", runCount: 3)
        let sample = try work.play()
        #expect(sample.counts == ["runs": 3])
        #expect(sample.exact["judgement"] == .text("green"))
        #expect(sample.exact["payloadBytes"] == .whole(100_000))
    }

    @Test func `bars come first, then cost, then what was simulated`() throws {
        var sheet = FigureSheet(subjects: [
            try FigureSubject(
                name: "bulk/no-loss", about: "one flow", samples: [Self.sample(packets: 10_000_000)]
            ),
            try FigureSubject(
                name: "flows/1000", about: "many", samples: [Self.sample(packets: 5_000_000)]),
        ])
        sheet.bars = [
            Bar(
                name: "against ns-3", figure: MeasuredFigure([210, 190, 180], better: .more),
                bar: 200, unit: "×"),
            Bar(name: "memory", figure: MeasuredFigure([1], better: .less), bar: 1.1, unit: "×"),
        ]
        sheet.machine = MeasuringMachine(
            processor: "P", cores: 2, build: "release", repetitions: 3, loadBefore: 0.5,
            loadAfter: 7)
        #expect(
            BenchmarkText(sheet).text == """
                P, 2 cores; each case 3 times in turns, medians shown.
                Load 0.500 before and 7.00 after, including 1 of the benchmark itself.
                The machine was busy: trust core seconds and ratios, not wall time.

                bars          median  least … most
                against ns-3   190 ×  180 … 210     at least 200 ×  ✘ missed
                memory        1.00 ×  1.00 … 1.00   at most 1.10 ×  held

                measured      per core s  per wall s  ns each  × one flow  e\
                vents/core s    wall     peak  heap
                bulk/no-loss      10.0 M      5.00 M      100        1.00   \
                              2.00 s  4.00 kB
                flows/1000        5.00 M      2.50 M      200        2.00   \
                              2.00 s  4.00 kB

                simulated (exact)  sent  dropped  again  received  goodput  completion
                bulk/no-loss          –        –      –         –        –           –
                flows/1000            –        –      –         –        –           –
                """)
    }

    private static func sample(
        packets: UInt64 = 1_000, seconds: Double = 1, digest: String = "1f"
    ) -> BenchmarkSample {
        BenchmarkSample(
            exact: ["digest": .text(digest)], counts: ["dataPackets": packets],
            cost: Cost(wallSeconds: 2 * seconds, userSeconds: seconds, peakBytes: 4_000))
    }
}
