import Checks
import Foundation
import Quantities

/// All runs of a suite: a table for each folder, and in it a row for each scenario file.
enum RunTables {
    /// A suite with more runs than this has the folders without red runs folded.
    private static let openLimit = 40
    /// The largest number of runs in a file's table of single runs.
    private static let rowLimit = 50

    private static let columns = [
        "Completed in", "Goodput", "Sent again", "Dropped", "Length",
    ]

    static func markup(for groups: [RunGroup]) -> Markup {
        guard !groups.isEmpty else { return .nothing }
        let count = groups.reduce(0) { $0 + $1.entries.count }
        let folders = groups.gathered(by: \.folder)
        return """
            <section id="runs" aria-label="Runs"><h2>Runs</h2>
            \(tools(for: groups))
            <div id="folders">\(folders.map { folder in
                markup(of: folder, isOpen: count <= openLimit || folder.contains { $0.red > 0 })
            })</div>
            \(note(on: groups))
            </section>

            """
    }

    private static func note(on groups: [RunGroup]) -> Markup {
        let medians =
            groups.contains { $0.entries.count > 1 }
            ? " The row of a file with several runs shows medians, and a dot for each run." : ""
        let unkept = groups.lazy.flatMap(\.entries).first { $0.isOnDemand == true }
        let pages = unkept.map { entry -> Markup in
            """
            <p class="note">Runs without a link are green, and left no files. \
            <code>./lab report</code> with the path of a run's folder, such as \
            <code>\(entry.folder)</code> in the folder of this page, plays it again and makes \
            its page.</p>
            """
        }
        return """
            <p class="note">“Completed in” is counted from the first activation of a session to \
            the last completion; “completes within” in a scenario is counted from the run's \
            start.\(medians)</p>
            \(pages ?? .nothing)
            """
    }

    /// Returns the controls for JavaScript, which shows them.
    private static func tools(for groups: [RunGroup]) -> Markup {
        let tags = Set(groups.flatMap { $0.about?.tags ?? [] }).sorted()
        func options(_ values: [String]) -> [Markup] { values.map { "<option>\($0)</option>" } }
        let choice: Markup =
            tags.isEmpty
            ? .nothing
            : """
            <label>Tag <select name="tag"><option value="">any</option>\(options(tags))</select>\
            </label>
            """
        return """
            <form class="tools" id="tools" hidden="hidden" \
            data-rules="\(rules.joined(separator: " "))">
            <label>Search <input type="search" name="words" /></label>
            <label>Status <select name="status"><option value="">any</option>\
            <option>red</option><option>green</option></select></label>
            \(choice)
            <label>Judged by <select name="rule"><option value="">any rule</option>\
            \(options(rules))</select></label>
            <label>Group by <select name="group"><option>folder</option><option>tag</option>\
            <option>nothing</option></select></label>
            <output role="status"></output>
            </form>
            """
    }

    private static let rules = InvariantCatalogue.checks().map(\.rule)

    private static func markup(of folder: [RunGroup], isOpen: Bool) -> Markup {
        let count = folder.reduce(0) { $0 + $1.entries.count }
        let red = folder.reduce(0) { $0 + $1.red }
        let runs = count == 1 ? "1 run" : "\(count) runs"
        let state: Markup =
            red == 0
            ? "<span class=\"badge green\">✔ \(runs)</span>"
            : "<span class=\"badge red\">✘ \(red) of \(runs)</span>"
        return """
            <details class="folder"\(isOpen ? " open=\"open\"" : .nothing as Markup)>
            <summary><h3>\(folder[0].folder)</h3> \(state)</summary>
            <div class="scroll"><table class="runs">
            <thead><tr><th scope="col">Scenario</th>\(columns.map {
                "<th scope=\"col\">\($0)</th>"
            })</tr></thead>
            \(folder.map(body))
            </table></div></details>

            """
    }

