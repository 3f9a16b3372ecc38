import CLinux
import DocrootServer
import Glibc
import Synchronization

/// What loop and threads know of the docroot's folders: whose names are on the disk for certain.
final class KnownFolders: Sendable {
    let root: OpenFile
    private let settled = Mutex(SettledFolders())

    init(under root: OpenFile) { self.root = root }

    func isSettled(_ folder: ObjectPath) -> Bool { settled.withLock { $0.holds(folder) } }

    /// Waits for the disk until the folder's own name is durable, unless it is known to be.
    func settle(_ folder: ObjectPath) throws(SystemError) {
        let age = settled.withLock { $0.holds(folder) ? nil : $0.age }
        guard let age else { return }
        try ConfinedFolder(folder.parent, under: root.descriptor).descriptor.synchronise()
        settled.withLock { $0.settle(folder, since: age) }
    }

    /// Renames something from a folder to another; nothing is known of folders any more once one
    /// has moved. 0, or what went wrong.
    func rename(_ name: String, of folder: Int32, to target: String, in place: Int32) -> Int32 {
        settled.withLock { settled in
            guard renameat(folder, name, place, target) == 0 else { return errno }
            var status = stat()
            let isThere = fstatat(place, target, &status, AT_SYMLINK_NOFOLLOW) == 0
            if !isThere || status.isFolder { settled.forget() }
            return 0
        }
    }
}
