import CLinux
import DocrootServer
import Glibc
import Synchronization
import TransferHost

/// The docroot's folders, for loop and threads, and which of their names are certainly on the disk.
final class KnownFolders: Sendable {
    let root: OpenFile
    private let settled = Mutex(SettledFolders())

    init(under root: OpenFile) { self.root = root }

    func folder(_ path: ObjectPath) throws(SystemError) -> ConfinedFolder {
        try ConfinedFolder(path, under: root.descriptor)
    }

    func isSettled(_ folder: ObjectPath) -> Bool { settled.withLock { $0.holds(folder) } }

    /// Waits until the folder's own name is durable, unless it is known to be.
    func settle(_ folder: ObjectPath) throws(SystemError) {
        let age = settled.withLock { $0.holds(folder) ? nil : $0.age }
        guard let age else { return }
        try self.folder(folder.parent).descriptor.synchronise()
        settled.withLock { $0.settle(folder, since: age) }
    }

    /// Renames an entry. A renamed folder makes everything known about folders doubtful. Returns 0
    /// or an error number.
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
