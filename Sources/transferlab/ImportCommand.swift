import Foundation
import Reports
import Runs

/// `import`: draft a scenario from a phone's log.
enum ImportCommand {
    static let command = Command(
        name: "import", summary: "draft a scenario from a device log",
        operand: .file, options: [.init("--to", .file), "--name"], switches: ["--json"],
        help: """
            usage: ./lab import DEVICE-LOG [--to FILE] [--name NAME] [--json]

            DEVICE-LOG has one JSON object per line: "time" in seconds or as a date,
            "event", and the keys of that event (listed in Scenarios/README.md). The draft
            can be played as it is. The assumptions and the unused lines are printed and
            added at its end.

              --to FILE    write the draft to FILE, which must not exist (default: print it)
              --name NAME  the name of the scenario
              --json       print draft, assumptions and unused lines as JSON

            Exit codes: 0 a draft was made, 2 no line of the log can be used.

            Example: ./lab import Scenarios/field/example.device.jsonl
            """,
        run: run)

    private struct Summary: Encodable {
        var draft: String
        var used: Int
        var assumed: [String]
        var unused: [DeviceLog.UnusedLine]
    }

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let path = try arguments.onlyPath("one device log")
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw RunFailure("\(path) cannot be read; name a file that you may read")
        }
        let draft = try FieldImport(bytes, path: path, name: arguments["--name"])
        if let target = arguments["--to"] { try write(draft.text, to: target) }
        if arguments.has("--json") {
            let summary = Summary(
                draft: draft.text, used: draft.usedCount, assumed: draft.assumptions,
                unused: draft.unused)
            Terminal.show(RunJSON.data(of: "import", summary))
        } else if arguments["--to"] == nil {
            print(draft.text, terminator: "")
        }
        tell(draft, of: path, target: arguments["--to"])
        return .allHeld
    }

    /// Reports on standard error, because the draft itself may go to a file or a pipe.
    private static func tell(_ draft: FieldImport, of path: String, target: String?) {
        Terminal.note("lines used: \(draft.usedCount), not used: \(draft.unused.count)")
        for line in draft.unused {
            Terminal.note("\(path):\(line.line):1: warning: not used: \(line.why)")
        }
        for words in draft.assumptions { Terminal.note("assumed: \(words)") }
        if let target { Terminal.note("play it with ./lab run \(target)") }
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
