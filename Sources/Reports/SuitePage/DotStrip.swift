import Quantities

/// A dot for each of several runs, from the fastest at the left to the slowest. Equal dots are
/// stacked, and runs that did not complete are at the right end.
enum DotStrip {
    /// The largest number of dots. Red runs are never left out for green ones.
    private static let most = 1_000
    /// The number of columns in which dots are stacked, and the largest number in a stack; further
    /// dots lie on the last one.
    private static let columns = 60
    private static let highest = 5

    static func markup(of entries: [SuiteEntry]) -> Markup {
        let drawn = drawn(of: entries)
        let times = drawn.compactMap(\.completion)
        let (least, greatest) = (times.min(), times.max())
        var heights = Array(repeating: 0, count: columns + 1)
        let dots = drawn.map { entry -> Markup in
            let share = share(of: entry.completion, from: least, to: greatest)
            let column = Int(share * Double(columns))
            defer { heights[column] = min(heights[column] + 1, highest) }
            return dot(of: entry, column: column, above: min(heights[column], highest - 1))
        }
        let height = 10 * (heights.max() ?? 1) + 2
        let left = entries.count - drawn.count
        let note: Markup =
            left == 0 ? .nothing : "<p class=\"why\">\(left) more green runs are not drawn.</p>"
        return """
            <div class="strip"><span>\(least?.rounded ?? "")</span><div class="dots" \
            style="height:\(height)px">\(dots)</div>\
            <span>\(greatest == least ? "" : greatest?.rounded ?? "")</span></div>\(note)
            """
    }

    private static func drawn(of entries: [SuiteEntry]) -> [SuiteEntry] {
        guard entries.count > most else { return entries }
        var room = max(0, most - entries.count { !$0.judgement.isGreen })
        return entries.filter { entry in
            guard entry.judgement.isGreen else { return true }
            room -= 1
            return room >= 0
        }
    }

    /// Returns the place between 0 and 1; runs that did not complete have a tenth of their own.
    private static func share(
        of time: TimeSpan?, from least: TimeSpan?, to greatest: TimeSpan?
    ) -> Double {
        guard let time, let least, let greatest else { return 1 }
        guard greatest > least else { return 0.45 }
        return 0.9 * (time - least).seconds / (greatest - least).seconds
    }

    private static func dot(of entry: SuiteEntry, column: Int, above height: Int) -> Markup {
        let place = column * 100 / columns
        let state: Markup = entry.judgement.isGreen ? .nothing : " class=\"red\""
        let variant = entry.variant.map { "\($0), " } ?? ""
        let words = "\(variant)seed \(entry.seed): \(entry.completion?.rounded ?? "no end")"
        let look: Markup =
            "\(state) style=\"left:\(place)%;bottom:\(height * 10 + 1)px\" title=\"\(words)\""
        return entry.isOnDemand == true
            ? "<i\(look)></i>"
            : "<a\(look) href=\"\(SuiteIndex.address(of: entry.folder))/report.html\"></a>"
    }
}
