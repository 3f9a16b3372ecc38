/// The version of this program, and the commit of the repository in which it runs.
package struct ProgramVersion: Hashable, Sendable, Codable, CustomStringConvertible {
    package let number: String
    /// The commit's abbreviated name, with `-dirty` after it if files differ from the commit; `nil`
    /// without git.
    package let commit: String?

    package init(number: String, commit: String?) {
        self.number = number
        self.commit = commit
    }

    package var description: String { "TransferLab \(words)" }

    /// The number, and the commit if there is one.
    var words: String { number + (commit.map { " (commit \($0))" } ?? "") }
}
