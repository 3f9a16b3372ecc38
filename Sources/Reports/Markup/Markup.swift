package import Quantities

/// A piece of HTML or XML. Text put into one is escaped, always; only a literal and another piece
/// of markup go in as they are, so that nothing a scenario says can become a tag.
package struct Markup: Hashable, Sendable, ExpressibleByStringInterpolation {
    package private(set) var text: String

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity * 2)
        }
        package mutating func appendLiteral(_ literal: String) { text += literal }
        package mutating func appendInterpolation(_ piece: Markup) { text += piece.text }
        package mutating func appendInterpolation(_ pieces: [Markup]) {
            for piece in pieces { text += piece.text }
        }
        package mutating func appendInterpolation(_ value: some TextInMarkup) {
            text += Markup.escape(value.description)
        }
    }

    package init(stringLiteral value: String) { text = value }
    package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
    /// Something that is markup already: a style sheet, a script.
    package init(verbatim text: String) { self.text = text }

    package static let nothing: Markup = ""

    package static func + (left: Markup, right: Markup) -> Markup {
        Markup(verbatim: left.text + right.text)
    }

    /// Good for text and for quoted attributes, in HTML and in XML 1.0, which has no way to write
    /// control characters: they become U+FFFD.
    private static func escape(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\n", "\t": escaped.unicodeScalars.append(scalar)
            default:
                escaped.unicodeScalars.append(scalar.isPlain ? scalar : "\u{FFFD}")
            }
        }
        return escaped
    }
}

/// What may stand in markup as text. A closed list: were any describable value welcome, a list of
/// pieces of markup could slip in as the description of an array.
package protocol TextInMarkup: CustomStringConvertible {}

extension String: TextInMarkup {}
extension Int: TextInMarkup {}
extension UInt64: TextInMarkup {}
extension Instant: TextInMarkup {}

extension Unicode.Scalar {
    /// Neither a control character nor one of the two that XML forbids.
    var isPlain: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}
