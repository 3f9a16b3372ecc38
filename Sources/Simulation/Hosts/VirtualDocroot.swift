import Content
import DocrootServer
import Protocols
import Quantities

/// The server's disk: objects and staging areas as lists of ranges.
///
/// Uploads use the order of the live docroot (see `DiskOrder`); all other changes are durable at
/// once.
struct VirtualDocroot: Sendable {
    var disk = SymbolicDisk()
    let order: DiskOrder
    let root: SymbolicDisk.NodeNumber
    let workshop: SymbolicDisk.NodeNumber
    var staged: [UploadID: StagedFile] = [:] { didSet { latest = nil } }
    /// Staging area of the latest append; nearly every packet of an upload goes to the same area.
    var latest: (upload: UploadID, file: StagedFile)?
    var versions = SpentNumbers()
    var uploads = SpentNumbers()
    var settled = SettledFolders()
    /// Steps left until the power fails; `nil` for no limit.
    var stepsWithPower: UInt64?
    /// Publications of which the server has not heard yet.
    var untold: [UploadID: Untold] = [:]
    /// Uploads whose publication the server was told.
    var told: Set<UploadID> = []
    /// Objects open for reading, as they were when they were opened.
    private(set) var opened: [BodyID: [ContentRange]] = [:]

    struct StagedFile: Sendable {
        var node: SymbolicDisk.NodeNumber
        var isKept = false
        /// Bytes from here on do not count yet.
        var provisionalFrom: ByteCount?
    }

    init(_ order: DiskOrder = .durable) {
        self.order = order
        root = disk.mount()
        workshop = disk.mount()
    }

    // MARK: Questions

    mutating func answer(_ request: StoreRequest, at wallClock: UInt64) -> StoreAnswer {
        do throws(StoreFailure) {
            return try carryOut(request, at: wallClock)
        } catch {
            return .failed(error)
        }
    }

    private mutating func carryOut(
        _ request: StoreRequest, at wallClock: UInt64
    ) throws(StoreFailure) -> StoreAnswer {
        switch request {
        case .look(let path):
            let entry = node(at: path).map { self.entry($0, named: path.name) }
            let stands = node(at: path.parent).map { disk[$0].isFolder } ?? false
            return .found(entry, stands ? .folderStands : .folderMissing)
        case .list(let path):
            let folder = try standing(at: path)
            let members = members(of: folder).map { entry($0.node, named: $0.name) }
            return .listed(entry(folder, named: path.name), members)
        case .open(let path, let id):
            let object = try standing(at: path)
            guard !disk[object].isFolder else {
                throw StoreFailure(.folderInTheWay, "“\(path.text)” is a folder")
            }
            opened[id] = disk[object].body.ranges
            return .opened(entry(object, named: path.name))
        case .measure(let path):
            return .measured(node(at: path).map(measure) ?? .zero)
        case .digest(let path):
            let object = try standing(at: path)
            return .digested(
                entry(object, named: path.name), .ranges(disk[object].body.ranges.digest))
        case .makeFolder(let path):
            var steps = order.makeFolder(path)[...]
            while goOn(&steps, at: wallClock) {}
        case .remove(let path): remove(path)
        case .copy(let from, let to, let isDeep): copy(from, to: to, isDeep, at: wallClock)
        case .move(let from, let to):
            copy(from, to: to, true, at: wallClock)
            remove(from)
        case .setProperties(let path, let properties):
            guard let object = node(at: path) else { break }
            disk[object].attributes.properties = properties
            disk.synchronise(object)
        }
        return .done
    }

    func piece(of id: BodyID, at offset: ByteCount, length: ByteCount) -> [Segment] {
        var skipped = offset
        var wanted = length
        var segments: [Segment] = []
        for range in opened[id] ?? [] where wanted > .zero {
            guard skipped < range.length else {
                skipped = skipped - range.length
                continue
            }
            let (piece, _) = range.split(at: skipped).1.split(
                at: min(wanted, range.length - skipped))
            segments.append(.content(piece))
            wanted = wanted - piece.length
            skipped = .zero
        }
        return segments
    }

    mutating func close(_ id: BodyID) { opened[id] = nil }

    // MARK: Names

    /// Returns where a path leads, if its folder exists.
    func place(of path: ObjectPath) -> SymbolicDisk.Place? {
        guard let folder = node(at: path.parent), disk[folder].isFolder else { return nil }
        return SymbolicDisk.Place(folder: folder, name: path.name)
    }

    func node(at path: ObjectPath) -> SymbolicDisk.NodeNumber? {
        var node = root
        for name in path.components {
            let place = SymbolicDisk.Place(folder: node, name: name)
            guard let next = disk.node(at: place) else { return nil }
            node = next
        }
        return node
    }

    private func standing(at path: ObjectPath) throws(StoreFailure) -> SymbolicDisk.NodeNumber {
        guard let node = node(at: path) else {
            throw StoreFailure(.missing, "there is nothing at “\(path.text)”")
        }
        return node
    }

    func members(
        of folder: SymbolicDisk.NodeNumber
    ) -> [(name: String, node: SymbolicDisk.NodeNumber)] {
        disk.members(of: folder).compactMap { name in
            disk.node(at: .init(folder: folder, name: name)).map { (name, $0) }
        }
    }

    private func entry(_ node: SymbolicDisk.NodeNumber, named name: String) -> StoredEntry {
        let file = disk[node]
        return StoredEntry(
            name: name, isFolder: file.isFolder, size: file.body.total,
            version: file.attributes.version, modified: file.attributes.modified,
            properties: file.attributes.properties)
    }

    private func measure(_ node: SymbolicDisk.NodeNumber) -> ByteCount {
        var sum = disk[node].body.total
        for member in members(of: node) { sum += measure(member.node) }
        return sum
    }

    // MARK: Changes

    /// Returns a version number that was never used.
    mutating func newVersion() -> UInt64 {
        spend(versions.following, of: .versions)
        return versions.next()
    }

    mutating func makeFolder(_ place: SymbolicDisk.Place, at wallClock: UInt64) {
        let folder = disk.make(place, isFolder: true)
        disk[folder].attributes.version = newVersion()
        disk[folder].attributes.modified = wallClock
    }

    private mutating func remove(_ path: ObjectPath) {
        guard let place = place(of: path), let node = disk.node(at: place) else { return }
        for member in members(of: node) { remove(path.appending(member.name)) }
        if disk[node].isFolder { settled.forget() }
        disk.remove(place)
        disk.synchroniseNames(in: place.folder)
    }

    private mutating func copy(
        _ from: ObjectPath, to: ObjectPath, _ isDeep: Bool, at wallClock: UInt64
    ) {
        remove(to)
        guard let source = node(at: from), let place = place(of: to) else { return }
        if disk[source].isFolder { settled.forget() }
        let copy = disk.make(place, isFolder: disk[source].isFolder)
        disk[copy].append(disk[source].body.ranges.map(Segment.content))
        disk[copy].attributes = disk[source].attributes
        disk[copy].attributes.version = newVersion()
        disk.synchronise(copy)
        disk.synchroniseNames(in: place.folder)
        guard isDeep else { return }
        for member in members(of: source) {
            self.copy(
                from.appending(member.name), to: to.appending(member.name), true, at: wallClock)
        }
    }
}
