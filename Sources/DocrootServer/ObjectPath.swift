import Protocols

/// A path that is certain to stay under the docroot: there is no other way to name an object.
struct ObjectPath: Hashable, Sendable {
    let text: String

    /// What POSIX file systems take: a longer name would fail only when it is published.
    static let componentLimit = 255
    static let pathLimit = 1024

    init(_ text: String) throws(HTTPError) {
        guard !text.isEmpty else { throw HTTPError(400, "the object has no name") }
        guard !text.utf8.contains(0) else { throw HTTPError(400, "the name holds a NUL") }
        // Scalars, not characters: a “/” with a combining accent after it is still a “/” on disk.
        let scalars = text.unicodeScalars
        guard scalars.first != "/" else {
            throw HTTPError(403, "“\(text)” is absolute; name a path relative to the docroot")
        }
        guard text.utf8.count <= Self.pathLimit else {
            throw HTTPError(400, "the name is longer than \(Self.pathLimit) bytes")
        }
        for part in scalars.split(separator: "/", omittingEmptySubsequences: false) {
            let component = String(part)
            guard component != ".." && component != "." else {
                throw HTTPError(403, "“\(text)” leaves the docroot")
            }
            guard !component.isEmpty, component.utf8.count <= Self.componentLimit else {
                throw HTTPError(400, "“\(text)” has an empty or over-long part")
            }
        }
        self.text = text
    }
}
