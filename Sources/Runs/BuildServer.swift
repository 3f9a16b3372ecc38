package import Foundation
package import Reports
import Scenario

/// The build server that shows failures at lines of files, and how it learns about them.
package enum BuildServer: String, CaseIterable, Sendable {
    case github, gitlab, none

    /// Recognizes the server by the variables that it sets.
    package init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        self =
            if environment["GITHUB_ACTIONS"] == "true" {
                .github
            } else if environment["GITLAB_CI"] == "true" {
                .gitlab
            } else {
                .none
            }
    }

    /// Announces the failures of a report. GitHub reads lines of the output and the file that
    /// `GITHUB_STEP_SUMMARY` names; GitLab reads a file in `folder`.
    package func announce(
        _ report: TestReport, in folder: URL?, print: (String) -> Void
    ) throws(RunFailure) {
        switch self {
        case .none: break
        case .github:
            for line in GitHubMessages.annotations(for: report) { print(line) }
            let file = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"] ?? ""
            guard !file.isEmpty else { return }
            // Earlier steps may have written to it.
            try Data(GitHubMessages.summary(of: report).utf8).append(
                to: file, called: "the job summary",
                remedy: "make GITHUB_STEP_SUMMARY writable, or use --annotations none")
        case .gitlab:
            if let folder { try ResultFiles.writeCodeQuality(report, into: folder) }
        }
    }
}

extension Workspace {
    /// The workspace of this process.
    package init() {
        self.init(
            ProcessInfo.processInfo.environment, current: FileManager.default.currentDirectoryPath)
    }
}

extension TestReport {
    /// Makes a case of each scenario that can be played.
    package init(ofChecked scenarios: [(path: String, name: String)], in workspace: Workspace) {
        self.init(
            of: "check",
            scenarios.map { scenario in
                TestCase(
                    suite: ["check"], name: scenario.name,
                    place: SourcePlace(file: workspace.path(scenario.path)))
            })
    }

    /// Makes a case of each mistake that kept scenarios from being played.
    package init(of command: String, mistakesOf failure: RunFailure, in workspace: Workspace) {
        self.init(
            of: command,
            failure.complaints.compactMap { complaint in
                guard case .mistake(let mistake) = complaint else { return nil }
                let place = SourcePlace(
                    file: workspace.path(mistake.file), line: mistake.line, column: mistake.column)
                let hints = [
                    mistake.expected.map { "expected \($0)" },
                    mistake.suggestion.map { "did you mean \($0)?" },
                ]
                var test = TestCase(suite: ["mistakes"], name: mistake.message, place: place)
                test.outcome = .broke(
                    TestFailure(
                        "mistake",
                        ([mistake.message] + hints.compactMap(\.self)).joined(separator: "; ")))
                return test
            })
    }
}
