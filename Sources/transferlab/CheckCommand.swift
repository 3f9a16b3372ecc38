import DocrootServer
import Foundation
import Reports
import Runs
import Scenario

/// `check`: read scenarios, and report their mistakes without playing them.
enum CheckCommand {
    static let command = Command(
        name: "check", summary: "read scenario files and point out every mistake",
        operand: .scenario, options: [.init("--report", .folder), Announcer.option],
        switches: ["--json"],
        help: """
            usage: ./lab check PATH… [--json] [--annotations] [--report DIR]

            PATH is a scenario file, a folder of scenarios, or a file of faults for `serve`,
            whose name ends in \(FaultScripts.ending). Nothing is played. Mistakes are
            printed in the form of compilers, as path:line:column: error: message.

              --json        print the scenarios, or the mistakes, as JSON
            \(Announcer.help)
              --report DIR  where the report for GitLab goes (default: Reports/check)

            Exit codes: 0 all files can be played, 2 a file has mistakes.

            Example: ./lab check Scenarios
            """,
        run: run)

    /// The files at some paths.
    fileprivate struct Findings: Encodable {
        var faultFiles: [FaultFile] = []
        var scenarios: [Entry] = []
        /// What the runs must show together.
        var sometimes: [String] = []
        /// Whether the runs must decide each clause of the invariants.
        var demandsEvidence = false
        var mistakes: [Mistake] = []

        struct FaultFile: Encodable {
            var path: String
            var faults: Int
        }

        struct Entry: Encodable {
            var path: String
            var name: String
            var hint: String?
        }

        /// A mistake; without a file, it is about a path of the command line.
        struct Mistake: Encodable {
            var file: String?
            var line: Int?
            var column: Int?
            var message: String
            var expected: String?
            var suggestion: String?
            var trail: [String]?
        }
    }

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let paths = try arguments.scenarioPaths()
        let announcer = Announcer(
            arguments, folder: ReportFolder.url(arguments["--report"], usual: "Reports/check"))
        var findings = Findings()
        do {
            findings = try announcer.announcingMistakes { try self.findings(at: paths) }
        } catch let failure as RunFailure where arguments.has("--json") {
            findings.mistakes = failure.complaints.map(Findings.Mistake.init)
        }
        if arguments.has("--json") {
            Terminal.show(RunJSON.data(of: "check", findings))
        } else {
            show(findings)
        }
        guard findings.mistakes.isEmpty else { return .couldNotRun }
        try announcer.announce(
            TestReport(ofChecked: findings.scenarios.map { ($0.path, $0.name) }, in: Workspace()))
        return .allHeld
    }

    private static func findings(at paths: [String]) throws(RunFailure) -> Findings {
        var findings = Findings()
        let scripts = paths.filter { $0.hasSuffix(FaultScripts.ending) }
        for path in scripts {
            findings.faultFiles.append(
                .init(path: path, faults: try FaultScripts.read(path).rules.count))
        }
        let scenarios = try ScenarioFiles.read(
            paths.filter { !scripts.contains($0) && !ScenarioFiles.isSuite($0) })
        findings.scenarios = scenarios.map {
            .init(path: $0.path, name: $0.name, hint: $0.reasonHint)
        }
        let demands = try ScenarioFiles.demands(of: paths)
        findings.sometimes = demands.sometimes.map(\.words)
        findings.demandsEvidence = demands.evidence != nil
        return findings
    }

    private static func show(_ findings: Findings) {
        for file in findings.faultFiles {
            let faults = file.faults == 1 ? "1 fault" : "\(file.faults) faults"
            Terminal.say("\(file.path): \(faults) can happen")
        }
        if !findings.sometimes.isEmpty {
            let words = findings.sometimes.map { "“\($0)”" }.joined(separator: ", ")
            Terminal.say("together, the runs must show \(words)")
        }
        if findings.demandsEvidence {
            Terminal.say("together, the runs must decide each clause of the invariants")
        }
        for entry in findings.scenarios {
            let hint = entry.hint.map { "; hint: \($0)" } ?? ""
            Terminal.say("\(entry.path): “\(entry.name)” can be played\(hint)")
        }
    }
}

extension CheckCommand.Findings.Mistake {
    fileprivate init(_ complaint: RunFailure.Complaint) {
        switch complaint {
        case .plain(let words): self.init(message: words)
        case .mistake(let diagnostic):
            self.init(
                file: diagnostic.file, line: diagnostic.line, column: diagnostic.column,
                message: diagnostic.message, expected: diagnostic.expected,
                suggestion: diagnostic.suggestion,
                trail: diagnostic.trail.isEmpty ? nil : diagnostic.trail)
        }
    }
}
