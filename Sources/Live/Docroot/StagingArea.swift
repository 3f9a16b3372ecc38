import Content
import DocrootServer
import Glibc
import Quantities

/// Uploads on a real disk: staging files beside the docroot, and the records of those that may be
/// resumed.
///
/// A turn of the loop hands over what it has received and then synchronises once for all of it:
/// meanwhile the next batch gathers in the sockets, so that the cost regulates itself. What cannot
/// be resumed is brought to the disk only when it is published: nothing was promised before.
///
/// An upload `7` that may be resumed is `7`, its bytes, and `7.upload`, its record. A record
/// without bytes is an upload that was published: the rename that showed the object has taken them.
struct StagingArea {
    private let path: String
    private let isDurable: Bool
    /// What others keep in the same folder.
    private static let others: Set<String> = ["uploads", "versions", "signing-key"]
    private var files: [UploadID: StagedFile] = [:]
    private var numbers: VersionCounter
    /// Written and not yet synchronised, in the order of writing.
    private var unsynchronised: [UploadID] = []

    /// The staging file of an upload, open for appending.
    private final class StagedFile {
        let descriptor: Descriptor
        var length = ByteCount.zero
        var isKept = false

        init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
    }

    init(at path: String, isDurable: Bool) throws(SystemError) {
        self.path = path
        self.isDurable = isDurable
        numbers = try VersionCounter(at: path + "/uploads")
    }

    /// What an earlier server has left: uploads that go on, and rubbish, which goes away.
    mutating func restore() throws(SystemError) -> ServerInput {
        let folder = ConfinedFolder(adopting: try Descriptor(opening: path, O_RDONLY | O_DIRECTORY))
        var left: [RestoredUpload] = []
        let names = try folder.names()
        for name in names where name.hasSuffix(".upload") {
            let file = try Descriptor(opening: name, in: folder.descriptor, O_RDONLY)
            let line = String(decoding: try file.bytes(atMost: 8192), as: UTF8.self)
            guard let record = UploadRecord(line: line), "\(record.id.number).upload" == name
            else {
                try folder.removeTree(name)
                continue
            }
            left.append(try restored(record, in: folder))
        }
        let known = Set(left.map { "\($0.record.id.number)" })
        for name in names where !name.hasSuffix(".upload") {
            guard !Self.others.contains(name), !known.contains(name) else { continue }
            try folder.removeTree(name)
        }
        return .restored(left, lastUpload: numbers.spent)
    }

    private mutating func restored(
        _ record: UploadRecord, in folder: borrowing ConfinedFolder
    ) throws(SystemError) -> RestoredUpload {
        guard let status = try folder.status(of: "\(record.id.number)") else {
            return RestoredUpload(
                record: record, staged: record.length ?? .zero, isPublished: true)
        }
        let file = StagedFile(
            try Descriptor(opening: "\(record.id.number)", in: folder.descriptor, O_RDWR))
        file.length = ByteCount(UInt64(status.st_size))
        file.isKept = true
        // What another process had only written is promised now.
        try file.descriptor.synchronise()
        files[record.id] = file
        return RestoredUpload(record: record, staged: file.length, isPublished: false)
    }

    // MARK: Uploads

    /// Something was written that is not durable yet.
    var isBusy: Bool { !unsynchronised.isEmpty }

    /// The bytes have a place before the record says that there are any.
    mutating func keep(_ record: UploadRecord) throws(SystemError) {
        try numbers.reserve(record.id.number)
        try file(of: record.id).isKept = true
        let place = self.place(of: record.id) + ".upload"
        do {
            let draft = try Descriptor(opening: place + ".new", O_WRONLY | O_CREAT | O_TRUNC)
            try draft.write(Array(record.line.utf8), at: 0)
            if isDurable { try draft.synchronise() }
        }
        guard rename(place + ".new", place) == 0 else { throw SystemError("keep \(place)") }
        if isDurable { try synchroniseFolder() }
    }

