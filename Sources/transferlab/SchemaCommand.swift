import Scenario

/// `schema`: print what editors complete and underline scenarios by.
enum SchemaCommand {
    static let command = Command(
        name: "schema", summary: "print the JSON Schema of scenarios, for editors",
        help: """
            usage: ./lab schema [--part | --faults]

            --part     the schema of parts that scenarios include
            --faults   the schema of files of faults for `serve`

            An editor with an extension for YAML completes keys and underlines slips by it, where
            a file begins with a line such as
                # yaml-language-server: $schema=../scenario.schema.json

            Exit codes: 0 printed.

            Example: ./lab schema >Scenarios/scenario.schema.json
            """,
        run: run)

    private static func run(_ words: [String]) throws -> ExitCode {
        let arguments = try Arguments(words, of: command, switches: ["--part", "--faults"])
        guard arguments.paths.isEmpty else {
            throw UsageError("schema takes no path: it is the same for all files", of: command)
        }
        guard !arguments.has("--faults") || !arguments.has("--part") else {
            throw UsageError("--part and --faults stand there together", of: command)
        }
        let schema: LanguageSchema =
            arguments.has("--faults") ? .faults : arguments.has("--part") ? .part : .scenario
        print(schema.text)
        return .allHeld
    }
}
