/// A path below a root, for files and destinations.
enum RelativePath {
    struct Problem {
        var message: String
        var expected: String
    }

    /// Returns what is wrong with a path; `nil` if it stays below its root.
    static func problem(with path: String, below root: String) -> Problem? {
        // Scalars, not characters: a “/” with a combining accent after it is still a “/” on disk.
        let names = path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        if path.unicodeScalars.first == "/" {
            return Problem(
                message: "“\(path)” begins with “/”",
                expected: "a path relative to \(root), without the leading “/”")
        }
        if leavesRoot(names) {
            return Problem(
                message: "“\(path)” leaves \(root)", expected: "a path that stays below \(root)")
        }
        if names.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) {
            return Problem(
                message: "“\(path)” is not a plain path",
                expected: "names with one “/” between them, without “.” and “..”")
        }
        // The limits of file systems: 255 bytes for a name, 1024 for a path.
        if path.utf8.count > 1_024 || names.contains(where: { $0.utf8.count > 255 }) {
            return Problem(
                message: "a path of \(path.utf8.count) bytes",
                expected: "at most 255 bytes in a name and 1024 in all")
        }
        if path.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\t" }) {
            return Problem(
                message: "a path with a line break or a tab", expected: "one line")
        }
        return nil
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
