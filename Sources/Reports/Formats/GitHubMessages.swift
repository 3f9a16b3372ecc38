import Foundation

/// What GitHub Actions shows of a test report: annotations at lines of files, and a job summary.
package enum GitHubMessages {
    /// The number of annotations of a kind that GitHub shows for a step.
    private static let shown = 10
    /// The number of failures in the summary, which may take at most 1 MiB.
    private static let listed = 100
    private static let longestCause = 500

    /// Returns a workflow command for each of the first failures, a line each.
    package static func annotations(for report: TestReport) -> [String] {
        let failures = report.failures
        var lines = failures.prefix(shown).map { test, failure in
            var properties: [(String, String)] = []
            if let place = test.place(of: failure) {
                properties += [("file", place.file), ("line", "\(place.line)")]
                if let column = place.column { properties.append(("col", "\(column)")) }
            }
            properties.append(("title", test.name))
            return command("error", properties, failure.wholeMessage)
        }
        if failures.count > shown {
            lines.append(
                command(
                    "notice", [("title", "TransferLab \(report.command)")],
                    "\(failures.count - shown) more failures have no annotation, because GitHub "
                        + "shows only \(shown); the job summary lists them"))
        }
        return lines
    }

    /// Returns the summary in Markdown.
    package static func summary(of report: TestReport) -> String {
        let failures = report.failures
        let skipped = report.cases.count { if case .skipped = $0.outcome { true } else { false } }
        let count = report.cases.count - skipped
        let verdict = failures.isEmpty ? "✔ all \(count) passed" : "✘ \(failures.count) failed"
        let rest = [
            failures.isEmpty ? nil : "\(count - failures.count) passed",
            skipped == 0 ? nil : "\(skipped) left out",
        ]
        let head = ([verdict] + rest.compactMap(\.self)).joined(separator: ", ")
        var lines = ["## TransferLab \(report.command): \(head)", ""]
        guard !failures.isEmpty else { return lines.joined(separator: "\n") + "\n" }
        lines += ["| Failed | Why | Where | Reproduce |", "|---|---|---|---|"]
        for (test, failure) in failures.prefix(listed) {
            let cells = [
                cell(test.name), cell(failure.message),
                test.place(of: failure).map { code($0.description) } ?? "",
                failure.command.map(code) ?? "",
            ]
            lines.append("| \(cells.joined(separator: " | ")) |")
        }
        if failures.count > listed {
            lines += ["", "and \(failures.count - listed) more; junit.xml lists them all"]
        }
        return lines.joined(separator: "\n") + "\n\n"
    }

    private static func command(
        _ name: String, _ properties: [(String, String)], _ message: String
    ) -> String {
        let words = properties.map { "\($0.0)=\(escapedProperty($0.1))" }.joined(separator: ",")
        return "::\(name) \(words)::\(escaped(message))"
    }

    private static func escaped(_ text: String, _ signs: String = "%\r\n") -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            guard signs.unicodeScalars.contains(scalar) else {
                return escaped.unicodeScalars.append(scalar)
            }
            escaped += String(format: "%%%02X", scalar.value)
        }
    }

    private static func escapedProperty(_ text: String) -> String { escaped(text, "%\r\n:,") }

    private static func cell(_ text: String) -> String {
        let cut = text.count > longestCause ? text.prefix(longestCause) + "…" : text[...]
        return MarkdownText.plain(String(cut))
    }

    private static func code(_ text: String) -> String { "<code>\(cell(text))</code>" }
}

extension TestFailure {
    fileprivate var wholeMessage: String {
        message + (command.map { "\nreproduce with: \($0)" } ?? "")
    }
}
