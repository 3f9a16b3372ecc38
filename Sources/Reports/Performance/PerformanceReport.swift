import RunLog

/// The runs of a suite side by side, or two suites beside each other, case by case.
package struct PerformanceReport: Hashable, Sendable {
    /// The version that played A; `nil` for a single suite.
    let before: ProgramVersion?
    let after: ProgramVersion?
    package let isComparison: Bool
    /// The cases in the order of the suite.
    private let inOrder: [PerformanceCase]
    /// The cases; for a comparison the slowest first.
    package let cases: [PerformanceCase]
    let runs: Int

    /// Takes the files of a suite that have several runs.
    package init(of suite: Suite) {
        let groups = RunGroup.files(of: suite).filter { $0.entries.count > 1 }
        isComparison = false
        before = nil
        after = suite.program
        inOrder = groups.flatMap(\.cases).map { PerformanceCase(before: [], after: $0.entries) }
        cases = inOrder
        runs = cases.reduce(0) { $0 + $1.after.count }
    }

    /// Takes all simulated runs of two suites. Live runs differ each time, so they are left out.
    package init(of left: Suite, with right: Suite) {
        isComparison = true
        before = left.program
        after = right.program
        let (one, other) = (Self.cases(of: left), Self.cases(of: right))
        let places = Dictionary(one.map { (Name($0), $0.entries) }) { first, _ in first }
        let known = Set(other.map { Name($0) })
        inOrder =
            other.map { PerformanceCase(before: places[Name($0)] ?? [], after: $0.entries) }
            + one.filter { !known.contains(Name($0)) }
            .map { PerformanceCase(before: $0.entries, after: []) }
        cases = inOrder.enumerated().sorted { left, right in
            Self.rank(of: left.element, left.offset) < Self.rank(of: right.element, right.offset)
        }.map(\.element)
        runs = other.reduce(0) { $0 + $1.entries.count }
    }

    /// Whether there is anything to compare.
    package var isEmpty: Bool { cases.isEmpty }

    /// Whether any run of A has the same scenario, case and seed as a run of B.
    package var hasPairs: Bool {
        cases.contains { [.slower, .faster, .equal].contains($0.result) }
    }

    package func count(_ result: PerformanceCase.Result) -> Int {
        cases.count { $0.result == result }
    }

    /// The report in one sentence: how many cases are slower, faster and equal.
    package var headline: String {
        let runs = Self.words(runs, "run", "runs")
        let cases = Self.words(cases.count, "case", "cases")
        guard isComparison else {
            return "\(runs), \(cases) of \(Self.words(files.count, "file", "files")) side by side"
        }
        let other = before.map { $0.commit ?? $0.description } ?? "A"
        let counts = PerformanceCase.Result.allCases.dropFirst(3).filter { count($0) > 0 }
            .map { ", \(count($0)) \($0.rawValue)" }
        return "\(runs), \(cases): \(count(.slower)) slower, \(count(.faster)) faster, "
            + "\(count(.equal)) equal to \(other)" + counts.joined()
    }

    /// The cases of each file, in the order of the suite.
    var files: [[PerformanceCase]] { inOrder.gathered(by: \.path) }

    /// The cases of each matrix. A file may have one in A or B alone, or another one in each.
    var matrices: [[PerformanceCase]] {
        inOrder.filter { !$0.axes.isEmpty }.gathered { [$0.path] + $0.axes.map(\.name) }
    }

    private static func words(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }

    private struct Name: Hashable {
        var path: String
        var variant: String?

        init(_ group: RunGroup) { (path, variant) = (group.path, group.entries[0].variant) }
    }

    private static func cases(of suite: Suite) -> [RunGroup] {
        let simulated = Suite(entries: suite.entries.filter { $0.world == .simulated })
        return RunGroup.files(of: simulated).flatMap(\.cases)
    }

    /// Slower cases come first, the slowest of them at the top; then cases with another figure that
    /// is worse.
    private static func rank(of one: PerformanceCase, _ place: Int) -> (Int, Double, Int) {
        let order: Int
        switch one.result {
        case .slower: order = 0
        case .onlyBefore: order = 1
        case .equal, .unpaired, .onlyAfter:
            order =
                one.figures.contains { $0.finding == .worse }
                ? 2 : one.figures.contains { $0.finding == .better } ? 4 : 5
        case .faster: order = 3
        }
        let change = one.row(of: .completion)?.change?.median ?? 0
        return (order, order == 0 && one.lost > 0 ? -.infinity : -change, place)
    }
}
