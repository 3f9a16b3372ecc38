/// One Swift file of the house, as the rules read it.
struct SourceFile: Sendable {
    /// From the root of the repository, such as `Sources/Content/Segment.swift`.
    let path: String
    let lines: [Substring]
    let tokens: [SourceToken]

    init(path: String, text: String) {
        self.path = path
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        self.lines = lines
        tokens = SourceLexer.tokens(of: text)
    }

    /// The target that the file belongs to: the folder under `Sources` or `Tests`.
    var target: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 ? String(parts[1]) : ""
    }

    var isTest: Bool { path.hasPrefix("Tests/") }

    func finding(line: Int, _ fault: String, remedy: String) -> Finding {
        Finding(path: path, line: line, fault: fault, remedy: remedy)
    }
}
