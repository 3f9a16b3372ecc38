package import Protocols

/// A path that always stays under the docroot. Objects have no other names.
package struct ObjectPath: Hashable, Sendable {
    package let text: String

    /// The docroot itself.
    package static let root = ObjectPath(certain: "")

    /// The limits of POSIX file systems: a longer name would fail only at publication.
    static let componentLimit = 255
    static let pathLimit = 1024

    /// The folder that a store hides from clients, in every spelling that a file system might treat
    /// as equal.
    package static let reserved = ".transferlab"

    package init(_ text: String) throws(HTTPError) {
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
            guard component.lowercased() != Self.reserved else {
                throw HTTPError(403, "“\(component)” is the server's own")
            }
        }
        self.text = text
    }

    private init(certain text: String) { self.text = text }

    /// The names from the docroot down; empty for the docroot itself.
    package var components: [String] {
        text.unicodeScalars.split(separator: "/").map { String($0) }
    }

    package var parent: ObjectPath {
        ObjectPath(certain: components.dropLast().joined(separator: "/"))
    }

    /// The folders that contain the path, outermost first, without the docroot.
    package var folders: [ObjectPath] {
        var folders: [ObjectPath] = []
        for name in components.dropLast() {
            folders.append((folders.last ?? .root).appending(name))
        }
        return folders
    }

    /// The last component.
    package var name: String { components.last ?? "" }

    /// Appends a name that the store has listed, and that is therefore safe.
    package func appending(_ name: String) -> ObjectPath {
        ObjectPath(certain: text.isEmpty ? name : "\(text)/\(name)")
    }

    /// Whether `other` is this path or lies under it.
    package func holds(_ other: ObjectPath) -> Bool {
        text.isEmpty || other.text == text
            || other.text.utf8.starts(with: "\(text)/".utf8)
    }
}
