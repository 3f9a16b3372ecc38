/// A place in a file of the user, as annotations name it.
package struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
    package var file: String
    package var line: Int
    package var column: Int?

    package init(file: String, line: Int = 1, column: Int? = nil) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// Reads `file:line:column`; the file's name may have colons of its own.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 3, let column = Int(parts[parts.count - 1]),
            let line = Int(parts[parts.count - 2])
        else { return nil }
        self.init(
            file: parts.dropLast(2).joined(separator: ":"), line: line, column: column)
    }

    package var description: String { "\(file):\(line)" + (column.map { ":\($0)" } ?? "") }
}
