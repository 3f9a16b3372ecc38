import Foundation
import Runs
import Scenario

/// `schema`: print the JSON Schema for editors, and write the tables of the language page.
enum SchemaCommand {
    static let command = Command(
        name: "schema", summary: "print the JSON Schema of scenarios, for editors",
        switches: kinds.map(\.option) + ["--renew"],
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

    private static let kinds: [(option: String, schema: LanguageSchema)] = [
        ("--part", .part), ("--faults", .faults), ("--suite", .suite),
    ]

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        try arguments.require(
            arguments.paths.isEmpty,
            "schema takes no path, because all files have the same schema")
        let asked = kinds.filter { arguments.has($0.option) }
        if arguments.has("--renew") {
            try arguments.require(
                asked.isEmpty, "--renew prints no schema, so it takes no other option")
            try LanguagePages(folder: ReportFolder.url(nil, usual: "Scenarios").path).renew()
            return .allHeld
        }
        try arguments.require(
            asked.count < 2, "--part, --faults and --suite exclude each other")
        print((asked.first?.schema ?? .scenario).text)
        return .allHeld
    }
}
