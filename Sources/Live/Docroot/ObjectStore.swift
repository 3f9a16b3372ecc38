import CLinux
import DocrootServer
import Glibc
import Quantities
import TransferHost

/// The entries of a docroot on a real disk.
struct ObjectStore: ~Copyable {
    private let folders: KnownFolders
    private let attributes: ObjectAttributes
    private var opened: [BodyID: OpenFile] = [:]

    init(_ folders: KnownFolders, attributes: ObjectAttributes) {
        self.folders = folders
        self.attributes = attributes
    }

    /// Answers quick requests; returns `nil` for slow ones. Throws `numbersSpent` if files need
    /// more versions than there are to give.
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
            let parent = try folders.folder(path.parent)
            return .found(try entry(path.entryName, in: parent), .folderStands)
        } catch {
            guard error.code == ENOENT || error.code == ENOTDIR else { throw error }
            return .found(nil, .folderMissing)
        }
    }

    private func list(_ path: ObjectPath) throws(SystemError) -> StoreAnswer {
        let parent = try folders.folder(path.parent)
        guard let own = try entry(path.entryName, in: parent) else {
            throw SystemError("find “\(path.text)”", code: ENOENT)
        }
        guard own.isFolder else { return .listed(own, []) }
        let inside = try folders.folder(path)
        var members: [StoredEntry] = []
        for name in try inside.names() where name.lowercased() != ObjectPath.reserved {
            do throws(SystemError) {
                if let member = try entry(name, in: inside) { members.append(member) }
            } catch {
                // An entry that cannot be served is not listed.
                if error == .numbersSpent { throw error }
            }
        }
        return .listed(own, members)
    }

    private mutating func open(
        _ path: ObjectPath, as id: BodyID
    ) throws(SystemError) -> StoreAnswer {
        let parent = try folders.folder(path.parent)
        guard let entry = try entry(path.entryName, in: parent) else {
            throw SystemError("find “\(path.text)”", code: ENOENT)
        }
        guard !entry.isFolder else { throw SystemError("read “\(path.text)”", code: EISDIR) }
        let file = try Descriptor(opening: path.name, in: parent.descriptor, O_RDONLY)
        opened[id] = OpenFile(file)
        return .opened(entry)
    }

    /// The entry at a name of a folder. Anything but a file or folder is refused: links may lead
    /// anywhere, and devices never end.
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
}

extension ObjectPath {
    /// Its name in the folder that holds it; the docroot is “.” in itself.
    var entryName: String { self == .root ? "." : name }
}

extension StoreFailure {
    init(_ error: SystemError) {
        let kind: Kind =
            switch error.code {
            // A file or a link on the way hides everything behind it.
            case ENOENT, ENOTDIR: .missing
            case EISDIR: .folderInTheWay
            case EEXIST: .conflict
            // The last two come from properties.
            case ENOSPC, EDQUOT, E2BIG, ERANGE: .noSpace
            // A link, no permission, too deep, or a file system without properties.
            case ELOOP, EACCES, EPERM, EROFS, ENAMETOOLONG, ENOTSUP: .forbidden
            default: .broken
            }
        self.init(kind, error.description)
    }
}
