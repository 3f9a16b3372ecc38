import Foundation
import Runs
import Scenario

/// `schema`: print the JSON Schema for editors, and write the tables of the language page.
enum SchemaCommand {
    static let command = Command(
        name: "schema", summary: "print the JSON Schema of scenarios, for editors",
        help: """
            usage: ./lab schema [--part | --faults | --suite]
                   ./lab schema --renew

            --part     the schema of parts that scenarios include
            --faults   the schema of fault files for `serve`
            --suite    the schema of \(SuiteFile.name)
            --renew    print nothing, and rewrite the tables of keys and sentences in
                       Scenarios/README.md and the statements in Scenarios/STATEMENTS.md

            With this schema, an editor with a YAML extension completes keys and underlines
            mistakes in each file that begins with a line such as
                # yaml-language-server: $schema=../scenario.schema.json

            Exit codes: 0 printed or written, 2 a page cannot be written.

            Example: ./lab schema >Scenarios/scenario.schema.json
            """,
        run: run)

    private static func run(_ words: [String]) throws -> ExitCode {
        let kinds: [(String, LanguageSchema)] = [
            ("--part", .part), ("--faults", .faults), ("--suite", .suite),
        ]
        let arguments = try Arguments(
            words, of: command, switches: kinds.map(\.0) + ["--renew"])
        guard arguments.paths.isEmpty else {
            throw UsageError(
                "schema takes no path, because all files have the same schema", of: command)
        }
        let asked = kinds.filter { arguments.has($0.0) }
        if arguments.has("--renew") {
            guard asked.isEmpty else {
                throw UsageError(
                    "--renew prints no schema, so it takes no other option", of: command)
            }
            try LanguagePages(folder: ReportFolder.url(nil, usual: "Scenarios").path).renew()
            return .allHeld
        }
        guard asked.count < 2 else {
            throw UsageError("--part, --faults and --suite exclude each other", of: command)
        }
        print((asked.first?.1 ?? .scenario).text)
        return .allHeld
    }
}
