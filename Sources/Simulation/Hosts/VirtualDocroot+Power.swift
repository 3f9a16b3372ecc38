import Content
import DocrootServer
import Quantities

/// Losses of power of the server's machine, and what the next process finds.
extension VirtualDocroot {
    /// Whether the power has failed.
    var isDark: Bool { stepsWithPower == 0 }

    /// Notes that the server was told of a publication.
    mutating func wasTold(of upload: UploadID) {
        untold[upload] = nil
        told.insert(upload)
    }

    /// Leaves each change that is not durable to chance. Returns the objects that readers have seen
    /// and that are not as they were. The object of a publication that was under way may be the old
    /// one or the new one.
    mutating func losePower(sparing random: inout RandomStream) -> [ObjectPath] {
        let underWay = Dictionary(grouping: untold.values, by: \.object)
        let before = objects(in: root, at: .root).filter { underWay[$0.path] == nil }
        losePower(random: &random)
        let changed = before.filter { whatStands(at: $0.path) != $0.object }.map(\.path)
        let neither = underWay.filter { path, publications in
            let now = whatStands(at: path)
            return !publications.contains { $0.node == now?.node || $0.before == now }
        }
        // any order: sorted
        return changed + neither.keys.sorted { $0.text < $1.text }
    }

    /// Returns what the server has to hear besides its uploads: publications that no process has
    /// told of.
    mutating func findings(_ uploads: [RestoredUpload]) -> [ServerInput] {
        var found = untold.filter { node(at: $0.value.object) == $0.value.node }
            .map { (upload: $0.key, object: $0.value.object) }
        for upload in uploads where upload.isPublished {
            let id = upload.record.id
            if !told.contains(id), untold[id] == nil { found.append((id, upload.record.object)) }
        }
        untold = [:]
        for (upload, _) in found { told.insert(upload) }
        return found.sorted { $0.upload.number < $1.upload.number }.map { upload, object in
            let content = node(at: object).map { disk[$0].body.ranges } ?? []
            return .foundPublished(upload, object, content)
        }
    }

    /// The files of the staging area that belong to no upload.
    func leftovers(besides isKnown: (UploadID) -> Bool) -> [String] {
        disk.members(of: workshop).filter { name in
            guard let number = UInt64(name.prefix { $0 != "." }) else { return false }
            return !isKnown(UploadID(number))
        }
    }

    /// What stands under a name.
    struct Standing: Hashable, Sendable {
        let node: SymbolicDisk.NodeNumber
        let attributes: DiskNode.Attributes
        let content: [ContentRange]
    }

    /// A publication of which the server has not heard yet.
    struct Untold: Sendable {
        let object: ObjectPath
        let node: SymbolicDisk.NodeNumber
        /// What stood there before.
        let before: Standing?
    }

    func standing(_ node: SymbolicDisk.NodeNumber) -> Standing {
        Standing(
            node: node, attributes: disk[node].attributes, content: disk[node].body.ranges)
    }

    private func whatStands(at path: ObjectPath) -> Standing? {
        node(at: path).map { standing($0) }
    }

    private func objects(
        in folder: SymbolicDisk.NodeNumber, at path: ObjectPath
    ) -> [(path: ObjectPath, object: Standing)] {
        members(of: folder).flatMap { name, node -> [(path: ObjectPath, object: Standing)] in
            let place = path.appending(name)
            guard !disk[node].isFolder else { return objects(in: node, at: place) }
            return [(place, standing(node))]
        }
    }
}
