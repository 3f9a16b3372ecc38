package import Foundation
import Scenario

/// A draft of a scenario from a device log, which can be played as it is.
package struct FieldImport: Sendable {
    /// The draft, with the assumptions and the unused lines at its end.
    package let text: String
    package let assumptions: [String]
    package let unused: [DeviceLog.UnusedLine]
    package let usedCount: Int

    package init(_ bytes: Data, path: String, name: String?) throws(RunFailure) {
        var log = try DeviceLog(bytes, path: path)
        let file = URL(filePath: path).lastPathComponent
        let title = name ?? "from \(file)"
        var draft = ScenarioDraftText(of: log, name: title, from: file)
        // Removes all lines with mistakes, again and again, until the rest can be played.
        while true {
            let objections = Self.objections(to: draft)
            guard let first = objections.first else { break }
            let rest = log.without(objections)
            guard rest.entries.count < log.entries.count else {
                throw RunFailure(
                    "the draft from \(path) cannot be played: \(first.why); remove that line and "
                        + "try again"
                )
            }
            log = rest
            draft = ScenarioDraftText(of: log, name: title, from: file)
        }
        assumptions = draft.assumptions
        unused = log.unused
        usedCount = log.entries.count
        text = draft.text + Self.notes(assumptions, unused)
    }

    /// Returns the draft's mistakes, with the lines of the log that cause them.
    private static func objections(
        to draft: ScenarioDraftText
    ) -> [(line: Int?, why: String)] {
        do throws(ScenarioError) {
            _ = try Scenario.read(text: draft.text, path: "draft.yaml")
            return []
        } catch {
            return error.diagnostics.map { mistake in
                let index = mistake.line - 1
                let line = draft.lines.indices.contains(index) ? draft.lines[index].origin : nil
                return (
                    line, mistake.message + (mistake.expected.map { "; expected \($0)" } ?? "")
                )
            }
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

    /// Replaces line breaks, because a comment ends with its line.
    private static func flat(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isFlat ? $0 : " " }))
    }
}

extension Unicode.Scalar {
    /// Whether YAML allows the character within a line.
    var isFlat: Bool {
        switch self {
        case " "..."~", "\u{A0}"..."\u{2027}", "\u{202A}"..."\u{D7FF}", "\u{E000}"..."\u{FEFE}",
            "\u{FF00}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
            true
        default: false
        }
    }
}
