import Content
import DocrootServer
import Glibc
import Quantities

/// The server's store on a real disk: staging files, and the docroot into which they are renamed.
///
/// A turn of the loop hands over what it has received and then synchronises once for all of it:
/// meanwhile the next batch gathers in the sockets, so that the cost regulates itself.
struct StagingArea {
    private let docroot: String
    private let staging: String
    private var files: [UploadID: StagedFile] = [:]
    /// Written and not yet synchronised, in the order of writing.
    private var unsynchronised: [UploadID] = []

    /// The staging file of an upload, open for appending.
    private final class StagedFile {
        let descriptor: Descriptor
        var length = ByteCount.zero

        init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
    }

    init(in directory: String) throws(SystemError) {
        docroot = directory + "/docroot"
        staging = directory + "/staging"
        for path in [docroot, staging] {
            guard mkdir(path, 0o755) == 0 else { throw SystemError("make \(path)") }
        }
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

    /// Makes durable all that was appended; how much of each upload is durable now.
    mutating func synchronise() -> [(UploadID, Result<ByteCount, SystemError>)] {
        defer { unsynchronised = [] }
        return unsynchronised.compactMap { upload in
            guard let file = files[upload] else { return nil }
            do throws(SystemError) {
                try file.descriptor.synchronise()
                return (upload, .success(file.length))
            } catch {
                return (upload, .failure(error))
            }
        }
    }

    /// Renames the staged file to the object's place: readers see the old content or the new,
    /// never a part. What stands there then can be read through the result.
    mutating func publish(
        _ upload: UploadID, as object: String
    ) throws(SystemError) -> Descriptor {
        let file = try file(of: upload)
        try file.descriptor.synchronise()
        let place = docroot + "/" + object
        let folders = try Folders.make(for: object, under: docroot)
        guard rename(path(of: upload), place) == 0 else {
            throw SystemError("publish \(object)")
        }
        files[upload] = nil
        for folder in folders {
            try Descriptor(opening: folder, O_RDONLY | O_DIRECTORY).synchronise()
        }
        return try Descriptor(opening: place, O_RDONLY)
    }

    private mutating func file(of upload: UploadID) throws(SystemError) -> StagedFile {
        if let file = files[upload] { return file }
        let file = StagedFile(try Descriptor(opening: path(of: upload), O_RDWR | O_CREAT | O_EXCL))
        files[upload] = file
        return file
    }

    private func path(of upload: UploadID) -> String { "\(staging)/\(upload.number)" }
}
