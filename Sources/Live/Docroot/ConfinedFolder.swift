import CLinux
import DocrootServer
import Glibc

/// A folder of the docroot, reached name by name without following a link: wherever links lead, it
/// is under the root (behaviour A13).
struct ConfinedFolder: ~Copyable {
    let descriptor: Descriptor

    /// With `makes`, what is missing on the way is made, and is on the disk before this returns.
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

    /// What stands at a name, links not followed; `nil` if nothing does.
    func status(of name: String) throws(SystemError) -> stat? {
        var result = stat()
        if fstatat(descriptor.number, name, &result, AT_SYMLINK_NOFOLLOW) == 0 { return result }
        guard errno == ENOENT || errno == ENOTDIR else { throw SystemError("look at “\(name)”") }
        return nil
    }

    /// The names in it that are text, in order.
    func names() throws(SystemError) -> [String] {
        let copy = Descriptor(adopting: try descriptor.duplicate())
        guard let stream = fdopendir(try copy.duplicate()) else {
            throw SystemError("list a folder")
        }
        defer { closedir(stream) }
        // The place in a folder belongs to all numbers of one opening.
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

    /// Takes away what stands at a name, with all that is in it.
    func removeTree(_ name: String) throws(SystemError) {
        if unlinkat(descriptor.number, name, 0) == 0 || errno == ENOENT { return }
        guard errno == EISDIR || errno == EPERM else { throw SystemError("remove “\(name)”") }
        try removeFolder(name)
    }

    private func removeFolder(_ name: String) throws(SystemError) {
        let inside = ConfinedFolder(
            adopting: try Descriptor(opening: name, in: descriptor, O_RDONLY | O_DIRECTORY))
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
