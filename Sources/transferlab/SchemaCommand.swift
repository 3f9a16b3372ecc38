import Foundation
import Reports
import Runs
import Scenario

/// `schema`: print a JSON Schema, and write the tables of the language page.
enum SchemaCommand {
    static let command = Command(
        name: "schema", summary: "print the JSON Schema of scenarios, or of result files",
        options: ["--of"],
        switches: kinds.map(\.option) + ["--renew"],
        help: """
            usage: ./lab schema [--part | --faults | --suite]
                   ./lab schema --of NAME
                   ./lab schema --renew

            --part     the schema of parts that scenarios include
            --faults   the schema of fault files for `serve`
            --suite    the schema of \(SuiteFile.name)
            --of NAME  the schema of a file that the program writes:
            \(Help.columns(FileSchemas.all.map { ($0.name, $0.about) }, indent: 13))
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
        if let name = arguments["--of"] {
            try arguments.require(
                !(kinds.map(\.option) + ["--renew"]).contains(where: arguments.has),
                "--of prints one schema, so it takes no other option")
            print(try fileSchema(named: name).text)
            return .allHeld
        }
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

    private static func fileSchema(named name: String) throws(UsageError) -> FileSchema {
        guard let schema = FileSchemas.all.first(where: { $0.name == name }) else {
            throw UsageError(
                "there is no schema of “\(name)”", meant: name, among: FileSchemas.all.map(\.name),
                remedy: "./lab help schema lists them")
        }
        return schema
    }
}
