import CLinux
import DocrootServer
import Glibc
import Protocols
import Quantities
import Synchronization
import TransferHost

/// Changes of the docroot other than uploads, and slow questions. Several threads carry them out.
final class ObjectChanges: Sendable {
    private let folders: KnownFolders
    private let workshop: Workshop
    private let attributes: ObjectAttributes
    private let lastDraft = Atomic<UInt64>(0)
    /// No path of 1024 bytes has more parts.
    private static let depthLimit = 512

    init(_ folders: KnownFolders, _ workshop: Workshop, _ attributes: ObjectAttributes) {
        self.folders = folders
        self.workshop = workshop
        self.attributes = attributes
    }

    func answer(_ request: StoreRequest) -> StoreAnswer {
        do throws(SystemError) {
            return try carryOut(request)
        } catch {
            return .failed(StoreFailure(error))
        }
    }

    private func carryOut(_ request: StoreRequest) throws(SystemError) -> StoreAnswer {
        switch request {
        case .look, .list, .open: preconditionFailure("the store answers \(request) itself")
        case .measure(let path):
            return .measured(ByteCount(try measure(path)))
        case .digest(let path): return try digest(path)
        case .makeFolder(let path):
            for step in workshop.order.makeFolder(path) { try carryOut(step) }
        case .remove(let path): try remove(path)
        case .move(let from, let to): try move(from, to: to)
        case .copy(let from, let to, let isDeep): try copy(from, to: to, isDeep: isDeep)
        case .setProperties(let path, let properties):
            let parent = try folders.folder(path.parent)
            let file = try Descriptor(opening: path.entryName, in: parent.descriptor, O_RDONLY)
            try ObjectAttributes.setProperties(properties, of: file)
            try synchronise(file)
        }
        return .done
    }

    private func carryOut(_ step: DiskStep) throws(SystemError) {
        switch step {
        case .makeFolder(let path):
            let parent = try folders.folder(path.parent)
            guard mkdirat(parent.descriptor.number, path.name, 0o755) == 0 else {
                throw SystemError("make “\(path.text)”")
            }
        case .settleFolder(let path): try folders.settle(path)
        case .make, .write, .mark, .stamp, .rename, .remove, .synchronise, .synchroniseWorkshop,
            .synchroniseFolder:
            preconditionFailure("\(step) is done by uploads alone")
        }
    }

    private func digest(_ path: ObjectPath) throws(SystemError) -> StoreAnswer {
        let parent = try folders.folder(path.parent)
        let file = try Descriptor(opening: path.entryName, in: parent.descriptor, O_RDONLY)
        let status = try file.status()
        guard status.isFile else { throw SystemError("read “\(path.text)”", code: EISDIR) }
        let entry = StoredEntry(
            name: path.name, isFolder: false, size: ByteCount(UInt64(status.st_size)),
            version: try attributes.versionPatiently(of: file),
            modified: UInt64(max(status.st_mtim.tv_sec, 0)))
        return .digested(entry, .sha256(try Digest.digest(ofFile: file)))
    }

    /// A folder that nobody has put anything into holds nothing.
    private func measure(_ path: ObjectPath) throws(SystemError) -> UInt64 {
        do throws(SystemError) {
            return try measure(try folders.folder(path), isTop: path == .root)
        } catch {
            guard error.code == ENOENT || error.code == ENOTDIR else { throw error }
            return 0
        }
    }

    private func measure(
        _ folder: borrowing ConfinedFolder, isTop: Bool
    ) throws(SystemError) -> UInt64 {
        var sum: UInt64 = 0
        for name in try folder.names() where !isTop || name.lowercased() != ObjectPath.reserved {
            guard let status = try folder.status(of: name) else { continue }
            if status.isFile { sum += UInt64(status.st_size) }
            guard status.isFolder else { continue }
            sum += try measure(try folder.folder(name), isTop: false)
        }
        return sum
    }

    /// Removes an entry: it is gone for readers in one step, and is taken apart afterwards.
    private func remove(_ path: ObjectPath) throws(SystemError) {
        let parent = try folders.folder(path.parent)
        try clear(path.name, of: parent)
        try synchronise(parent.descriptor)
    }