    mutating func append(
        _ segments: [Segment], to upload: UploadID, at offset: ByteCount
    ) throws(SystemError) {
        let file = try file(of: upload)
        var end = offset
        for segment in segments {
            guard case .bytes(let bytes) = segment else {
                preconditionFailure("\(upload) got a range from a socket, which brings bytes")
            }
            try file.descriptor.write(bytes, at: end.bytes)
            end += segment.length
        }
        file.length = end
        if !unsynchronised.contains(upload) { unsynchronised.append(upload) }
    }

    /// Takes back what came after an offset.
    mutating func truncate(_ upload: UploadID, to offset: ByteCount) throws(SystemError) {
        let file = try file(of: upload)
        guard ftruncate(file.descriptor.number, off_t(offset.bytes)) == 0 else {
            throw SystemError("shorten \(place(of: upload))")
        }
        file.length = offset
    }

    /// Makes durable all that was appended; how much of each upload is durable now.
    mutating func synchronise() -> [(UploadID, Result<ByteCount, SystemError>)] {
        defer { unsynchronised = [] }
        return unsynchronised.compactMap { upload in
            guard let file = files[upload] else { return nil }
            do throws(SystemError) {
                if isDurable && file.isKept { try file.descriptor.synchronise() }
                return (upload, .success(file.length))
            } catch {
                return (upload, .failure(error))
            }
        }
    }

    /// Renames the staged file to the object's place: readers see the old content or the new,
    /// never a part. What stands there then can be read through the result.
    mutating func publish(
        _ upload: UploadID, as object: ObjectPath, in store: inout ObjectStore
    ) throws(SystemError) -> (body: OpenedBody, version: UInt64, replaced: ByteCount) {
        let file = try file(of: upload)
        let folder = try self.folder(for: object, in: store)
        var replaced = ByteCount.zero
        if let old = try? Descriptor(opening: object.name, in: folder.descriptor, O_RDONLY) {
            // RFC 4918 §9.7.1: a new body leaves alone what clients have said about the object.
            replaced = ByteCount(UInt64(try old.status().st_size))
            let properties = ObjectAttributes.properties(of: old)
            if !properties.isEmpty {
                try ObjectAttributes.setProperties(properties, of: file.descriptor)
            }
        }
        let version = try store.attributes.renew(file.descriptor)
        if isDurable { try file.descriptor.synchronise() }
        let staged = place(of: upload)
        guard renameat(AT_FDCWD, staged, folder.descriptor.number, object.name) == 0 else {
            let code = errno == EISDIR ? EEXIST : errno
            throw SystemError("publish “\(object.text)”", code: code)
        }
        files[upload] = nil
        if isDurable { try folder.descriptor.synchronise() }
        let shown = try Descriptor(opening: object.name, in: folder.descriptor, O_RDONLY)
        return (OpenedBody(shown), version, replaced)
    }

    /// Where something else than a folder stands on the way, the client has a conflict to solve.
    private func folder(
        for object: ObjectPath, in store: borrowing ObjectStore
    ) throws(SystemError) -> ConfinedFolder {
        do throws(SystemError) {
            return try ConfinedFolder(object.parent, under: store.root, makes: true)
        } catch {
            throw error.code == ENOTDIR ? SystemError(error.action, code: EEXIST) : error
        }
    }

    mutating func discard(_ upload: UploadID) {
        files[upload] = nil
        unlink(place(of: upload))
        unlink(place(of: upload) + ".upload")
    }

    private mutating func file(of upload: UploadID) throws(SystemError) -> StagedFile {
        if let file = files[upload] { return file }
        let file = StagedFile(
            try Descriptor(opening: place(of: upload), O_RDWR | O_CREAT | O_EXCL))
        files[upload] = file
        return file
    }

    private func synchroniseFolder() throws(SystemError) {
        try Descriptor(opening: path, O_RDONLY | O_DIRECTORY).synchronise()
    }

    private func place(of upload: UploadID) -> String { "\(path)/\(upload.number)" }
}
