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
        for one in coverage.covered {
            let more = one.paths.count > 1 ? ", …" : ""
            covered.add([one.statement, "\(one.paths.count)", one.paths[0] + more])
        }
        let nothing =
            coverage.uncovered.isEmpty
            ? "Every statement is covered."
            : Paragraph.wrapped(
                "Nothing covers " + coverage.uncovered.inRanges.joined(separator: ", ") + ".",
                indent: "", rest: "  ")
        let count = coverage.scenarios.count
        return """
            \(table.text)

            Covered, by how many, and the first of them:
            \(covered.text)

            \(nothing)
            \(count) scenario\(count == 1 ? "" : "s"); covered: \(coverage.covered.count), \
            statements that are not: \(coverage.uncovered.count).
            """
    }
}

extension [String] {
    /// `A1 to A3` for three statements and more in a row.
    fileprivate var inRanges: [String] {
        var rows: [[String]] = []
        for statement in self {
            if let last = rows.last?.last, statement.follows(last) {
                rows[rows.count - 1].append(statement)
            } else {
                rows.append([statement])
            }
        }
        return rows.flatMap { $0.count < 3 ? $0 : ["\($0[0]) to \($0[$0.count - 1])"] }
    }
}

extension String {
    fileprivate func follows(_ other: String) -> Bool {
        guard prefix(1) == other.prefix(1), let number = Int(dropFirst()),
            let before = Int(other.dropFirst())
        else { return false }
        return number == before + 1
    }
}
