import Foundation
import Runs
import Scenario

/// `schema`: print what editors complete and underline scenarios by, and write what people read.
enum SchemaCommand {
    static let command = Command(
        name: "schema", summary: "print the JSON Schema of scenarios, for editors",
        help: """
            usage: ./lab schema [--part | --faults | --suite]
                   ./lab schema --renew

            --part     the schema of parts that scenarios include
            --faults   the schema of files of faults for `serve`
            --suite    the schema of \(SuiteFile.name), which lies beside scenarios
            --renew    print nothing, and write what people read: the tables of keys and sentences
                       in Scenarios/README.md, and the statements in Scenarios/STATEMENTS.md

            An editor with an extension for YAML completes keys and underlines slips by it, where
            a file begins with a line such as
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
            throw UsageError("schema takes no path: it is the same for all files", of: command)
        }
        let asked = kinds.filter { arguments.has($0.0) }
        if arguments.has("--renew") {
            guard asked.isEmpty else {
                throw UsageError("use --renew alone: it prints no schema", of: command)
            }
            try LanguagePages(folder: ReportFolder.url(nil, usual: "Scenarios").path).renew()
            return .allHeld
        }
        guard asked.count < 2 else {
            throw UsageError("use one of --part, --faults and --suite", of: command)
        }
        print((asked.first?.1 ?? .scenario).text)
        return .allHeld
    }
}
