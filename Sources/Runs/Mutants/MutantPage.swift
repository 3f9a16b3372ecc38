package import Foundation

/// The committed page of mutants: what noticed each of them first. The next call tries that first.
package struct MutantPage {
    private let file: URL

    package init(of root: URL) { file = root.appending(path: "Tests/Mutants/README.md") }

    /// The scenarios that noticed mutants, by the mutants' names.
    package func scenarios() -> [String: String] {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        var scenarios: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let cells = line.split(separator: "|").map(MutantReader.trimmed)
            guard cells.count == 4, let path = cells[1].split(separator: "`").first,
                path.hasPrefix("Scenarios/")
            else { continue }
            scenarios[cells[0]] = String(path)
        }
        return scenarios
    }

    /// Writes the page anew.
    package func renew(_ table: MutantTable) throws(RunFailure) {
        try ResultFile.write(Data(Self.text(table).utf8), to: file.path)
    }

    private static func text(_ table: MutantTable) -> String {
        var lines = [
            """
            # Mutants

            Would anybody notice? Each file in [`Bugs`](Bugs) holds plausible bugs of TransferLab:
            small edits of its sources, planted together in one copy, each behind its number.
            `./lab mutants` builds that copy and tries each bug until something notices it: first
            the scenarios, then the exact figures, random scenarios, the crash points, and the
            tests. A bug that nothing notices calls for a better check, scenario or generator.

            The tables below are written by `./lab mutants --renew`.

            ```
            \(table.scores)
            ```

            """
        ]
        for area in table.areas {
            lines += [
                "## \(area)", "", "| Mutant | Noticed first by | In | The bug |",
                "|---|---|---|---|",
            ]
            for row in table.rows where row.area == area {
                let first = row.stage == .scenarios ? row.subject.map { "`\($0)`" } : nil
                let rest = [row.stage?.words, row.stage == .tests ? row.subject : nil]
                    .compactMap(\.self).joined(separator: ", ")
                let silence = row.excuse ?? row.verdict
                let time = row.stage == nil ? "–" : MutantTable.time(row)
                let noticed = first ?? (rest.isEmpty ? silence : rest)
                let field = row.fieldBug.map { " (\($0))" } ?? ""
                lines.append("| \(row.mutant) | \(noticed) | \(time) | \(row.bug)\(field) |")
            }
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }
}
