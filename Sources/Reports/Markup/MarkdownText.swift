/// Text in Markdown.
enum MarkdownText {
    /// Returns text in one line in which nothing means anything to Markdown, not even in a table.
    static func plain(_ text: String) -> String {
        let markup: Markup = "\(text)"
        return markup.text.unicodeScalars.reduce(into: "") { plain, scalar in
            switch scalar {
            case "|", "`", "*", "_", "[", "]", "~", "#", "\\": plain += "&#\(scalar.value);"
            case "\n": plain += " "
            default: plain.unicodeScalars.append(scalar)
            }
        }
    }
}
