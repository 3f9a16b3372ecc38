import Foundation
import Reports
import Runs
import Scenario

/// `list`: what scenarios there are, what they cover, and what nothing covers.
enum ListCommand {
    static let command = Command(
        name: "list", summary: "list scenarios, and which statements they cover",
        help: """
            usage: ./lab list [PATH…] [--filter TAG,…] [--json]

            PATH is a scenario file or a folder of them (default: Scenarios). What a scenario cites
            is what it covers: statements such as A11 and S3, and field bugs such as TUSKit#162.

              --filter TAG,…
                            only scenarios that have one of these tags
              --json        print the same as JSON

            Exit codes: 0 listed, 2 a file has mistakes.

            Example: ./lab list Scenarios/queue
            """,
        run: run)

    private static func run(_ words: [String]) throws -> ExitCode {
        let arguments = try Arguments(
            words, of: command, options: ["--filter"], switches: ["--json"])
        let paths = arguments.paths.isEmpty ? ["Scenarios"] : arguments.paths
        let tags = try arguments.tags(of: command)
        let coverage = Coverage(
            of: try ScenarioChoice.tagged(tags, in: ScenarioFiles.read(paths)))
        print(arguments.has("--json") ? RunJSON.text(coverage, pretty: true) : text(for: coverage))
        return .allHeld
    }

    private static func text(for coverage: Coverage) -> String {
        var table = TextTable([.left, .left, .left])
        for row in coverage.scenarios {
            let tags = row.tags.isEmpty ? "" : "  [\(row.tags.joined(separator: ", "))]"
            table.add([row.path, row.name, row.cites.joined(separator: " ") + tags])
        }
        var covered = TextTable([.left, .right, .left])
        var fieldBugs = TextTable([.left, .right, .left])
        for one in coverage.covered {
            let paths = one.paths[0] + (one.paths.count > 1 ? ", …" : "")
            if let text = one.text {
                covered.add([one.statement, "\(one.paths.count)", text])
                covered.add(["", "", paths])
            } else {
                fieldBugs.add([one.statement, "\(one.paths.count)", paths])
            }
        }
        let tables = [covered.text, fieldBugs.text].filter { !$0.isEmpty }
        var uncovered = TextTable([.left, .left])
        for statement in coverage.uncovered { uncovered.add([statement.number, statement.text]) }
        let nothing =
            coverage.uncovered.isEmpty
            ? "Every statement is covered." : "Nothing covers:\n" + uncovered.text
        let count = coverage.scenarios.count
        return """
            \(table.text)

            Covered, by how many, and the first of them:
            \(tables.joined(separator: "\n"))

            \(nothing)

            \(count) scenario\(count == 1 ? "" : "s"); covered: \(coverage.covered.count), \
            statements that are not: \(coverage.uncovered.count).
            """
    }
}
