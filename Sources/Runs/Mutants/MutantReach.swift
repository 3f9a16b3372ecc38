import Foundation

/// Which mutants each part of the suite asks for, measured once with none chosen. A part that never
/// comes to a mutant's place cannot notice it, and is not called.
struct MutantReach {
    private let folder: URL
    private var reached: [String: Set<Int>] = [:]

    /// The variable that names the file of reached mutants.
    static let variable = "TRANSFERLAB_MUTANTS_REACHED"
    /// The most mutants of a project, and one.
    static let size = 4_096

    init(in folder: URL) { self.folder = folder }

    /// Whether this part comes to the mutant's place.
    func isReached(_ number: Int, by subject: String) -> Bool {
        reached[subject]?.contains(number) ?? false
    }

    /// Measures the parts, several at a time. What was measured after the build is kept. A part
    /// that fails without a mutant can judge nothing.
    mutating func measure(
        _ calls: [MutantCall], with bench: MutantBench, jobs: Int, told: (String) -> Void
    ) throws(RunFailure) {
        let built = bench.built
        let files = calls.map { folder.appending(path: Self.name(of: $0.subject)) }
        let open = calls.indices.filter { !Self.isAfter(built, files[$0]) }
        let found = try RunWorkers<MutantAnswer>.products(
            count: open.count, jobs: jobs, label: { calls[open[$0]].subject },
            play: { index throws(RunFailure) in
                let call = calls[open[index]]
                let work = bench.work(of: "reach-\(Self.name(of: call.subject))")
                let mapped = work.appendingPathExtension("map")
                try Self.write(Data(count: Self.size), to: mapped)
                let answer = try bench.answer(to: call, choosing: 0, work: work, reached: mapped)
                let bytes = FileManager.default.contents(atPath: mapped.path) ?? Data()
                if answer.isContent { try Self.write(bytes, to: files[open[index]]) }
                return answer
            },
            finished: { index, _ in
                told("measuring what \(calls[open[index]].subject) reaches")
            })
        for (index, answer) in zip(open, found) where !answer.isContent {
            let call = calls[index]
            throw RunFailure(
                "the planted build fails without a mutant: \(call.subject): "
                    + "\(answer.output.suffix(300)); an edit changes what happens when “mutated” "
                    + "is false, or the project itself is red")
        }
        for (call, file) in zip(calls, files) {
            let bytes = FileManager.default.contents(atPath: file.path) ?? Data()
            reached[call.subject] = Set(bytes.enumerated().filter { $0.element != 0 }.map(\.offset))
        }
    }

    private static func name(of subject: String) -> String {
        subject.replacing("/", with: "_")
    }

    private static func isAfter(_ built: Date, _ file: URL) -> Bool {
        let date = try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
        return (date as? Date).map { $0 > built } ?? false
    }

    private static func write(_ data: Data, to file: URL) throws(RunFailure) {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file)
        } catch {
            throw RunFailure("\(file.path) cannot be written: \(error.systemReason)")
        }
    }
}
