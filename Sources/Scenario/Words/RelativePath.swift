/// Reads paths below a root, for files and destinations.
extension PlacedText {
    /// Reads a path that stays below its root; `nil` after a report.
    func path(below root: String) -> String? {
        guard let objection = objection(toPathBelow: root) else { return text }
        return refuse(objection)
    }

    /// Returns what is wrong with a path; `nil` if it stays below its root.
    func objection(toPathBelow root: String) -> Objection? {
        // Scalars, not characters: a “/” with a combining accent after it is still a “/” on disk.
        let names = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        if text.unicodeScalars.first == "/" {
            return Objection(
                "“\(text)” begins with “/”",
                "a path relative to \(root), without the leading “/”")
        }
        if Self.leavesRoot(names) {
            return Objection("“\(text)” leaves \(root)", "a path that stays below \(root)")
        }
        if names.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) {
            return Objection(
                "“\(text)” is not a plain path",
                "names with one “/” between them, without “.” and “..”")
        }
        // The limits of file systems: 255 bytes for a name, 1024 for a path.
        if text.utf8.count > 1_024 || names.contains(where: { $0.utf8.count > 255 }) {
            return Objection(
                "a path of \(text.utf8.count) bytes", "at most 255 bytes in a name and 1024 in all")
        }
        if text.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\t" }) {
            return Objection("a path with a line break or a tab", "one line")
        }
        return nil
    }

    /// Whether the path is relative, and leaves its root on the way.
    var leavesItsRoot: Bool {
        let names = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        return text.unicodeScalars.first != "/" && Self.leavesRoot(names)
    }

    private static func leavesRoot(_ names: [String]) -> Bool {
        var depth = 0
        for name in names {
            switch name {
            case "..": depth -= 1
            case ".", "": break
            default: depth += 1
            }
            if depth < 0 { return true }
        }
        return false
    }
}
