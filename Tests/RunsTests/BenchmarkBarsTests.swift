import Testing

@testable import Runs

/// The bars, held against samples that were made up.
@Suite struct BenchmarkBarsTests {
    @Test func `a bar is held by the median, and shows how far the samples lie apart`() throws {
        let bars = BenchmarkBars(
            samples: ["bulk/no-loss": [9e6, 12e6, 11e6].map { Self.sample(packetsPerSecond: $0) }],
            peer: [])
        let bar = try #require(bars.all.first)
        #expect(bars.all.count == 1, "nothing else was measured")
        #expect(bar.isHeld && bar.figure.median == 11e6)
        #expect(bar.figure.least == 9e6 && bar.figure.most == 12e6)
    }

    @Test func `each bar falls short when its figure does`() {
        let slow = BenchmarkBars(samples: Self.samples(speed: 9.9e6, manyFlows: 6e6), peer: [])
        #expect(slow.all.map(\.isHeld) == [false, false, false, false, false])
        let fast = BenchmarkBars(
            samples: Self.samples(
                speed: 10e6, manyFlows: 7e6, longest: 14.9, memory: 105, runs: 300),
            peer: [])
        #expect(fast.all.map(\.isHeld) == [true, true, true, true, true])
    }

    @Test func `a result falls short when one of its bars does`() {
        var sheet = FigureSheet(subjects: [])
        #expect(!sheet.hasFallenShort)
        sheet.bars =
            BenchmarkBars(
                samples: Self.samples(
                    speed: 10e6, manyFlows: 7e6, longest: 15, memory: 105, runs: 300),
                peer: []
            ).all
        #expect(!sheet.hasFallenShort)
        for place in sheet.bars?.indices ?? 0..<0 {
            var doctored = sheet
            doctored.bars?[place].figure.median *=
                sheet.bars?[place].figure.better == .more ? 0.5 : 2
            #expect(doctored.hasFallenShort)
        }
    }

    @Test func `the peer is held against its neighbour in time`() throws {
        // The machine was twice as busy in the second repetition.
        let bars = BenchmarkBars(
            samples: ["bulk/no-loss": [10e6, 5e6].map { Self.sample(packetsPerSecond: $0) }],
            peer: [50e3, 25e3].map { Self.sample(packetsPerSecond: $0) })
        let ratio = try #require(bars.all.last?.figure)
        #expect(bars.all.last?.name == "as a multiple of ns-3")
        #expect(ratio.least == 200 && ratio.most == 200)
    }

    @Test func `the bars speak of cases that there are`() {
        let names = BenchmarkCase.all.map(\.name)
        #expect(Set(names).count == names.count)
        for name in [
            BenchmarkCase.oneFlow, BenchmarkCase.manyFlows, BenchmarkCase.shortest,
            BenchmarkCase.longest, BenchmarkCase.shortUpload,
        ] { #expect(names.contains(name)) }
    }

    private static func samples(
        speed: Double, manyFlows: Double, longest: Double = 15.1, memory: UInt64 = 111,
        runs: UInt64 = 299
    ) -> [String: [BenchmarkSample]] {
        [
            "bulk/no-loss": [sample(packetsPerSecond: speed)],
            "flows/1000": [sample(packetsPerSecond: manyFlows)],
            "length/1GB": [sample(packetsPerSecond: 1e6, peak: 100)],
            "length/100GB": [sample(packetsPerSecond: 1e6, seconds: longest, peak: memory)],
            "upload/8MB": [
                BenchmarkSample(
                    exact: [:], counts: ["runs": runs],
                    cost: Cost(wallSeconds: 1, userSeconds: 1, peakBytes: 1))
            ],
        ]
    }

    private static func sample(
        packetsPerSecond: Double, seconds: Double = 1, peak: UInt64 = 1
    ) -> BenchmarkSample {
        BenchmarkSample(
            exact: [:], counts: ["dataPackets": UInt64(packetsPerSecond * seconds)],
            cost: Cost(wallSeconds: 2 * seconds, userSeconds: seconds, peakBytes: peak))
    }
}
