/// The result of playing a case once: simulated figures, amounts of work, and their cost.
package struct BenchmarkSample: Hashable, Sendable, Codable {
    package var exact: [String: FigureValue]
    /// Amounts of work by name: data packets, events, runs.
    package var counts: [String: UInt64]
    package var cost: Cost

    func perUserSecond(_ count: String) -> Double? {
        counts[count].map { Double($0) / cost.userSeconds }
    }

    var measured: [String: (value: Double, better: MeasuredFigure.Better)] {
        var figures: [String: (value: Double, better: MeasuredFigure.Better)] = [
            "wallSeconds": (cost.wallSeconds, .less), "userSeconds": (cost.userSeconds, .less),
            "peakBytes": (Double(cost.peakBytes), .less),
        ]
        // The peer does not tell its heap.
        if let heap = cost.heapBytes { figures["heapBytes"] = (Double(heap), .less) }
        for (name, count) in counts {
            figures["\(name)PerUserSecond"] = (Double(count) / cost.userSeconds, .more)
            figures["\(name)PerWallSecond"] = (Double(count) / cost.wallSeconds, .more)
        }
        return figures
    }
}

extension FigureSubject {
    /// Takes all samples of one case, whose exact figures must be equal.
    init(name: String, about: String, samples: [BenchmarkSample]) throws(RunFailure) {
        guard let first = samples.first else {
            preconditionFailure("no sample of \(name) was taken")
        }
        for sample in samples where sample.exact != first.exact {
            let figure = sample.exact.keys.sorted().first { sample.exact[$0] != first.exact[$0] }
            throw RunFailure(
                "\(name) gave different results: “\(figure ?? "a figure")” differs; a run "
                    + "must be a pure function of its plan and its seed")
        }
        let measured = samples.map(\.measured)
        self.init(
            name: name, about: about, exact: first.exact,
            measured: measured[0].reduce(into: [:]) { figures, entry in
                let values = measured.compactMap { $0[entry.key]?.value }
                figures[entry.key] = MeasuredFigure(values, better: entry.value.better)
            })
    }
}
