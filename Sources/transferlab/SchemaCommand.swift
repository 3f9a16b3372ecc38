import Scenario

/// `schema`: print what editors complete and underline scenarios by.
enum SchemaCommand {
    static let command = Command(
        name: "schema", summary: "print the JSON Schema of scenarios, for editors",
        help: """
            usage: ./lab schema [--part | --faults | --suite]

            --part     the schema of parts that scenarios include
            --faults   the schema of files of faults for `serve`
            --suite    the schema of \(SuiteFile.name), which lies beside scenarios

            An editor with an extension for YAML completes keys and underlines slips by it, where
            a file begins with a line such as
                # yaml-language-server: $schema=../scenario.schema.json

            Exit codes: 0 printed.

            Example: ./lab schema >Scenarios/scenario.schema.json
            """,
        run: run)

    private static func run(_ words: [String]) throws -> ExitCode {
        let kinds: [(String, LanguageSchema)] = [
            ("--part", .part), ("--faults", .faults), ("--suite", .suite),
        ]
        let arguments = try Arguments(words, of: command, switches: kinds.map(\.0))
        guard arguments.paths.isEmpty else {
            throw UsageError("schema takes no path: it is the same for all files", of: command)
        }
        let asked = kinds.filter { arguments.has($0.0) }
        guard asked.count < 2 else {
            let names = asked.map(\.0).joined(separator: " and ")
            throw UsageError("\(names) stand there together", of: command)
        }
        print((asked.first?.1 ?? .scenario).text)
        return .allHeld
    }
}
