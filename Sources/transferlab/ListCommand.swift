import Foundation
import Reports
import Runs
import Scenario

/// `list`: list the scenarios, the statements that they cover, and the statements that nothing
/// covers.
enum ListCommand {
    static let command = Command(
        name: "list", summary: "list scenarios, and which statements they cover",
        operand: .scenario, options: ["--about", "--filter", "--runs", "--points", "--jobs"],
        switches: ["--json", "--tests", "--evidence"],
        help: """
            usage: ./lab list [PATH…] [--filter TAG,…] [--json]
                   ./lab list --about "SYMPTOM" [PATH…] [--json]
                   ./lab list --tests [FOLDER] [--json]
                   ./lab list --evidence [PATH…] [--runs N] [--points N] [--jobs N] [--json]

            PATH is a scenario file or a folder of scenarios (default: Scenarios). A
            scenario covers what it cites: statements such as A11 and S3, and field bugs
            such as TUSKit#162.

              --filter TAG,…
                            only scenarios that have one of these tags
              --about "SYMPTOM"
                            the scenarios nearest to a bug, described in your own words, and
                            which of the words no scenario knows
              --tests       list each statement with the tests in FOLDER (default: Tests)
                            that cite it, in their names or their comments
              --evidence    play the scenarios, random runs and crashes, and list each
                            clause of the invariants with the situations that decided it:
                            those in which a wrong engine would have failed. PATH can also
                            be a folder of reports, whose runs are counted instead of played
              --runs N      how many random runs to play for --evidence, in equal parts by
                            each façade alone (default: 500)
              --points N    how many crash points of each scenario to play for --evidence,
                            spread evenly over the run (default: 3)
              --jobs N      how many runs to play in parallel (default: one per core)
              --json        print the same as JSON

            Exit codes: 0 listed, 1 a statement has no test or a clause was never decided, 2
            a file has mistakes.

            Examples: ./lab list Scenarios/queue
                      ./lab list --about "photos are uploaded twice after a crash"
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        if arguments.has("--evidence") { return try EvidenceListing.list(arguments) }
        for option in ["--runs", "--points", "--jobs"] {
            try arguments.require(!arguments.has(option), "\(option) is for --evidence only")
        }
        if arguments.has("--tests") { return try listTests(arguments) }
        let paths = arguments.paths.isEmpty ? ["Scenarios"] : arguments.paths
        if let symptom = arguments["--about"] { return try find(symptom, at: paths, arguments) }
        let tags = try ChoiceOptions.tags(arguments)
        let coverage = Coverage(
            of: try ScenarioChoice.tagged(tags, in: ScenarioFiles.read(paths)))
        if arguments.has("--json") {
            Terminal.show(RunJSON.data(of: "coverage", coverage))
        } else {
            Terminal.say(text(for: coverage))
        }
        return .allHeld
    }

    private static func find(
        _ symptom: String, at paths: [String], _ arguments: Arguments
    ) throws -> ExitCode {
        try arguments.require(!arguments.has("--filter"), "--about takes paths and --json only")
        try arguments.require(
            symptom.contains { $0.isLetter || $0.isNumber },
            "--about takes a bug in your own words, such as “uploaded twice after a crash”")
        let search = SymptomSearch(for: symptom, in: try ScenarioFiles.read(paths))
        if arguments.has("--json") {
            Terminal.show(RunJSON.data(of: "search", search))
        } else {
            Terminal.say(text(for: search))
        }
        return .allHeld
    }

    private static func text(for search: SymptomSearch) -> String {
        var lines: [String] = []
        for hit in search.hits {
            lines.append("\(hit.path)  \(hit.cites.joined(separator: " "))")
            lines.append("    \(hit.name)" + (hit.why.isEmpty ? "" : ": \(hit.why)"))
            lines.append("    because of: \(hit.words.joined(separator: ", "))")
        }
        if search.hits.isEmpty { lines.append("No scenario is near to that.") }
        if !search.unknown.isEmpty {
            lines.append("\nNo scenario speaks of: \(search.unknown.joined(separator: ", ")).")
        }
        if !search.uncovered.isEmpty {
            lines.append("\nNear to it, and covered by no scenario:")
            lines += search.uncovered.map { "\($0.number)  \($0.text)" }
        }
        return lines.joined(separator: "\n")
    }

    private static func listTests(_ arguments: Arguments) throws -> ExitCode {
        try arguments.require(
            arguments.paths.count < 2 && !arguments.has("--filter"),
            "--tests takes one folder and nothing else")
        let citations = try TestCitations(in: arguments.paths.first ?? "Tests")
        if arguments.has("--json") {
            Terminal.show(RunJSON.data(of: "tests", citations))
        } else {
            Terminal.say(text(for: citations))
        }
        return citations.untested.isEmpty ? .allHeld : .fellShort
    }

    private static func text(for citations: TestCitations) -> String {
        var lines: [String] = []
        for row in citations.statements {
            lines.append("\(row.statement)  \(row.text)")
            for test in row.tests { lines.append("      \(test.path):\(test.line)  \(test.words)") }
            if row.tests.isEmpty { lines.append("      no test cites it") }
        }
        let untested = citations.untested
        let end =
            untested.isEmpty
            ? "Each statement has a test." : "Without a test: \(untested.joined(separator: " "))."
        return lines.joined(separator: "\n")
            + "\n\n\(citations.statements.count) statements. \(end)"
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
            ? "Every statement is covered." : "Not covered:\n" + uncovered.text
        let count = coverage.scenarios.count
        return """
            \(table.text)

            Covered, with the number of scenarios and the first of them:
            \(tables.joined(separator: "\n"))

            \(nothing)

            \(count) scenario\(count == 1 ? "" : "s"); covered: \(coverage.covered.count), \
            not covered: \(coverage.uncovered.count).
            """
    }
}
