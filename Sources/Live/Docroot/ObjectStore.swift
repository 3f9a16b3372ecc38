import CLinux
import DocrootServer
import Glibc
import Quantities

/// The docroot on a real disk: what stands in it, and orders that change it other than by uploads.
struct ObjectStore: ~Copyable {
    let root: Descriptor
    /// Where things are made before they are shown, and brought to be forgotten.
    let workshop: Descriptor
    let isDurable: Bool
    /// A path of 1024 bytes has no more parts.
    private static let depthLimit = 512
    var attributes: ObjectAttributes
    private var opened: [BodyID: OpenedBody] = [:]
    private var lastDraft: UInt64 = 0

    init(
        docroot: String, workshop: String, isDurable: Bool, attributes: ObjectAttributes
    ) throws(SystemError) {
        let root = try Descriptor(opening: docroot, O_RDONLY | O_DIRECTORY)
        let shop = try Descriptor(opening: workshop, O_RDONLY | O_DIRECTORY)
        self.root = root
        self.workshop = shop
        self.isDurable = isDurable
        self.attributes = attributes
    }

    mutating func answer(_ request: StoreRequest) -> StoreAnswer {
        do throws(SystemError) {
            return try carryOut(request)
        } catch {
            return .failed(StoreFailure(error))
        }
    }

    func body(_ id: BodyID) -> OpenedBody? { opened[id] }

    mutating func close(_ id: BodyID) { opened[id] = nil }

    private mutating func carryOut(_ request: StoreRequest) throws(SystemError) -> StoreAnswer {
        switch request {
        case .look(let path): return try look(path)
        case .list(let path): return try list(path)
        case .open(let path, let id): return try open(path, as: id)
        case .measure(let path):
            return .measured(ByteCount(try measure(try folder(path), isTop: path == .root)))
        case .makeFolder(let path):
            let parent = try folder(path.parent)
            guard mkdirat(parent.descriptor.number, path.name, 0o755) == 0 else {
                throw SystemError("make “\(path.text)”")
            }
            try synchronise(parent.descriptor)
        case .remove(let path): try remove(path)
        case .move(let from, let to): try move(from, to: to)
        case .copy(let from, let to, let isDeep): try copy(from, to: to, isDeep: isDeep)
        case .setProperties(let path, let properties):
            let parent = try folder(path.parent)
            let file = try Descriptor(opening: path.entryName, in: parent.descriptor, O_RDONLY)
            try ObjectAttributes.setProperties(properties, of: file)
            try synchronise(file)
        }
        return .done
    }

    // MARK: What stands there

    private mutating func look(_ path: ObjectPath) throws(SystemError) -> StoreAnswer {
        do throws(SystemError) {
            let parent = try folder(path.parent)
            return .found(try entry(path.entryName, in: parent), .folderStands)
        } catch {
            guard error.code == ENOENT || error.code == ENOTDIR else { throw error }
            return .found(nil, .folderMissing)
        }
    }

