/// Which paths stay inside the place they are relative to: the app's container, the server's
/// docroot.
enum ContainerPath {
    /// Whether a path is relative, names something, and never climbs (A13, S7).
    static func isInside(_ path: String) -> Bool {
        guard !path.isEmpty, !path.hasPrefix("/"), !path.utf8.contains(0) else { return false }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }
}
