/// The tables of pages such as `Scenarios/README.md`, made from the tables that read the language.
///
/// A line such as `<!-- table: a task, written by ./lab schema --renew -->` marks the place of a
/// table. A table without such a line is part of the table around it, as in `jitter: uniform`.
package enum LanguagePage {
    package static let end = "<!-- table: end -->"

    package static func begin(_ name: String) -> String { front + name + back }

    private static let front = "<!-- table: "
    private static let back = ", written by ./lab schema --renew -->"

    /// Why the tables cannot be written, as a sentence.
    package struct Failure: Error, Hashable, Sendable {
        package var message: String
    }

    /// Returns the pages with renewed tables.
    package static func renewed(_ pages: [String]) throws(Failure) -> [String] {
        var marked: [String] = []
        for page in pages { marked += try names(on: page) }
        for (place, name) in marked.enumerated() where marked[..<place].contains(name) {
            throw Failure(message: "the page has two places for the table “\(name)”")
        }
        let tables = LanguageTables(
            of: [ScenarioReader.keys.shape, TimelineConditions.shape], placed: marked)
        for name in marked where tables.markdown(of: name) == nil {
            throw Failure(
                message: "the language has no table “\(name)”; there are \(tables.names.list)")
        }
        if let missing = tables.namesWithoutPlace.first {
            throw Failure(
                message:
                    "the page has no place for the table “\(missing)”: add these two lines where "
                    + "it belongs:\n\(begin(missing))\n\(end)"
            )
        }
        return pages.map { page in
            marked.reduce(page) { text, name in
                guard let place = place(of: name, in: text), let table = tables.markdown(of: name)
                else { return text }
                return text[..<place.lowerBound] + "\n\n\(table)\n\n" + text[place.upperBound...]
            }
        }
    }

    /// Returns the names of the tables on a page, in order.
    private static func names(on page: String) throws(Failure) -> [String] {
        var names: [String] = []
        for line in page.split(separator: "\n") where line.hasPrefix(front) && line != end {
            guard line.hasSuffix(back) else {
                throw Failure(message: "“\(line)” does not have the form “\(begin("NAME"))”")
            }
            let name = String(line.dropFirst(front.count).dropLast(back.count))
            guard place(of: name, in: page) != nil else {
                throw Failure(message: "“\(end)” is missing after “\(line)”")
            }
            names.append(name)
        }
        return names
    }

    private static func place(of name: String, in page: String) -> Range<String.Index>? {
        guard let start = page.firstRange(of: begin(name)),
            let stop = page[start.upperBound...].firstRange(of: front),
            page[stop.lowerBound...].hasPrefix(end)
        else { return nil }
        return start.upperBound..<stop.lowerBound
    }
}