    private mutating func list(_ path: ObjectPath) throws(SystemError) -> StoreAnswer {
        let parent = try folder(path.parent)
        guard let own = try entry(path.entryName, in: parent) else {
            throw SystemError("find “\(path.text)”", code: ENOENT)
        }
        guard own.isFolder else { return .listed(own, []) }
        let inside = try folder(path)
        var members: [StoredEntry] = []
        for name in try inside.names() where name.lowercased() != ObjectPath.reserved {
            if let member = try? entry(name, in: inside) { members.append(member) }
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
        opened[id] = OpenedBody(file)
        return .opened(entry)
    }

    /// What stands at a name of a folder. What is neither file nor folder is not served: links may
    /// lead anywhere, and devices never end.
    private mutating func entry(
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

    private func measure(
        _ folder: borrowing ConfinedFolder, isTop: Bool
    ) throws(SystemError) -> UInt64 {
        var sum: UInt64 = 0
        for name in try folder.names() where !isTop || name.lowercased() != ObjectPath.reserved {
            guard let status = try folder.status(of: name) else { continue }
            if status.isFile { sum += UInt64(status.st_size) }
            guard status.isFolder else { continue }
            let inside = try Descriptor(
                opening: name, in: folder.descriptor, O_RDONLY | O_DIRECTORY)
            sum += try measure(ConfinedFolder(adopting: inside), isTop: false)
        }
        return sum
    }

    func folder(_ path: ObjectPath) throws(SystemError) -> ConfinedFolder {
        try ConfinedFolder(path, under: root)
    }

    // MARK: Changes

    /// Gone for readers in one step, and taken apart afterwards.
    private mutating func remove(_ path: ObjectPath) throws(SystemError) {
        let parent = try folder(path.parent)
        try clear(path.name, of: parent)
        try synchronise(parent.descriptor)
    }

    private mutating func clear(
        _ name: String, of folder: borrowing ConfinedFolder
    ) throws(SystemError) {
        let draft = newDraft()
        guard renameat(folder.descriptor.number, name, workshop.number, draft) == 0 else {
            if errno == ENOENT { return }
            throw SystemError("take “\(name)” away")
        }
        try ConfinedFolder(adopting: Descriptor(adopting: try workshop.duplicate()))
            .removeTree(draft)
    }

    private mutating func move(_ from: ObjectPath, to: ObjectPath) throws(SystemError) {
        let source = try folder(from.parent)
        try checkDepth(of: from.name, in: source, below: to.components.count)
        try put(source.descriptor.number, from.name, to: to)
        try synchronise(source.descriptor)
    }

    private mutating func copy(
        _ from: ObjectPath, to: ObjectPath, isDeep: Bool
    ) throws(SystemError) {
        let draft = newDraft()
        let shop = ConfinedFolder(adopting: Descriptor(adopting: try workshop.duplicate()))
        do throws(SystemError) {
            let source = try folder(from.parent)
            if isDeep { try checkDepth(of: from.name, in: source, below: to.components.count) }
            try copyTree(from.name, of: source, to: draft, in: shop, isDeep: isDeep)
            try put(workshop.number, draft, to: to)
        } catch {
            try? shop.removeTree(draft)
            throw error
        }
    }

    /// What goes elsewhere with all that is in it stays within reach: a folder whose path is longer
    /// than any that can be asked for could be put into another for ever, until nobody who walks
    /// through it comes to its end.
    private func checkDepth(
        of name: String, in folder: borrowing ConfinedFolder, below depth: Int
    ) throws(SystemError) {
        guard try folder.status(of: name)?.isFolder == true else { return }
        guard depth < Self.depthLimit else {
            throw SystemError("put “\(name)” so deep", code: ENAMETOOLONG)
        }
        let inside = ConfinedFolder(
            adopting: try Descriptor(opening: name, in: folder.descriptor, O_RDONLY | O_DIRECTORY))
        for name in try inside.names() { try checkDepth(of: name, in: inside, below: depth + 1) }
    }

    /// Renames what is ready to its place. A file takes a file's place in one step; between a
    /// folder and anything else, the place is empty for a moment.
    private mutating func put(
        _ folder: Int32, _ name: String, to path: ObjectPath
    ) throws(SystemError) {
        let parent = try self.folder(path.parent)
        if renameat(folder, name, parent.descriptor.number, path.name) != 0 {
            guard [EISDIR, ENOTDIR, ENOTEMPTY, EEXIST].contains(errno) else {
                throw SystemError("put something at “\(path.text)”")
            }
            try clear(path.name, of: parent)
            guard renameat(folder, name, parent.descriptor.number, path.name) == 0 else {
                throw SystemError("put something at “\(path.text)”")
            }
        }
        try synchronise(parent.descriptor)
    }

    private mutating func copyTree(
        _ name: String, of source: borrowing ConfinedFolder, to copy: String,
        in target: borrowing ConfinedFolder, isDeep: Bool
    ) throws(SystemError) {
        let from = try Descriptor(opening: name, in: source.descriptor, O_RDONLY)
        let status = try from.status()
        guard status.isFolder else {
            guard status.isFile else { return }
            let file = try Descriptor(
                opening: copy, in: target.descriptor, O_RDWR | O_CREAT | O_EXCL)
            try from.copy(UInt64(status.st_size), to: file)
            return try finishCopy(of: from, file, isFolder: false)
        }
        guard mkdirat(target.descriptor.number, copy, 0o755) == 0 else {
            throw SystemError("make “\(copy)”")
        }
        let folder = ConfinedFolder(
            adopting: try Descriptor(opening: copy, in: target.descriptor, O_RDONLY | O_DIRECTORY))
        if isDeep {
            let inside = ConfinedFolder(
                adopting: try Descriptor(
                    opening: name, in: source.descriptor, O_RDONLY | O_DIRECTORY))
            for name in try inside.names() {
                try copyTree(name, of: inside, to: name, in: folder, isDeep: true)
            }
        }
        try finishCopy(of: from, folder.descriptor, isFolder: true)
    }

    private mutating func finishCopy(
        of original: borrowing Descriptor, _ copy: borrowing Descriptor, isFolder: Bool
    ) throws(SystemError) {
        let properties = ObjectAttributes.properties(of: original)
        if !properties.isEmpty { try ObjectAttributes.setProperties(properties, of: copy) }
        if !isFolder { try attributes.renew(copy) }
        try synchronise(copy)
    }

    private mutating func newDraft() -> String {
        lastDraft += 1
        return "draft-\(lastDraft)"
    }

    private func synchronise(_ file: borrowing Descriptor) throws(SystemError) {
        if isDurable { try file.synchronise() }
    }
}

/// An object that stays what it was while somebody reads it.
final class OpenedBody {
    let file: Descriptor
    init(_ file: consuming Descriptor) { self.file = file }
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

extension Descriptor {
    /// The beginning of a file into another, by the kernel.
    func copy(_ count: UInt64, to target: borrowing Descriptor) throws(SystemError) {
        var place = off_t(0)
        let (source, destination) = (number, target.number)
        while UInt64(place) < count {
            let step = Int(min(count - UInt64(place), 1 << 30))
            let sent = retryingInterrupted { sendfile(destination, source, &place, step) }
            guard sent >= 0 else { throw SystemError("copy") }
            // Somebody has cut the original short.
            if sent == 0 { return }
        }
    }
}
