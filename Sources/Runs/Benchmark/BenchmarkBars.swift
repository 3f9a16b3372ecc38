/// What the simulator's speed has to be, held against samples.
///
/// Time is counted in seconds of a core that worked for the program, so that what others do on the
/// machine counts little; ratios are taken repetition by repetition, between neighbours in time.
struct BenchmarkBars {
    let samples: [String: [BenchmarkSample]]
    let peer: [BenchmarkSample]

    /// Those that the samples can say something of.
    var all: [Bar] {
        let queue = [QueueCase.Deed.enqueue, .start, .cancel, .move].map(time(of:))
        return
            ([packets, againstPeer, manyFlows, memory, longest, wholeRuns, day] + queue
            + [launch, idleSession]).compactMap(\.self)
    }

    private var packets: Bar? {
        bar(
            "data packets per core second, no loss, S16 on", atLeast: 10e6, unit: "",
            samples[BenchmarkCase.oneFlow]?.compactMap(Self.speed))
    }

    private var againstPeer: Bar? {
        bar(
            "as a multiple of ns-3", atLeast: 200, unit: "×",
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

    private var wholeRuns: Bar? {
        bar(
            "whole runs of an 8 MB upload per core second", atLeast: 300, unit: "",
            samples[BenchmarkCase.shortUpload]?.compactMap { $0.perUserSecond("runs") })
    }

    private var day: Bar? {
        bar(
            "core seconds for 24 hours of a phone", atMost: 5, unit: "s",
            samples[BenchmarkCase.phoneDay]?.map(\.cost.userSeconds))
    }

    private func time(of deed: QueueCase.Deed) -> Bar? {
        bar(
            "µs for each \(deed.rawValue) in a queue of 100 000", atMost: 50, unit: "µs",
            samples[BenchmarkCase.name(of: deed)]?.compactMap {
                $0.perUserSecond("operations").map { 1e6 / $0 }
            })
    }

    private var launch: Bar? {
        bar(
            "core seconds for a launch with a queue of 100 000", atMost: 0.5, unit: "s",
            samples[BenchmarkCase.name(of: .launch)]?.map(\.cost.userSeconds))
    }

    /// The heap holds what the launch was given beside what the engine made of it; one queue of the
    /// two is the engine's.
    private var idleSession: Bar? {
        bar(
            "bytes of memory for each idle session", atMost: 1_000, unit: "B",
            samples[BenchmarkCase.name(of: .launch)]?.compactMap { sample in
                sample.cost.heapBytes.map { Double($0) / Double(QueueCase.sessionCount) }
            })
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
