import Quantities
import RunLog

extension Suite {
    /// The medians of each scenario file over its runs, with units as the last words of names.
    package var medians: [(subject: String, figures: [String: Double])] {
        RunGroup.files(of: self).map { group in
            let figures: [(String, Double?)] = [
                (
                    "completionNanoseconds",
                    group.median(\.completion).map { Double($0.nanoseconds) }
                ),
                (
                    "goodputBitsPerSecond",
                    group.median(\.goodput).map { Double($0.bitsPerSecond) }
                ),
                ("sentAgainBytes", group.median(\.sentAgain).map { Double($0.bytes) }),
                ("red", Double(group.red)),
            ]
            return (
                group.path,
                figures.reduce(into: [:]) { sum, figure in sum[figure.0] = figure.1 }
            )
        }
    }
}

/// The runs of one scenario file: a run for each seed, or for each case of its matrix and each
/// seed.
struct RunGroup {
    var path: String
    var entries: [SuiteEntry]

    /// The scenario's name, without the case of a matrix.
    var name: String { entries[0].scenario }
    var about: ScenarioAbout? { entries[0].about }
    var red: Int { entries.count { !$0.judgement.isGreen } }

    /// The folder of the file, for people: `Scenarios/queue`.
    var folder: String {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return folder.isEmpty ? "." : folder.joined(separator: "/")
    }

    /// The runs of each case, in order; a file without a matrix has one case.
    var cases: [RunGroup] {
        entries.gathered(by: \.variant).map { RunGroup(path: path, entries: $0) }
    }

    /// The invariants that a run of the group failed, or of which it decided a clause.
    var rules: [String] {
        let failed = entries.flatMap { $0.breaches.filter { $0.place == nil }.map(\.rule) }
        let decided = entries.flatMap { $0.evidence?.rules ?? [] }
        return Set(failed + decided).sorted()
    }

    /// Returns the groups of files in order of their first run.
    static func files(of suite: Suite) -> [RunGroup] {
        suite.entries.gathered(by: \.path).map { RunGroup(path: $0[0].path, entries: $0) }
    }
}

extension RunGroup {
    /// Returns the median of a figure over the runs that have it; `nil` if none has.
    func median<Figure: Comparable>(_ figure: (SuiteEntry) -> Figure?) -> Figure? {
        let sorted = entries.compactMap(figure).sorted()
        return sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
    }
}
