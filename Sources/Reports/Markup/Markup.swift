package import Quantities

/// A piece of HTML or XML. Interpolated text is always escaped. Only literals and other markup are
/// taken as they are, so that no text of a scenario can become a tag.
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
    /// Takes text that is already markup, such as a style sheet or a script.
    package init(verbatim text: String) { self.text = text }

    package static let nothing: Markup = ""

    package static func + (left: Markup, right: Markup) -> Markup {
        Markup(verbatim: left.text + right.text)
    }

    /// Escapes text for content and quoted attributes, in HTML and XML 1.0. Control characters,
    /// which XML cannot express, become U+FFFD.
    private static func escape(_ text: String) -> String {
        guard !text.utf8.allSatisfy(standsForItself) else { return text }
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

    /// Whether a byte is a character of ASCII that needs no escape.
    private static func standsForItself(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
            UInt8(ascii: "'"):
            false
        default: (0x20..<0x7F).contains(byte)
        }
    }
}

/// A type whose values can be interpolated into markup as text. The list is closed, so that an
/// array of markup cannot slip in by its description.
package protocol TextInMarkup: CustomStringConvertible {}

extension String: TextInMarkup {}
extension Int: TextInMarkup {}
extension UInt64: TextInMarkup {}
extension Instant: TextInMarkup {}

extension Unicode.Scalar {
    /// Whether the scalar is allowed in XML, and does not reorder the text beside it: no control
    /// character, and not U+FFFE or U+FFFF.
    var isPlain: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}
