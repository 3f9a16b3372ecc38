package import Foundation
import Reports
import Scenario

/// The committed simulated figures, which show a reviewer whether a change moves any of them.
///
/// Digests are left out, because they change with every new fact of the log.
package struct Baselines {
    private let root: URL

    /// `root` is the project's folder.
    package init(root: URL) { self.root = root }

    /// The committed figures under a name, and this build's figures.
    package struct Pair {
        let name: String
        let committed: FigureSheet?
        let current: FigureSheet
    }

    /// Plays everything that has a baseline.
    /// `tell` hears what begins, and how many of how many parts are done.
    package func pairs(
        _ tell: (_ words: String, _ done: Int, _ count: Int) -> Void
    ) throws(RunFailure) -> [Pair] {
        [
            try pair("scenarios", FigureSheet(suite: try suite(tell), withDigests: false)),
            try pair("bench", try benchmark(tell)),
        ]
    }

    /// Compares all pairs at once. Missing and new figures count as differences.
    package static func comparison(of pairs: [Pair]) -> FigureComparison {
        FigureComparison(
            of: FigureSheet(subjects: pairs.flatMap { $0.committed?.subjects ?? [] }),
            with: FigureSheet(subjects: pairs.flatMap(\.current.subjects)), isStrict: true)
    }

    package func renew(_ pair: Pair) throws(RunFailure) {
        try ResultFile.write(SheetJSON.data(pair.current), to: file(of: pair.name))
    }

    private func pair(_ name: String, _ current: FigureSheet) throws(RunFailure) -> Pair {
        let file = file(of: name)
        let isThere = FileManager.default.fileExists(atPath: file)
        return Pair(
            name: name, committed: isThere ? try ResultFile.read(file) : nil, current: current)
    }

    private func file(of name: String) -> String {
        root.appending(path: "Reports/baselines/\(name).json").path
    }

    private func suite(_ tell: (String, Int, Int) -> Void) throws(RunFailure) -> Suite {
        let scenarios = try ScenarioFiles.read([root.appending(path: "Scenarios").path])
        var suite = try SuiteRun(SuiteCase.all(of: scenarios), folder: nil).play { moment in
            if case .began(let scenario, let number, let count) = moment {
                tell(scenario.name, number - 1, count)
            }
        }
        // Names must not depend on the project's place.
        let prefix = RunFolder.name(for: root.path) + "/"
        for index in suite.entries.indices {
            let folder = suite.entries[index].folder
            if folder.hasPrefix(prefix) {
                suite.entries[index].folder = String(folder.dropFirst(prefix.count))
            }
        }
        return suite
    }

    private func benchmark(_ tell: (String, Int, Int) -> Void) throws(RunFailure) -> FigureSheet {
        var sheet = FigureSheet(subjects: [])
        for one in BenchmarkCase.all where !one.isLong {
            // The scenarios' pace tells nothing about the time of these cases.
            tell(one.name, 0, 0)
            let exact = try one.play().exact.filter { $0.key != "digest" }
            sheet.subjects.append(FigureSubject(name: one.name, about: one.about, exact: exact))
        }
        return sheet
    }
}
