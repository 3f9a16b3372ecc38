import Testing

@testable import Reports

/// Right-to-left words, kept apart from what stands beside them.
@Suite struct IsolationTests {
    @Test(arguments: [
        ("<p>אב 12</p>", "<p><bdi>אב</bdi> 12</p>"),
        ("<p>אב גד: x</p>", "<p><bdi>אב גד</bdi>: x</p>"),
        ("<p>in/אב/גד.mov</p>", "<p>in/<bdi>אב</bdi>/<bdi>גד</bdi>.mov</p>"),
        ("<p>صورة &amp; 3</p>", "<p><bdi>صورة</bdi> &amp; 3</p>"),
        ("<title>אב 1</title>", "<title>\u{2068}אב\u{2069} 1</title>"),
        ("<i title=\"אב 1\">x</i>", "<i title=\"\u{2068}אב\u{2069} 1\">x</i>"),
        (
            "<svg><text>אב 1</text></svg>אב",
            "<svg><text>\u{2068}אב\u{2069} 1</text></svg><bdi>אב</bdi>"
        ),
        ("<a href=\"אב/1\">x</a>", "<a href=\"אב/1\">x</a>"),
        ("<option>אב</option>", "<option>אב</option>"),
        ("<script>if (a<b) 'אב'</script>", "<script>if (a<b) 'אב'</script>"),
        (
            "<script type=\"application/json\">[\"אב 1\"]</script>",
            "<script type=\"application/json\">[\"\u{2068}אב\u{2069} 1\"]</script>"
        ),
        ("<p>naïve – 東京 ✔</p>", "<p>naïve – 東京 ✔</p>"),
    ]) func `a page has its words in elements, or between marks`(page: String, isolated: String) {
        #expect(Isolation.page(page) == isolated)
    }

    @Test func `a name cannot bring marks of its own`() {
        let name = "a\u{202E}b\u{2069}c"
        let markup: Markup = "\(name)"
        #expect(markup.text == "a\u{FFFD}b\u{FFFD}c")
    }
}
