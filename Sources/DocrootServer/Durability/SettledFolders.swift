/// Folders whose names are durable for certain, so that nobody has to wait for that who puts
/// something into them.
///
/// That a folder stands says nothing: another client may just have made it and still wait for the
/// disk, and so may an earlier server have done when it ended. Each is settled once somebody has
/// waited for it, and only as long as no folder is renamed, as then another one may stand there.
package struct SettledFolders: Hashable, Sendable {
    private var paths: Set<ObjectPath> = []
    /// How often all was forgotten; whoever begins to wait remembers it.
    package private(set) var age: UInt64 = 0

    /// What is forgotten costs no more than a wait.
    private static let limit = 10_000

    package init() {}

    package func holds(_ folder: ObjectPath) -> Bool { folder == .root || paths.contains(folder) }

    /// Somebody has waited for the disk, and began at this age.
    package mutating func settle(_ folder: ObjectPath, since age: UInt64) {
        guard age == self.age else { return }
        if paths.count == Self.limit { paths = [] }
        paths.insert(folder)
    }

    /// A folder has come to its place by a rename, or has left it.
    package mutating func forget() {
        paths = []
        age += 1
    }
}
