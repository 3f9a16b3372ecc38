package import Foundation

/// A mistake in a JSON file.
package struct JSONMistake: Error, Hashable, CustomStringConvertible {
    package let reason: String
    /// The place of a syntax error; `nil` for any other mistake.
    package private(set) var place: Place?

    /// Line and column, counted from 1.
    package struct Place: Hashable, Sendable {
        package let line: Int
        package let column: Int
    }

    init(_ reason: String) { self.reason = reason }

    /// Explains an error that a decoder threw for `data`.
    package init(_ error: any Error, in data: Data) {
        switch error {
        case let mistake as JSONMistake: self = mistake
        case DecodingError.keyNotFound(let key, let context):
            reason = "“\(key.stringValue)” is missing\(Self.words(for: context.codingPath))"
        case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
            self = Self.syntaxMistake(in: data) ?? JSONMistake(context.debugDescription)
        case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context):
            reason = context.debugDescription + Self.words(for: context.codingPath)
        default: reason = "\(error)"
        }
    }

    package var description: String {
        reason + (place.map { " at line \($0.line), column \($0.column)" } ?? "")
    }

    private static func words(for path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "" }
        return " in "
            + path.reduce("") { place, key in
                if let index = key.intValue { return "\(place)[\(index)]" }
                return (place.isEmpty ? "" : place + ".") + key.stringValue
            }
    }

    /// Returns a syntax error with its place, which the parser's message tells.
    private static func syntaxMistake(in data: Data) -> JSONMistake? {
        do {
            _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
            return nil
        } catch {
            let words = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
            guard let words, let digits = words.split(whereSeparator: { !$0.isNumber }).last,
                let offset = Int(digits), offset < data.count
            else { return JSONMistake("it is not JSON, or it is cut off") }
            let before = data.prefix(offset).split(
                separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            var mistake = JSONMistake("it is not JSON")
            mistake.place = Place(line: before.count, column: (before.last?.count ?? 0) + 1)
            return mistake
        }
    }
}
