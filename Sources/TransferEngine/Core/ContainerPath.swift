/// Decides which paths stay inside their root: the app's container or the server's docroot.
enum ContainerPath {
    /// Whether a path is relative, not empty, and never climbs (A13, S7).
    static func isInside(_ path: String) -> Bool {
        // Scalars, not characters: a “/” with a combining accent after it is still a “/” on disk.
        let scalars = path.unicodeScalars
        guard !scalars.isEmpty, scalars.first != "/", !scalars.contains("\0") else { return false }
        let parts = scalars.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }
}
