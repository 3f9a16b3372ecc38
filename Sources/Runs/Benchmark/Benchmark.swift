import Foundation

/// Cases that are played repeatedly: each time in a process of its own, so that no case profits
/// from another's memory, and in turns, so that a busy minute of the machine hits all of them.
package struct Benchmark {
    private let cases: [BenchmarkCase]
    private let peer: PeerProgram?
    private let repetitions: Int

    /// The internal command that plays one case once.
    package static let caseCommand = "bench-case"

    package init(_ cases: [BenchmarkCase], peer: PeerProgram?, repetitions: Int) {
        self.cases = cases
        self.peer = peer
        self.repetitions = repetitions
    }

    package func measure(
        _ tell: (_ words: String, _ done: Int, _ count: Int) -> Void
    ) throws(RunFailure) -> FigureSheet {
        let count = repetitions * cases.count
        var samples = [[BenchmarkSample]](repeating: [], count: cases.count)
        var peerSamples: [BenchmarkSample] = []
        let loadBefore = Self.load
        for repetition in 1...repetitions {
            for (place, one) in cases.enumerated() {
                let done = (repetition - 1) * cases.count + place
                tell("[\(repetition)/\(repetitions)] \(one.name)", done, count)
                samples[place].append(try Self.sample(of: one))
                guard let peer, one.name == PeerProgram.counterpart else { continue }
                tell("[\(repetition)/\(repetitions)] \(PeerProgram.name)", done, count)
                peerSamples.append(try peer.sample())
            }
        }
        var sheet = FigureSheet(subjects: [])
        for (one, taken) in zip(cases, samples) {
            sheet.subjects.append(
                try FigureSubject(name: one.name, about: one.about, samples: taken))
        }
        if peer != nil {
            sheet.subjects.append(
                try FigureSubject(
                    name: PeerProgram.name, about: PeerProgram.about, samples: peerSamples))
        }
        let named = Dictionary(uniqueKeysWithValues: zip(cases.map(\.name), samples))
        sheet.bars = BenchmarkBars(samples: named, peer: peerSamples).all
        sheet.machine = MeasuringMachine(
            processor: Self.processor, cores: ProcessInfo.processInfo.activeProcessorCount,
            build: Self.build, repetitions: repetitions, loadBefore: loadBefore,
            loadAfter: Self.load)
        return sheet
    }

    private static func sample(of one: BenchmarkCase) throws(RunFailure) -> BenchmarkSample {
        try MeasuredProcess.figures(
            of: "/proc/self/exe", [caseCommand, one.name], doing: one.name)
    }

    // MARK: The machine

    private static var build: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }

    private static var load: Double {
        let text = FileManager.default.contents(atPath: "/proc/loadavg") ?? Data()
        return String(decoding: text, as: UTF8.self).split(separator: " ").first
            .flatMap { Double($0) } ?? 0
    }

    private static var processor: String {
        let text = FileManager.default.contents(atPath: "/proc/cpuinfo") ?? Data()
        let line = String(decoding: text, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("model name") }
        let name = line?.split(separator: ":", maxSplits: 1).last
        return name?.trimmingCharacters(in: .whitespaces) ?? "an unknown processor"
    }
}
