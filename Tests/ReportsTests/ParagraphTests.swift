import Reports
import Testing

@Suite struct ParagraphTests {
    @Test func `lines end before column 80, and begin with what was given`() {
        let text = Paragraph.wrapped(
            String(repeating: "word ", count: 40), indent: "- ", rest: "  ")
        let lines = text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 })
        // Another word of four letters and its blank would not fit.
        #expect(lines.dropLast().allSatisfy { $0.count > 80 - 5 })
        #expect(lines[0].hasPrefix("- word") && lines[1].hasPrefix("  word"))
        #expect(text.split(whereSeparator: \.isWhitespace).count == 41)
    }

    @Test func `a word that is longer than a line stands alone`() {
        let long = String(repeating: "x", count: 120)
        #expect(
            Paragraph.wrapped("a \(long) b", indent: "- ", rest: "  ") == "- a\n  \(long)\n  b")
        #expect(Paragraph.wrapped(long, indent: "- ", rest: "  ") == "- \(long)")
        #expect(Paragraph.wrapped("", indent: "- ", rest: "  ") == "- ")
    }
}
