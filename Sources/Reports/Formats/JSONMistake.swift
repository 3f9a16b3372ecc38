package import Foundation

/// A mistake in a JSON file, with its place.
package struct JSONMistake: CustomStringConvertible {
    package let description: String

    /// Explains an error that a decoder threw for `data`.
    package init(_ error: any Error, in data: Data) {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            description = "“\(key.stringValue)” is missing\(Self.place(context.codingPath))"
        case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
            description = Self.syntaxMistake(in: data) ?? context.debugDescription
        case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context):
            description = context.debugDescription + Self.place(context.codingPath)
        default: description = "\(error)"
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "" }
        return " in "
            + path.reduce("") { place, key in
                if let index = key.intValue { return "\(place)[\(index)]" }
                return (place.isEmpty ? "" : place + ".") + key.stringValue
            }
    }

    /// Returns the place of a syntax error, from the parser's message.
    private static func syntaxMistake(in data: Data) -> String? {
        do {
            _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
            return nil
        } catch {
            let words = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
            guard let words, let digits = words.split(whereSeparator: { !$0.isNumber }).last,
                let offset = Int(digits), offset < data.count
            else { return "it is not JSON, or it is cut off" }
            let before = data.prefix(offset).split(
                separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let column = (before.last?.count ?? 0) + 1
            return "it is not JSON at line \(before.count), column \(column)"
        }
    }
}
