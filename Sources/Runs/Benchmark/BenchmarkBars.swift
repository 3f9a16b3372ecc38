/// What the simulator's speed has to be, held against samples.
///
/// Time is counted in seconds of a core that worked for the program, so that what others do on the
/// machine counts little; ratios are taken repetition by repetition, between neighbours in time.
struct BenchmarkBars {
    let samples: [String: [BenchmarkSample]]
    let peer: [BenchmarkSample]

    /// Those that the samples can say something of.
    var all: [Bar] { [packets, againstPeer, manyFlows, memory, longest, day].compactMap(\.self) }

    private var packets: Bar? {
        bar(
            "data packets per core second, no loss, S16 on", atLeast: 10e6, unit: "",
            samples[BenchmarkCase.oneFlow]?.compactMap(Self.speed))
    }

    private var againstPeer: Bar? {
        bar(
            "the same against ns-3", atLeast: 200, unit: "×",
            ratios(samples[BenchmarkCase.oneFlow], over: peer, Self.speed))
    }

    private var manyFlows: Bar? {
        bar(
            "cost per packet, 1 000 flows against one", atMost: 1.6, unit: "×",
            ratios(
                samples[BenchmarkCase.oneFlow], over: samples[BenchmarkCase.manyFlows], Self.speed))
    }

    private var memory: Bar? {
        bar(
            "peak memory, 100 GB against 1 GB", atMost: 1.1, unit: "×",
            ratios(
                samples[BenchmarkCase.longest], over: samples[BenchmarkCase.shortest],
                { Double($0.cost.peakBytes) }))
    }

    private var longest: Bar? {
        bar(
            "core seconds for 100 GB", atMost: 15, unit: "s",
            samples[BenchmarkCase.longest]?.map(\.cost.userSeconds))
    }

    private var day: Bar? {
        bar(
            "core seconds for 24 hours of a phone", atMost: 5, unit: "s",
            samples[BenchmarkCase.phoneDay]?.map(\.cost.userSeconds))
    }

    private static func speed(of sample: BenchmarkSample) -> Double? {
        sample.perUserSecond("dataPackets")
    }

    private func ratios(
        _ over: [BenchmarkSample]?, over under: [BenchmarkSample]?,
        _ figure: (BenchmarkSample) -> Double?
    ) -> [Double]? {
        guard let over, let under else { return nil }
        return zip(over, under).compactMap { one, other in
            guard let one = figure(one), let other = figure(other) else { return nil }
            return one / other
        }
    }

    private func bar(
        _ name: String, atLeast bar: Double, unit: String, _ values: [Double]?
    ) -> Bar? {
        guard let values, !values.isEmpty else { return nil }
        return Bar(name: name, figure: MeasuredFigure(values, better: .more), bar: bar, unit: unit)
    }

    private func bar(_ name: String, atMost bar: Double, unit: String, _ values: [Double]?) -> Bar?
    {
        guard let values, !values.isEmpty else { return nil }
        return Bar(name: name, figure: MeasuredFigure(values, better: .less), bar: bar, unit: unit)
    }
}