    private func clear(
        _ name: String, of folder: borrowing ConfinedFolder
    ) throws(SystemError) {
        let draft = newDraft()
        let code = folders.rename(
            name, of: folder.descriptor.number, to: draft, in: workshop.folder.number)
        guard code == 0 else {
            if code == ENOENT { return }
            throw SystemError("take “\(name)” away", code: code)
        }
        try workshop.confined().removeTree(draft)
    }

    private func move(_ from: ObjectPath, to: ObjectPath) throws(SystemError) {
        let source = try folders.folder(from.parent)
        try checkDepth(of: from.name, in: source, below: to.components.count)
        try put(source.descriptor.number, from.name, to: to)
        try synchronise(source.descriptor)
    }

    private func copy(
        _ from: ObjectPath, to: ObjectPath, isDeep: Bool
    ) throws(SystemError) {
        let draft = newDraft()
        let shop = try workshop.confined()
        do throws(SystemError) {
            let source = try folders.folder(from.parent)
            if isDeep { try checkDepth(of: from.name, in: source, below: to.components.count) }
            try copyTree(from.name, of: source, to: draft, in: shop, isDeep: isDeep)
            try put(workshop.folder.number, draft, to: to)
        } catch {
            try? shop.removeTree(draft)
            throw error
        }
    }

    /// Checks that a moved tree stays within reach. A folder with a path too long to be requested
    /// could otherwise be nested for ever.
    private func checkDepth(
        of name: String, in folder: borrowing ConfinedFolder, below depth: Int
    ) throws(SystemError) {
        guard try folder.status(of: name)?.isFolder == true else { return }
        guard depth < Self.depthLimit else {
            throw SystemError("put “\(name)” so deep", code: ENAMETOOLONG)
        }
        let inside = try folder.folder(name)
        for name in try inside.names() { try checkDepth(of: name, in: inside, below: depth + 1) }
    }

    /// Renames an entry to its place. A file replaces a file in one step; if a folder is involved,
    /// the place is empty for a moment.
    private func put(
        _ folder: Int32, _ name: String, to path: ObjectPath
    ) throws(SystemError) {
        let parent = try folders.folder(path.parent)
        for step in workshop.order.settle(path.parent) { try carryOut(step) }
        let place = parent.descriptor.number
        var code = folders.rename(name, of: folder, to: path.name, in: place)
        if [EISDIR, ENOTDIR, ENOTEMPTY, EEXIST].contains(code) {
            try clear(path.name, of: parent)
            code = folders.rename(name, of: folder, to: path.name, in: place)
        }
        guard code == 0 else { throw SystemError("put something at “\(path.text)”", code: code) }
        try synchronise(parent.descriptor)
    }

    private func copyTree(
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
        let folder = try target.folder(copy)
        if isDeep {
            let inside = try source.folder(name)
            for name in try inside.names() {
                try copyTree(name, of: inside, to: name, in: folder, isDeep: true)
            }
        }
        try finishCopy(of: from, folder.descriptor, isFolder: true)
    }

    private func finishCopy(
        of original: borrowing Descriptor, _ copy: borrowing Descriptor, isFolder: Bool
    ) throws(SystemError) {
        let properties = ObjectAttributes.properties(of: original)
        if !properties.isEmpty { try ObjectAttributes.setProperties(properties, of: copy) }
        if !isFolder { try attributes.renewPatiently(copy) }
        try synchronise(copy)
    }

    private func newDraft() -> String {
        "draft-\(lastDraft.add(1, ordering: .relaxed).newValue)"
    }

    private func synchronise(_ file: borrowing Descriptor) throws(SystemError) {
        if workshop.order.isDurable { try file.synchronise() }
    }
}

extension Descriptor {
    /// Copies the beginning of a file, in the kernel.
    func copy(_ count: UInt64, to target: borrowing Descriptor) throws(SystemError) {
        var place = off_t(0)
        let (source, destination) = (number, target.number)
        while UInt64(place) < count {
            let step = Int(min(count - UInt64(place), 1 << 30))
            let sent = retryingInterrupted { sendfile(destination, source, &place, step) }
            guard sent >= 0 else { throw SystemError("copy") }
            // The original was truncated meanwhile.
            if sent == 0 { return }
        }
    }
}
