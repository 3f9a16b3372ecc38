import Foundation

/// A part of the suite that may notice a mutant; the cheapest come first.
package enum MutantStage: String, CaseIterable, Codable, Sendable {
    case scenarios, figures, chance, crash, tests

    /// What it is called in a table.
    var words: String {
        switch self {
        case .scenarios: "scenarios"
        case .figures: "exact figures"
        case .chance: "random scenarios"
        case .crash: "crash points"
        case .tests: "tests"
        }
    }
}

/// A program of the planted build that is called to notice a mutant.
struct MutantCall: Hashable, Sendable {
    let stage: MutantStage
    /// What notices if it fails: a scenario, a target of tests, or the stage itself.
    let subject: String
    /// The program's path in the planted tree.
    var program = ".build/release/transferlab"
    var arguments: [String]
    /// What takes longer than this has noticed the mutant.
    let seconds: Int
    /// Whether it leaves a report.
    var writesReport = true

    /// Returns the parts of a stage, each of which is called alone.
    static func parts(of stage: MutantStage, in tree: URL) -> [MutantCall] {
        switch stage {
        case .scenarios:
            return files(below: "Scenarios", in: tree).map { scenarios([$0], subject: $0) }
        case .figures:
            return [
                MutantCall(
                    stage: stage, subject: stage.rawValue, arguments: ["compare", "--baselines"],
                    seconds: 300, writesReport: false)
            ]
        case .chance:
            return [
                MutantCall(
                    stage: stage, subject: stage.rawValue,
                    arguments: ["chance", "--runs", "1500", "--jobs", "1"], seconds: 300)
            ]
        case .crash:
            let words = ["crash", "Scenarios", "--filter", "crash-points", "--jobs", "1"]
            return [
                MutantCall(stage: stage, subject: stage.rawValue, arguments: words, seconds: 300)
            ]
        case .tests: return targets(of: tree).map { tests($0) }
        }
    }

    /// Returns the call that plays these files until one is red.
    static func scenarios(_ files: [String], subject: String) -> MutantCall {
        MutantCall(
            stage: .scenarios, subject: subject,
            arguments: ["run"] + files + ["--fail-fast", "--jobs", "1"], seconds: 120)
    }

    /// How a test run ends in which no test was chosen (EX_UNAVAILABLE).
    static let nothingRan: Int32 = 69

    /// Returns the call that runs the tests of a target, `QueueStorageTests`, or of one of its
    /// suites, `QueueStorageTests.SettingAsideTests`.
    static func tests(_ subject: String) -> MutantCall {
        let name = subject.replacing(".", with: "\\.")
        return MutantCall(
            stage: .tests, subject: subject,
            program: ".build/release/TransferLabPackageTests.xctest",
            arguments: [
                "--testing-library", "swift-testing", "--no-parallel", "--filter", "^\(name)[./]",
            ], seconds: 900, writesReport: false)
    }

    /// Tests that look at the sources alone, or at the wrapper, cannot notice a mutant. Others take
    /// minutes to play through the program what the other stages play.
    private static let blind: Set<String> = [
        "TidyTests", "WrapperTests", "RunsTests", "CommandTests",
    ]
    /// The target that takes longest comes last.
    private static let slow = ["LiveTests"]

    private static func targets(of tree: URL) -> [String] {
        let tests = tree.appending(path: "Tests").path
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: tests)) ?? []).sorted()
            .filter { $0.hasSuffix("Tests") && !blind.contains($0) }
        func rank(_ target: String) -> Int { (slow.firstIndex(of: target) ?? -1) + 1 }
        return all.sorted { (rank($0), $0) < (rank($1), $1) }
    }

    private static func files(below folder: String, in tree: URL) -> [String] {
        let place = tree.appending(path: folder).path
        let names = FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String }
        return (names ?? []).map { "\(folder)/\($0)" }.filter(ScenarioFiles.isScenario).sorted()
    }
}
