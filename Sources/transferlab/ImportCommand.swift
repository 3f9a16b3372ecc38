import Foundation
import Reports
import Runs

/// `import`: make a draft of a scenario from what a phone has logged.
enum ImportCommand {
    static let command = Command(
        name: "import", summary: "make a draft of a scenario from a device log",
        help: """
            usage: ./lab import DEVICE-LOG [--to FILE] [--name NAME] [--json]

            DEVICE-LOG has a JSON object a line: "time" in seconds or as a date, "event", and what
            belongs to it (Scenarios/README.md lists them). The draft can be played as it is; what
            was assumed, and which lines could not be used, is said and stands at its end.

              --to FILE    write the draft there (default: print it); FILE must not exist
              --name NAME  what the scenario is called
              --json       print draft, assumptions and unused lines as JSON

            Exit codes: 0 a draft was made, 2 nothing in the log can be used.

            Example: ./lab import Scenarios/field/example.device.jsonl
            """,
        run: run)

    private struct Summary: Encodable {
        var draft: String
        var used: Int
        var assumed: [String]
        var unused: [DeviceLog.UnusedLine]
    }

    private static func run(_ words: [String]) throws -> ExitCode {
        let arguments = try Arguments(
            words, of: command, options: ["--to", "--name"], switches: ["--json"])
        guard let path = arguments.paths.first, arguments.paths.count == 1 else {
            throw UsageError("import needs one device log", of: command)
        }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw RunFailure(
                "\(path) cannot be read; it has to be a file, and one that you may read")
        }
        let draft = try FieldImport(bytes, path: path, name: arguments["--name"])
        if let target = arguments["--to"] { try write(draft.text, to: target) }
        if arguments.has("--json") {
            let summary = Summary(
                draft: draft.text, used: draft.usedCount, assumed: draft.assumptions,
                unused: draft.unused)
            print(RunJSON.text(summary, pretty: true))
        } else if arguments["--to"] == nil {
            print(draft.text, terminator: "")
        }
        tell(draft, target: arguments["--to"])
        return .allHeld
    }

    /// Beside the draft, which may go into a file or a pipe.
    private static func tell(_ draft: FieldImport, target: String?) {
        var lines = ["lines used: \(draft.usedCount), not used: \(draft.unused.count)"]
        lines += draft.unused.map { "  line \($0.line): \($0.why)" }
        lines += draft.assumptions.map { "assumed: \($0)" }
        if let target { lines.append("play it with ./lab run \(target)") }
        FileHandle.standardError.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    }

    private static func write(_ text: String, to path: String) throws(RunFailure) {
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: .withoutOverwriting)
        } catch {
            throw RunFailure(
                "\(path) could not be written: \(error.systemReason); choose a new file "
                    + "with --to")
        }
    }
}
