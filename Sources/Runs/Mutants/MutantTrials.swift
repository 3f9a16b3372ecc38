import Foundation

/// Tries many mutants, several at a time, and keeps what was found, so that an interrupted call can
/// go on where it was.
package struct MutantTrials {
    private let bench: MutantBench
    /// The findings, a line each, in the order in which they came.
    private let book: URL
    private let field: MutantField

    package init(_ field: MutantField, in tree: PlantedTree) {
        self.field = field
        bench = MutantBench(tree: tree.folder)
        book = bench.folder.appending(path: "findings.jsonl")
    }

    /// Returns the latest finding about each mutant as it is written now.
    package func findings() -> [String: MutantFinding] {
        let text = (try? String(contentsOf: book, encoding: .utf8)) ?? ""
        var findings: [String: MutantFinding] = [:]
        for line in text.split(separator: "\n") {
            guard
                let finding = try? JSONDecoder().decode(
                    MutantFinding.self, from: Data(line.utf8))
            else { continue }
            findings[finding.mutant] = finding
        }
        return findings.filter { name, finding in
            field.mutants.contains { $0.name == name && $0.fingerprint == finding.text }
        }
    }

    /// Whether the finding answers the question which of these stages notices the mutant first.
    package static func settles(_ finding: MutantFinding, _ stages: [MutantStage]) -> Bool {
        finding.stage.map(stages.contains) ?? Set(stages).isSubset(of: finding.tried)
    }

    /// Plays what no finding settles, and tells of each as it ends. With `again`, earlier findings
    /// say only which scenario to try first; `hints` names one for mutants without a finding.
    package func play(
        _ mutants: [Mutant], _ stages: [MutantStage], again: Bool, jobs: Int,
        hints: [String: String] = [:],
        progress: (String) -> Void = { _ in },
        told: (_ finding: MutantFinding, _ done: Int, _ count: Int) -> Void
    ) throws(RunFailure) {
        let known = findings()
        let open = mutants.filter { mutant in
            again || !(known[mutant.name].map { Self.settles($0, stages) } ?? false)
        }
        guard !open.isEmpty else { return }
        var reach = MutantReach(in: bench.folder.appending(path: "reach"))
        let parts = stages.flatMap { MutantCall.parts(of: $0, in: bench.tree) }
        try reach.measure(parts, with: bench, jobs: jobs, told: progress)
        let trials = open.map { mutant in
            let earlier = known[mutant.name]
            return MutantTrial(
                number: field.number(of: mutant), mutant: mutant, bench: bench, reach: reach,
                hint: earlier?.stage == .scenarios ? earlier?.subject : hints[mutant.name])
        }
        let book = book
        var done = 0
        _ = try RunWorkers<MutantFinding>.products(
            count: trials.count, jobs: jobs, label: { trials[$0].mutant.name },
            play: { index throws(RunFailure) in
                let finding = try trials[index].play(stages)
                try Self.keep(finding, in: book)
                return finding
            },
            finished: { _, outcome in
                done += 1
                if case .success(let finding) = outcome { told(finding, done, trials.count) }
            })
    }

    /// Appends a finding by one write, as several trials end at once.
    private static func keep(_ finding: MutantFinding, in book: URL) throws(RunFailure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            let line = try encoder.encode(finding) + Data("\n".utf8)
            let file = open(book.path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
            guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            defer { close(file) }
            let written = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard written == line.count else { throw POSIXError(.ENOSPC) }
        } catch {
            throw RunFailure("\(book.path) cannot be written: \(error.systemReason)")
        }
    }
}
