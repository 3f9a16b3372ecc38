/// Folders whose names are known to be durable, so that nobody has to wait for them.
///
/// A folder that exists may not be durable: another client may just have made it, or an earlier
/// server before it ended. A folder is settled once somebody has waited for it. A rename of any
/// folder unsettles all, as another folder may then stand there.
package struct SettledFolders: Hashable, Sendable {
    private var paths: Set<ObjectPath> = []
    /// How often everything was forgotten; a client remembers it when it begins to wait.
    package private(set) var age: UInt64 = 0

    /// A forgotten folder costs only another wait.
    private static let limit = 10_000

    package init() {}

    package func holds(_ folder: ObjectPath) -> Bool { folder == .root || paths.contains(folder) }

    /// Notes a folder for which somebody has waited since this age.
    package mutating func settle(_ folder: ObjectPath, since age: UInt64) {
        guard age == self.age else { return }
        if paths.count == Self.limit { paths = [] }
        paths.insert(folder)
    }

    /// Forgets everything, as a folder was renamed.
    package mutating func forget() {
        paths = []
        age += 1
    }
}
