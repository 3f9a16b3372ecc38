import CLinux
import DocrootServer
import Glibc
import Quantities

/// The docroot on a real disk: what stands in it.
struct ObjectStore: ~Copyable {
    let root: OpenFile
    private let attributes: ObjectAttributes
    private var opened: [BodyID: OpenFile] = [:]

    init(_ root: OpenFile, attributes: ObjectAttributes) {
        self.root = root
        self.attributes = attributes
    }

    /// Answers what the disk answers at once; `nil` for what others have to wait for, too. Files
    /// may need more versions than there are to give: then it throws `numbersSpent`.
    mutating func answer(_ request: StoreRequest) throws(SystemError) -> StoreAnswer? {
        do throws(SystemError) {
            switch request {
            case .look(let path): return try look(path)
            case .list(let path): return try list(path)
            case .open(let path, let id): return try open(path, as: id)
            case .measure, .digest, .makeFolder, .remove, .move, .copy, .setProperties:
                return nil
            }
        } catch {
            guard error != .numbersSpent else { throw error }
            return .failed(StoreFailure(error))
        }
    }

    func body(_ id: BodyID) -> OpenFile? { opened[id] }

    mutating func close(_ id: BodyID) { opened[id] = nil }

    private func look(_ path: ObjectPath) throws(SystemError) -> StoreAnswer {
        do throws(SystemError) {
            let parent = try folder(path.parent)
            return .found(try entry(path.entryName, in: parent), .folderStands)
        } catch {
            guard error.code == ENOENT || error.code == ENOTDIR else { throw error }
            return .found(nil, .folderMissing)
        }
    }

    private func list(_ path: ObjectPath) throws(SystemError) -> StoreAnswer {
        let parent = try folder(path.parent)
        guard let own = try entry(path.entryName, in: parent) else {
            throw SystemError("find “\(path.text)”", code: ENOENT)
        }
        guard own.isFolder else { return .listed(own, []) }
        let inside = try folder(path)
        var members: [StoredEntry] = []
        for name in try inside.names() where name.lowercased() != ObjectPath.reserved {
            do throws(SystemError) {
                if let member = try entry(name, in: inside) { members.append(member) }
            } catch {
                // What cannot be served is not listed.
                if error == .numbersSpent { throw error }
            }
        }
        return .listed(own, members)
    }

    private mutating func open(
        _ path: ObjectPath, as id: BodyID
    ) throws(SystemError) -> StoreAnswer {
        let parent = try folder(path.parent)
        guard let entry = try entry(path.entryName, in: parent) else {
            throw SystemError("find “\(path.text)”", code: ENOENT)
        }
        guard !entry.isFolder else { throw SystemError("read “\(path.text)”", code: EISDIR) }
        let file = try Descriptor(opening: path.name, in: parent.descriptor, O_RDONLY)
        opened[id] = OpenFile(file)
        return .opened(entry)
    }

    /// What stands at a name of a folder. What is neither file nor folder is not served: links may
    /// lead anywhere, and devices never end.
    private func entry(
        _ name: String, in folder: borrowing ConfinedFolder
    ) throws(SystemError) -> StoredEntry? {
        guard let status = try folder.status(of: name) else { return nil }
        guard status.isFile || status.isFolder else {
            throw SystemError("serve “\(name)”, which is neither file nor folder", code: EACCES)
        }
        let file = try Descriptor(opening: name, in: folder.descriptor, O_RDONLY)
        return StoredEntry(
            name: name == "." ? "" : name, isFolder: status.isFolder,
            size: ByteCount(UInt64(status.st_size)),
            version: status.isFolder ? 0 : try attributes.version(of: file),
            modified: UInt64(max(status.st_mtim.tv_sec, 0)),
            properties: ObjectAttributes.properties(of: file))
    }

    private func folder(_ path: ObjectPath) throws(SystemError) -> ConfinedFolder {
        try ConfinedFolder(path, under: root.descriptor)
    }
}

extension ObjectPath {
    /// By which it is found in the folder that holds it; the docroot finds itself.
    var entryName: String { self == .root ? "." : name }
}

extension StoreFailure {
    init(_ error: SystemError) {
        let kind: Kind =
            switch error.code {
            // Where a file or a link stands on the way, nothing is behind it.
            case ENOENT, ENOTDIR: .missing
            case EISDIR: .folderInTheWay
            case EEXIST: .conflict
            // The last two are said of properties.
            case ENOSPC, EDQUOT, E2BIG, ERANGE: .noSpace
            // A link, no right to go there, too deep, or a file system that keeps no properties.
            case ELOOP, EACCES, EPERM, EROFS, ENAMETOOLONG, ENOTSUP: .forbidden
            default: .broken
            }
        self.init(kind, error.description)
    }
}
