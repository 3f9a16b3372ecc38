package import Foundation
import Scenario

/// A device log made into a draft of a scenario that can be played at once.
package struct FieldImport: Sendable {
    /// The draft, with what was assumed and left out at its end.
    package let text: String
    package let assumptions: [String]
    package let unused: [DeviceLog.UnusedLine]
    package let usedCount: Int

    package init(_ bytes: Data, path: String, name: String?) throws(RunFailure) {
        var log = try DeviceLog(bytes, path: path)
        let file = URL(filePath: path).lastPathComponent
        let title = name ?? "from \(file)"
        var draft = ScenarioDraftText(of: log, name: title, from: file)
        // What the language will not have is taken out, line by line of the log, until all of it
        // can be played.
        while let objection = Self.objection(to: draft) {
            let rest = objection.line.map { log.without($0, because: objection.why) }
            guard let rest, rest.entries.count < log.entries.count else {
                throw RunFailure(
                    "no scenario comes of \(path): \(objection.why); without that it could be "
                        + "played")
            }
            log = rest
            draft = ScenarioDraftText(of: log, name: title, from: file)
        }
        assumptions = draft.assumptions
        unused = log.unused
        usedCount = log.entries.count
        text = draft.text + Self.notes(assumptions, unused)
    }

    private static func objection(to draft: ScenarioDraftText) -> (line: Int?, why: String)? {
        do throws(ScenarioError) {
            _ = try Scenario.read(text: draft.text, path: "draft.yaml")
            return nil
        } catch {
            guard let first = error.diagnostics.first else { return nil }
            let why = first.message + (first.expected.map { "; expected \($0)" } ?? "")
            let index = first.line - 1
            let line = draft.lines.indices.contains(index) ? draft.lines[index].origin : nil
            return (line, why)
        }
    }

    private static func notes(
        _ assumptions: [String], _ unused: [DeviceLog.UnusedLine]
    ) -> String {
        var lines = assumptions.isEmpty ? [] : ["#", "# Assumed:"]
        lines += assumptions.map { "#   \(flat($0))" }
        lines += unused.isEmpty ? [] : ["#", "# Not used:"]
        lines += unused.map { "#   line \($0.line): \(flat($0.why))" }
        return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
    }

    /// A comment ends with its line, and so must what somebody else's log has in it.
    private static func flat(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isFlat ? $0 : " " }))
    }
}

extension Unicode.Scalar {
    /// Whether it can stand in the middle of a line of YAML.
    var isFlat: Bool {
        switch self {
        case " "..."~", "\u{A0}"..."\u{2027}", "\u{202A}"..."\u{D7FF}", "\u{E000}"..."\u{FEFE}",
            "\u{FF00}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
            true
        default: false
        }
    }
}