    /// Returns a body for each file, so that sorting and filtering move all of its rows.
    private static func body(of group: RunGroup) -> Markup {
        let isGreen = group.red == 0
        let one = group.entries.count == 1 ? group.entries[0] : nil
        let name = one.map { SuiteIndex.link(to: $0, "\($0.title)") } ?? "\(group.name)"
        let count: Markup = one == nil ? " <small>\(group.entries.count) runs</small>" : .nothing
        return """
            <tbody data-s="\(isGreen ? "green" : "red" as Markup)" data-r="\(mask(of: group))" \
            data-v="\(keys(of: group))"><tr\(state(of: group))><th scope="row">\
            \(name)\(count)\(about(group))\
            \(one == nil ? DotStrip.markup(of: group.entries) : .nothing)</th>\
            \(cells(of: group))</tr>\(one == nil ? single(group) : .nothing)</tbody>

            """
    }

    /// The style sheet marks rows as green, if nothing says that they are red.
    private static func state(of group: RunGroup) -> Markup {
        group.red == 0 ? .nothing : " class=\"red\""
    }

    private static func about(_ group: RunGroup) -> Markup {
        let why = group.about?.why ?? ""
        let tags = (group.about?.tags ?? []).map { " <i>\($0)</i>" as Markup }
        let file = group.path.split(separator: "/").last.map(String.init) ?? group.path
        let hints = group.entries.count == 1 ? group.entries[0].hints ?? [] : []
        return """
            \(why.isEmpty ? .nothing : "<p>\(why)</p>")<p><code>\(file)</code>\(tags)</p>\
            \(hints.map { "<p>hint: \($0)</p>" as Markup })
            """
    }

    /// The rules of a group as a number in base 16, with a bit for each rule of the tools.
    private static func mask(of group: RunGroup) -> String {
        let judged = Set(group.rules)
        let bits = rules.enumerated().reduce(UInt64(0)) { bits, rule in
            judged.contains(rule.element) ? bits | 1 << UInt64(rule.offset) : bits
        }
        return String(bits, radix: 16)
    }

    private static func cells(of group: RunGroup) -> [Markup] {
        [
            group.median(\.completion)?.rounded ?? "–", group.median(\.goodput)?.rounded ?? "–",
            group.median(\.sentAgain)?.rounded ?? "–",
            group.median(\.dropped).map { "\($0)" } ?? "–",
            group.median(\.duration)?.rounded ?? "–",
        ].map { "<td>\($0)</td>" }
    }

    /// The values by which the columns are sorted; an empty one comes last.
    private static func keys(of group: RunGroup) -> String {
        let values = [
            group.median(\.completion)?.seconds,
            group.median(\.goodput).map { Double($0.bitsPerSecond) },
            group.median(\.sentAgain).map { Double($0.bytes) },
            group.median(\.dropped).map { Double($0) }, group.median(\.duration)?.seconds,
        ]
        return values.map { value in value.map { String(format: "%.6g", $0) } ?? "" }
            .joined(separator: " ")
    }

    /// Returns the folded table of a file's cases, or of its seeds.
    private static func single(_ group: RunGroup) -> Markup {
        let cases = group.cases
        let rows =
            cases.count > 1
            ? cases : group.entries.map { RunGroup(path: group.path, entries: [$0]) }
        let title = cases.count > 1 ? "\(cases.count) cases" : "\(rows.count) seeds"
        let left = rows.count - min(rows.count, rowLimit)
        let note: Markup =
            left == 0
            ? .nothing : "<p class=\"why\">\(left) more runs are in summary.json.</p>"
        return """
            <tr class="single"><td colspan="\(columns.count + 1)"><details>\
            <summary>\(title)</summary>
            <table class="runs"><tbody>\(rows.prefix(rowLimit).map(row))</tbody></table>\(note)\
            </details></td></tr>
            """
    }

    private static func row(of group: RunGroup) -> Markup {
        let first = group.entries[0]
        let one = group.entries.count == 1
        let variant = first.variant
        let words: Markup =
            variant.map { one ? "\($0)" : "\($0), \(group.entries.count) seeds" }
            ?? "seed \(first.seed)"
        return """
            <tr\(state(of: group))><th scope="row">\
            \(one ? SuiteIndex.link(to: first, words) : words)\
            \(one ? .nothing : DotStrip.markup(of: group.entries))</th>\(cells(of: group))</tr>

            """
    }
}
