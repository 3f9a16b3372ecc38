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
