import Foundation

/// The part of a page that a command writes, between two lines of the page.
struct WrittenPart: Sendable {
    let begin: String
    let end: String

    /// Returns the part as it stands on a page; `nil` if the page has no place for it.
    func text(in page: String) -> Substring? { range(in: page).map { page[$0] } }

    /// Returns the page with this text as its part; `nil` if the page has no place for it.
    func replaced(in page: String, by text: String) -> String? {
        range(in: page).map { page.replacingCharacters(in: $0, with: text) }
    }

    /// Why a page without the two lines cannot be used.
    func missing(in path: String) -> RunFailure {
        RunFailure(
            "\(path) has no lines “\(begin)” and “\(end)” around the table; put them back")
    }

    private func range(in page: String) -> Range<String.Index>? {
        guard let start = page.range(of: begin),
            let stop = page.range(of: end, range: start.upperBound..<page.endIndex)
        else { return nil }
        return start.upperBound..<stop.lowerBound
    }
}
