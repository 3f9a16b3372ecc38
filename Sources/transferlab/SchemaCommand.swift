import Scenario

/// `schema`: print what editors complete and underline scenarios by.
enum SchemaCommand {
    static let command = Command(
        name: "schema", summary: "print the JSON Schema of scenarios, for editors",
        help: """
            usage: ./lab schema [--faults]

            --faults   the schema of files of faults for `serve` instead

            An editor with an extension for YAML completes keys and underlines slips by it, where
            a file begins with a line such as
                # yaml-language-server: $schema=../scenario.schema.json

            Exit codes: 0 printed.

            Example: ./lab schema >Scenarios/scenario.schema.json
            """,
        run: run)

    private static func run(_ words: [String]) throws -> ExitCode {
        let arguments = try Arguments(words, of: command, switches: ["--faults"])
        guard arguments.paths.isEmpty else {
            throw UsageError("schema takes no path: it is the same for all files", of: command)
        }
        print((arguments.has("--faults") ? LanguageSchema.faults : .scenario).text)
        return .allHeld
    }
}
