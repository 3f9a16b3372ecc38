package import Foundation
import Reports

/// The table mutant → what noticed it first, and the score of each stage.
package struct MutantTable: Codable, Sendable {
    package var rows: [Row]

    package struct Row: Codable, Sendable {
        package var mutant: String
        package var area: String
        package var bug: String
        package var cites: [String]
        package var fieldBug: String?
        package var stage: MutantStage?
        package var subject: String?
        package var words: String?
        package var seconds: Double
        /// The number of parts of the suite that come to the mutant's place.
        package var reachedBy: Int
        /// The stages that have not tried it yet, if nothing noticed it.
        package var untried: [MutantStage]
        /// Why nothing can notice it.
        package var excuse: String?
        /// The scenario or the tests that had to notice it, and did not.
        package var missedBy: String?

        /// Whether the mutant is as it should be.
        package var isFine: Bool { stage != nil ? missedBy == nil : excuse != nil }

        /// What to say of a mutant that nothing noticed.
        fileprivate var silence: String { "\(verdict): \(bug)" }

        /// What noticed it, or what did not.
        var verdict: String {
            if let stage {
                return stage == .scenarios ? subject ?? stage.words : stage.words
            }
            let words = reachedBy == 0 ? "nothing comes to its place" : "nothing noticed it"
            guard !untried.isEmpty else { return words }
            let tried = MutantStage.allCases.filter { !untried.contains($0) }.map(\.words)
            return "\(words) yet (tried: \(tried.joined(separator: ", ")))"
        }
    }

    package init(_ mutants: [Mutant], _ findings: [String: MutantFinding]) {
        rows = mutants.compactMap { mutant in
            guard let finding = findings[mutant.name] else { return nil }
            let own =
                mutant.scenario.map { "Scenarios/\($0).yaml" }
                ?? (finding.hasTriedOwnTests == true ? mutant.tests : nil)
            let isMissed = own != nil && finding.subject != own
            return Row(
                mutant: mutant.name, area: mutant.area, bug: mutant.bug, cites: mutant.cites,
                fieldBug: mutant.fieldBug, stage: finding.stage, subject: finding.subject,
                words: finding.words, seconds: finding.seconds,
                reachedBy: finding.reachedBy,
                untried: finding.stage == nil
                    ? MutantStage.allCases.filter { !finding.tried.contains($0) } : [],
                excuse: mutant.excuse, missedBy: isMissed ? own : nil)
        }
    }

    package var isFine: Bool { rows.allSatisfy(\.isFine) }

    package var areas: [String] { Set(rows.map(\.area)).sorted() }

    package var json: Data { SheetJSON.data(self) }

    package static func line(about row: Row) -> String {
        guard let stage = row.stage else {
            return "\(row.excuse == nil ? "✘" : "–") \(row.mutant)  \(row.silence)"
        }
        let subject = row.subject.map { $0 == stage.rawValue ? stage.words : $0 } ?? stage.words
        return "\(row.missedBy == nil ? "✔" : "✘") \(row.mutant)  \(subject), \(Self.time(row)): "
            + "\(row.words ?? "")"
    }

    /// The scores by area, and what nothing noticed.
    package var summary: String {
        var lines = [scores]
        for row in rows where !row.isFine {
            let why = row.missedBy.map { "\($0), which it names, did not notice it first" }
            lines.append("✘ \(row.mutant): \(why ?? row.silence)")
        }
        for row in rows where row.stage == nil {
            if let excuse = row.excuse { lines.append("– \(row.mutant): \(excuse)") }
        }
        return lines.joined(separator: "\n")
    }

    /// The scores by area.
    var scores: String {
        var table = TextTable([.left] + Array(repeating: .right, count: 7))
        table.add(
            ["noticed first by", "mutants"] + MutantStage.allCases.map(\.words) + ["nothing"])
        for area in areas { table.add(Self.cells(area, rows.filter { $0.area == area })) }
        table.add(Self.cells("all", rows))
        return "\(table.text)\n\n\(score)"
    }

    private var score: String {
        let judged = rows.filter { $0.excuse == nil || $0.stage != nil }
        func share(_ isMeant: (Row) -> Bool) -> String {
            guard !judged.isEmpty else { return "none" }
            let count = judged.filter(isMeant).count
            let thousandths = count * 1_000 / judged.count
            return "\(count) of \(judged.count) (\(thousandths / 10).\(thousandths % 10) %)"
        }
        let open = judged.count { !$0.untried.isEmpty }
        return "Scenarios alone noticed \(share { $0.stage == .scenarios }), everything together "
            + "\(share { $0.stage != nil })."
            + (open > 0 ? " Not all stages have tried the other \(open) yet." : "")
    }

    private static func cells(_ name: String, _ rows: [Row]) -> [String] {
        [name, "\(rows.count)"]
            + MutantStage.allCases.map { stage in "\(rows.filter { $0.stage == stage }.count)" }
            + ["\(rows.filter { $0.stage == nil }.count)"]
    }

    static func time(_ row: Row) -> String {
        let tenths = Int(row.seconds * 10 + 0.5)
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
