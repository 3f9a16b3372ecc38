import CLinux
import DocrootServer
import Glibc
import TransferHost

/// A folder of the docroot, reached name by name without following links, so that it is always
/// under the root (behaviour A13).
struct ConfinedFolder: ~Copyable {
    let descriptor: Descriptor

    /// With `makes`, missing folders on the way are made, and are on the disk before this returns.
    init(
        _ path: ObjectPath, under root: borrowing Descriptor, makes: Bool = false
    ) throws(SystemError) {
        var folder = Descriptor(adopting: try root.duplicate())
        for name in path.components {
            if makes {
                let isNew = mkdirat(folder.number, name, 0o755) == 0
                guard isNew || errno == EEXIST else { throw SystemError("make “\(name)”") }
                if isNew { try folder.synchronise() }
            }
            folder = try Descriptor(opening: name, in: folder, O_RDONLY | O_DIRECTORY)
        }
        descriptor = folder
    }

    /// The status of the entry at a name, links not followed; `nil` if there is none.
    func status(of name: String) throws(SystemError) -> stat? {
        var result = stat()
        if fstatat(descriptor.number, name, &result, AT_SYMLINK_NOFOLLOW) == 0 { return result }
        guard errno == ENOENT || errno == ENOTDIR else { throw SystemError("look at “\(name)”") }
        return nil
    }

    func folder(_ name: String) throws(SystemError) -> ConfinedFolder {
        ConfinedFolder(
            adopting: try Descriptor(opening: name, in: descriptor, O_RDONLY | O_DIRECTORY))
    }

    /// Its names that are valid text, sorted.
    func names() throws(SystemError) -> [String] {
        let copy = Descriptor(adopting: try descriptor.duplicate())
        guard let stream = fdopendir(try copy.duplicate()) else {
            throw SystemError("list a folder")
        }
        defer { closedir(stream) }
        // Duplicates of a descriptor share one position in the folder.
        rewinddir(stream)
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) {
                    String(validatingCString: $0)
                }
            }
            guard let name, name != ".", name != ".." else { continue }
            names.append(name)
        }
        return names.sorted()
    }

    /// Removes the entry at a name with everything in it.
    func removeTree(_ name: String) throws(SystemError) {
        if unlinkat(descriptor.number, name, 0) == 0 || errno == ENOENT { return }
        guard errno == EISDIR || errno == EPERM else { throw SystemError("remove “\(name)”") }
        try removeFolder(name)
    }

    private func removeFolder(_ name: String) throws(SystemError) {
        let inside = try folder(name)
        for name in try inside.names() { try inside.removeTree(name) }
        guard unlinkat(descriptor.number, name, AT_REMOVEDIR) == 0 else {
            throw SystemError("remove “\(name)”")
        }
    }

    init(adopting descriptor: consuming Descriptor) { self.descriptor = descriptor }
}

extension stat {
    var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
    var isFile: Bool { st_mode & S_IFMT == S_IFREG }
}
