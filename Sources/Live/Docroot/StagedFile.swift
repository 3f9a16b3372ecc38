import DocrootServer
import Quantities

/// The bytes of an upload.
final class StagedFile {
    /// The file, open for appending; `nil` while nothing moves.
    var open: OpenFile?
    var length = ByteCount.zero
    /// Bytes after it do not count yet.
    var provisionalFrom: ByteCount?
    /// The smallest length since the last confirmation began.
    var confirmable = ByteCount.zero
    /// Whether its record is on the disk or on its way there.
    var isKept = false
    var version: UInt64 = 0
    var replaced = ByteCount.zero
}

/// The uploads whose files are open, the one used last at the end. Others, such as those that a
/// client has left, take no descriptor until they move again.
struct OpenUploads {
    private var uploads: [UploadID] = []

    private static let most = 64

    /// Notes that the file of an upload is used; returns the upload whose file is to be closed.
    mutating func use(_ upload: UploadID) -> UploadID? {
        guard uploads.last != upload else { return nil }
        remove(upload)
        uploads.append(upload)
        return uploads.count > Self.most ? uploads.removeFirst() : nil
    }

    mutating func remove(_ upload: UploadID) { uploads.removeAll { $0 == upload } }
}
