/// The speed that the simulator must reach, compared with samples.
///
/// Time is counted in core seconds, so that other programs on the machine matter little. Ratios are
/// taken repetition by repetition, between samples that are neighbours in time.
struct BenchmarkBars {
    let samples: [String: [BenchmarkSample]]
    let peer: [BenchmarkSample]

    /// The bars for which there are samples.
    var all: [Bar] {
        let oneFlow = samples[BenchmarkCase.oneFlow]
        let overSockets = samples[BenchmarkCase.overSockets]
        let launch = samples[BenchmarkCase.name(of: .launch)]
        let bars = [
            bar(
                "data packets per core second, no loss, S16 on", .more, 10e6, "",
                oneFlow?.compactMap(Self.speed)),
            bar("as a multiple of ns-3", .more, 200, "×", Self.ratios(oneFlow, peer, Self.speed)),
            bar(
                "packets of the paced transport per core second, as a multiple of TCP's", .more, 1,
                "×", Self.ratios(samples[BenchmarkCase.paced], oneFlow, Self.speed)),
            bar(
                "bits over real sockets, as a multiple of iperf3's by UDP", .more, 2, "×",
                Self.ratios(overSockets, samples[BenchmarkCase.iperfUDP], Self.bits)),
            bar(
                "bits over real sockets, as a multiple of iperf3's by TCP", .more, 0.35, "×",
                Self.ratios(overSockets, samples[BenchmarkCase.iperfTCP], Self.bits)),
            bar(
                "Mbit/s over a link of 100 that loses 1 %, 100 ms", .more, 90, "",
                samples[BenchmarkCase.overLossyLink]?.compactMap { sample in
                    Self.bits(of: sample).map { $0 / 1e6 }
                }),
            bar(
                "cost per packet, 1 000 flows against one", .less, 1.6, "×",
                Self.ratios(oneFlow, samples[BenchmarkCase.manyFlows], Self.speed)),
            bar(
                "peak memory, 100 GB against 1 GB", .less, 1.1, "×",
                Self.ratios(samples[BenchmarkCase.longest], samples[BenchmarkCase.shortest]) {
                    Double($0.cost.peakBytes)
                }),
            bar("core seconds for 100 GB", .less, 15, "s", time(of: BenchmarkCase.longest)),
            bar(
                "whole runs of an 8 MB upload per core second", .more, 300, "",
                samples[BenchmarkCase.shortUpload]?.compactMap { $0.perUserSecond("runs") }),
            bar(
                "core seconds for 24 hours of a phone", .less, 5, "s",
                time(of: BenchmarkCase.phoneDay)),
        ]
        let ofQueue = [QueueCase.Deed.enqueue, .start, .cancel, .move].map { deed in
            bar(
                "µs for each \(deed.rawValue) in a queue of 100 000", .less, 50, "µs",
                samples[BenchmarkCase.name(of: deed)]?.compactMap {
                    $0.perUserSecond("operations").map { 1e6 / $0 }
                })
        }
        let ofLaunch = [
            bar(
                "core seconds for a launch with a queue of 100 000", .less, 0.5, "s",
                time(of: BenchmarkCase.name(of: .launch))),
            // The heap holds the queue twice: as the launch got it, and as the engine holds it.
            bar(
                "bytes of memory for each idle session", .less, 1_000, "B",
                launch?.compactMap { sample in
                    sample.cost.heapBytes.map { Double($0) / Double(QueueCase.sessionCount) }
                }),
        ]
        return (bars + ofQueue + ofLaunch).compactMap(\.self)
    }

    private func time(of name: String) -> [Double]? { samples[name]?.map(\.cost.userSeconds) }

    private static func speed(of sample: BenchmarkSample) -> Double? {
        sample.perUserSecond("dataPackets")
    }

    private static func bits(of sample: BenchmarkSample) -> Double? {
        sample.counts["bits"].map { Double($0) / sample.cost.wallSeconds }
    }

    private static func ratios(
        _ over: [BenchmarkSample]?, _ under: [BenchmarkSample]?,
        _ figure: (BenchmarkSample) -> Double?
    ) -> [Double]? {
        guard let over, let under else { return nil }
        return zip(over, under).compactMap { one, other in
            guard let one = figure(one), let other = figure(other) else { return nil }
            return one / other
        }
    }

    private func bar(
        _ name: String, _ better: MeasuredFigure.Better, _ bar: Double, _ unit: String,
        _ values: [Double]?
    ) -> Bar? {
        guard let values, !values.isEmpty else { return nil }
        return Bar(name: name, figure: MeasuredFigure(values, better: better), bar: bar, unit: unit)
    }
}
