/// Isolates right-to-left words, so that they do not reorder the text beside them (Unicode Standard
/// Annex #9).
package enum Isolation {
    /// Returns text for a terminal or an attribute, with its right-to-left words between the marks
    /// of an isolate.
    package static func marked(_ text: String) -> String { isolated(text, "\u{2068}", "\u{2069}") }

    /// Returns a page with its right-to-left words in `bdi` elements, and between marks where no
    /// element can be: in drawings, titles, some attributes and the data of charts.
    static func page(_ page: String) -> String {
        guard page.utf8.contains(where: mayBeginRightToLeft) else { return page }
        let bytes = Array(page.utf8)
        var result = ""
        result.reserveCapacity(bytes.count)
        var place = 0
        var drawings = 0
        var isTitle = false
        while place < bytes.count {
            let open = bytes[place...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            let words = String(decoding: bytes[place..<open], as: UTF8.self)
            result += drawings > 0 || isTitle ? marked(words) : isolated(words, "<bdi>", "</bdi>")
            guard open < bytes.count else { break }
            let close = bytes[open...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1
            let tag = String(decoding: bytes[open...close], as: UTF8.self)
            place = close + 1
            result += inAttributes(of: tag)
            if tag.hasPrefix("<svg") { drawings += 1 }
            if tag.hasPrefix("</svg") { drawings -= 1 }
            if tag.hasPrefix("<title") { isTitle = true }
            if tag.hasPrefix("</title") { isTitle = false }
            // Scripts compare the words of options with others.
            let kinds = ["script", "style", "option"]
            guard let kind = kinds.first(where: { tag.hasPrefix("<\($0)") }) else { continue }
            let rest = end(of: kind, in: bytes[place...])
            let raw = String(decoding: bytes[place..<rest], as: UTF8.self)
            result += tag.contains("application/json") ? marked(raw) : raw
            place = rest
        }
        return result
    }

    /// Returns the place of an element's end tag.
    private static func end(of element: String, in bytes: ArraySlice<UInt8>) -> Int {
        let wanted = Array("</\(element)".utf8)
        return bytes.indices.first { bytes[$0...].starts(with: wanted) } ?? bytes.endIndex
    }

    private static func inAttributes(of tag: String) -> String {
        guard tag.utf8.contains(where: mayBeginRightToLeft) else { return tag }
        return tag.replacing(/\b(title|aria-label)="[^"]*"/) { marked(String($0.output.0)) }
    }

    private static func isolated(_ text: String, _ begin: String, _ end: String) -> String {
        guard text.utf8.contains(where: mayBeginRightToLeft) else { return text }
        var result = ""
        var words = ""
        /// The spaces and hyphens after the last word.
        var joint = ""
        func finish() {
            if !words.isEmpty { result += begin + words + end }
            result += joint
            (words, joint) = ("", "")
        }
        for scalar in text.unicodeScalars {
            if scalar.isRightToLeft {
                words += joint
                joint = ""
                words.unicodeScalars.append(scalar)
            } else if !words.isEmpty, scalar == " " || scalar == "-" || scalar == "_" {
                joint.unicodeScalars.append(scalar)
            } else {
                finish()
                result.unicodeScalars.append(scalar)
            }
        }
        finish()
        return result
    }

    /// Whether a right-to-left letter may begin with this byte of UTF-8.
    private static func mayBeginRightToLeft(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xD6...0xDF, 0xE0, 0xEF, 0xF0: true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is in a block for scripts written from right to left.
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
            true
        default: false
        }
    }
}
