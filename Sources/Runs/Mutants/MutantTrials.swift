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
        progress: (String) -> Void = { _ in }, told: (MutantFinding) -> Void
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
        var failure: RunFailure?
        _ = try RunWorkers<MutantFinding>.products(count: trials.count, jobs: jobs) {
            (index) throws(RunFailure) in
            try trials[index].play(stages)
        } finished: { _, outcome in
            guard case .success(let finding) = outcome else { return }
            told(finding)
            do throws(RunFailure) { try keep(finding) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private func keep(_ finding: MutantFinding) throws(RunFailure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            let line = try encoder.encode(finding) + Data("\n".utf8)
            if let file = FileHandle(forWritingAtPath: book.path) {
                try file.seekToEnd()
                try file.write(contentsOf: line)
                try file.close()
            } else {
                try line.write(to: book)
            }
        } catch {
            throw RunFailure("\(book.path) cannot be written: \(error.systemReason)")
        }
    }
}
