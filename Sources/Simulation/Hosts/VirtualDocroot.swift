import Content
import DocrootServer
import Quantities

/// The server's disk: objects and staging areas as lists of ranges.
struct VirtualDocroot: Sendable {
    private var staging: [UploadID: Body] = [:]
    private var objects: [String: Object] = [:]
    /// Opened for reading, as they were then.
    private var opened: [BodyID: [ContentRange]] = [:]
    private var lastVersion: UInt64 = 0

    private struct Body: Sendable {
        var ranges: [ContentRange] = []
        var total = ByteCount.zero

        mutating func append(_ segments: [Segment], at offset: ByteCount) -> ByteCount {
            precondition(offset == total, "an append at \(offset) to staging of \(total)")
            for segment in segments {
                switch segment {
                case .content(let range): ranges.join(range)
                case .bytes:
                    // Real bytes in a body come from no file of the plan.
                    ranges.join(ContentRange(.unknown, offset: total, length: segment.length))
                }
                total += segment.length
            }
            return total
        }
    }

    private struct Object: Sendable {
        /// None of a folder.
        var body: Body?
        var version: UInt64
        var modified: UInt64
        var properties: [StoredProperty] = []
    }

    // MARK: Uploads

    /// Appends to a staging area and returns how much it holds then.
    mutating func stage(
        _ upload: UploadID, at offset: ByteCount, _ segments: [Segment]
    ) -> ByteCount {
        staging[upload, default: Body()].append(segments, at: offset)
    }

    /// Takes a staging area away in one step and returns what readers see from now on.
    mutating func publish(
        _ upload: UploadID, as object: ObjectPath, at wallClock: UInt64
    ) -> Result<PublishedBody, StoreFailure> {
        if let old = objects[object.text], old.body == nil {
            return .failure(StoreFailure(.folderInTheWay, "“\(object.text)” is a folder"))
        }
        makeFolders(on: object.parent, at: wallClock)
        let body = staging.removeValue(forKey: upload) ?? Body()
        lastVersion += 1
        let replaced = objects[object.text]?.body?.total ?? .zero
        objects[object.text] = Object(
            body: body, version: lastVersion, modified: wallClock,
            properties: objects[object.text]?.properties ?? [])
        return .success(
            PublishedBody(version: lastVersion, content: body.ranges, replaced: replaced))
    }

    /// Takes back what came after an offset.
    mutating func truncate(_ upload: UploadID, to offset: ByteCount) {
        guard let body = staging[upload] else { return }
        var kept = Body()
        for range in body.ranges where kept.total < offset {
            let part = range.split(at: min(range.length, offset - kept.total)).0
            kept.ranges.join(part)
            kept.total += part.length
        }
        staging[upload] = kept
    }

    mutating func discard(_ upload: UploadID) { staging[upload] = nil }

    func staged(_ upload: UploadID) -> ByteCount { staging[upload]?.total ?? .zero }

    // MARK: Objects

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
            let entry = object(at: path).map { self.entry($0, named: path.name) }
            let parent = object(at: path.parent)
            let stands = parent != nil && parent?.body == nil
            return .found(entry, stands ? .folderStands : .folderMissing)
        case .list(let path):
            let folder = try standing(at: path)
            let names = folder.body == nil ? members(of: path) : []
            let members = names.compactMap { name in
                object(at: path.appending(name)).map { entry($0, named: name) }
            }
            return .listed(entry(folder, named: path.name), members)
        case .open(let path, let id):
            let object = try standing(at: path)
            guard let body = object.body else {
                throw StoreFailure(.folderInTheWay, "“\(path.text)” is a folder")
            }
            opened[id] = body.ranges
            return .opened(entry(object, named: path.name))
        case .measure(let path):
            let sizes = tree(at: path).compactMap { objects[$0]?.body?.total.bytes }
            return .measured(ByteCount(sizes.reduce(0, +)))
        case .makeFolder(let path): makeFolders(on: path, at: wallClock)
        case .remove(let path): for name in tree(at: path) { objects[name] = nil }
        case .copy(let from, let to, let isDeep):
            copy(from, to: to, isDeep: isDeep)
        case .move(let from, let to):
            copy(from, to: to, isDeep: true)
            for name in tree(at: from) { objects[name] = nil }
        case .setProperties(let path, let properties):
            objects[path.text]?.properties = properties
        }
        return .done
    }

    /// The ranges of a piece of an opened object.
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

    private func object(at path: ObjectPath) -> Object? {
        path == .root ? Object(body: nil, version: 0, modified: 0) : objects[path.text]
    }

    private func standing(at path: ObjectPath) throws(StoreFailure) -> Object {
        guard let object = object(at: path) else {
            throw StoreFailure(.missing, "there is nothing at “\(path.text)”")
        }
        return object
    }

    private func entry(_ object: Object, named name: String) -> StoredEntry {
        StoredEntry(
            name: name, isFolder: object.body == nil, size: object.body?.total ?? .zero,
            version: object.version, modified: object.modified, properties: object.properties)
    }

    private mutating func makeFolders(on path: ObjectPath, at wallClock: UInt64) {
        var folder = ObjectPath.root
        for name in path.components {
            folder = folder.appending(name)
            if objects[folder.text] == nil {
                lastVersion += 1
                objects[folder.text] = Object(
                    body: nil, version: lastVersion, modified: wallClock)
            }
        }
    }

    private mutating func copy(_ from: ObjectPath, to: ObjectPath, isDeep: Bool) {
        for name in tree(at: to) { objects[name] = nil }
        for name in isDeep ? tree(at: from) : [from.text] {
            guard var object = objects[name] else { continue }
            lastVersion += 1
            object.version = lastVersion
            objects[to.text + name.dropFirst(from.text.count)] = object
        }
    }

    /// The path and all that lies under it, in order.
    private func tree(at path: ObjectPath) -> [String] {
        objects.keys.filter {
            path == .root || $0 == path.text || $0.hasPrefix(path.text + "/")
        }.sorted()
    }

    private func members(of path: ObjectPath) -> [String] {
        let prefix = path == .root ? "" : path.text + "/"
        return objects.keys.filter { $0.hasPrefix(prefix) && $0 != path.text }
            .map { String($0.dropFirst(prefix.count)) }
            .filter { !$0.contains("/") }.sorted()
    }
}
