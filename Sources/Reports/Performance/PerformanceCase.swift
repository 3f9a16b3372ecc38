/// A case of a scenario file: its runs in A and in B, with all figures.
package struct PerformanceCase: Hashable, Sendable {
    package let scenario: String
    package let path: String
    /// The case of a matrix, such as `controller=bbr,profile=apple-lte`.
    package let variant: String?
    /// The runs of each seed; those of a single suite are in `after`.
    let before: [SuiteEntry]
    let after: [SuiteEntry]
    let figures: [Row]
    package let result: Result
    /// The seeds that complete in A, but not in B.
    let lost: Int

    struct Row: Hashable, Sendable {
        var figure: PerformanceFigure
        var before: Spread?
        var after: Spread?
        /// `nil` if no pair of runs has the figure.
        var change: PairedChange?

        var finding: Finding? {
            guard let change else { return nil }
            if change.low > 0 { return figure.isMoreBetter ? .better : .worse }
            if change.high < 0 { return figure.isMoreBetter ? .worse : .better }
            return .same
        }
    }

    package enum Finding: String, Hashable, Sendable, Codable, CaseIterable {
        case better, worse
        case same = "no difference"
    }

    /// The finding of the time to completion.
    package enum Result: String, Hashable, Sendable, Codable, CaseIterable {
        case slower, faster, equal
        /// No run of A has the seed of a run of B.
        case unpaired = "without a pair"
        case onlyBefore = "only in A"
        case onlyAfter = "only in B"
    }

    init(before: [SuiteEntry], after: [SuiteEntry]) {
        let first = after.first ?? before[0]
        (scenario, path, variant) = (first.scenario, first.path, first.variant)
        (self.before, self.after) = (before, after)
        let pairs = Self.pairs(before, after)
        let stream = "\(first.path) \(first.variant ?? "") "
        figures = PerformanceFigure.all(of: before + after).map { figure in
            let values = pairs.compactMap { pair -> (before: Double, after: Double)? in
                guard let one = figure.value(in: pair.before),
                    let other = figure.value(in: pair.after)
                else { return nil }
                return (one, other)
            }
            return Row(
                figure: figure, before: Spread(before.compactMap(figure.value)),
                after: Spread(after.compactMap(figure.value)),
                change: PairedChange(values, stream: stream + figure.key))
        }
        lost = pairs.count { $0.before.completion != nil && $0.after.completion == nil }
        let won = pairs.count { $0.before.completion == nil && $0.after.completion != nil }
        let completion = figures.first { $0.figure == .completion }
        result =
            if before.isEmpty {
                .onlyAfter
            } else if after.isEmpty {
                .onlyBefore
            } else if pairs.isEmpty {
                .unpaired
            } else if lost > 0 || completion?.finding == .worse {
                .slower
            } else if won > 0 || completion?.finding == .better {
                .faster
            } else {
                .equal
            }
    }

    private static func pairs(
        _ before: [SuiteEntry], _ after: [SuiteEntry]
    ) -> [(before: SuiteEntry, after: SuiteEntry)] {
        let seeds = Dictionary(after.map { ($0.seed, $0) }) { first, _ in first }
        return before.compactMap { entry in seeds[entry.seed].map { (entry, $0) } }
    }

    /// The name of its scenario without the case, which ends the name in brackets.
    var fileTitle: String {
        guard variant != nil, let bracket = scenario.lastIndex(of: "[") else { return scenario }
        return String(scenario[..<bracket].dropLast())
    }

    /// The case in words, within its file.
    var caseWords: String { variant?.replacing(",", with: ", ") ?? "all seeds" }

    /// The names and values of its matrix, in the order of the file.
    var axes: [Axis] {
        var axes: [Axis] = []
        for part in (variant ?? "").split(separator: ",") {
            if let sign = part.firstIndex(of: "=") {
                axes.append(
                    Axis(
                        name: String(part[..<sign]),
                        value: String(part[part.index(after: sign)...])))
            } else if !axes.isEmpty {
                // The value itself has a comma.
                axes[axes.count - 1].value += "," + part
            }
        }
        return axes
    }

    struct Axis: Hashable, Sendable {
        var name: String
        var value: String
    }

    func row(of figure: PerformanceFigure) -> Row? { figures.first { $0.figure == figure } }

    /// Whether every figure is the same in both suites, as far as the runs can tell.
    var isSame: Bool {
        result == .equal && figures.allSatisfy { $0.finding == nil || $0.finding == .same }
    }

    /// Whether the case is slower by more than a share of A: its whole interval lies above.
    package func isSlower(than share: Double) -> Bool {
        guard lost == 0 else { return true }
        guard let change = row(of: .completion)?.change else { return false }
        return change.low > (change.isRelative ? share : 0)
    }

    /// A sentence about a case that is too slow.
    package var complaint: String {
        let completion = row(of: .completion)
        guard lost == 0, let change = completion?.change else {
            return "\(scenario): \(lost) of \(before.count) runs complete no longer"
        }
        let words = PerformanceTables.words(completion?.before, of: .completion)
        let others = PerformanceTables.words(completion?.after, of: .completion)
        return "\(scenario): completed in \(others) instead of \(words), "
            + "\(PerformanceFigure.completion.words(change))"
    }
}
