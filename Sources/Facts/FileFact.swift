package import Content
package import Quantities

/// A local file of the app: what a completed upload is compared with.
package enum FileFact: Hashable, Sendable, Codable {
    /// The file has this content from now on.
    case stands(path: String, version: FileVersion, size: ByteCount)
    /// What has become of it shows in no sample of its content.
    case keepsSamples(path: String)
    /// The same bytes have a new date.
    case touched(path: String)
    case removed(path: String)
    /// All of an object of the server has come, and this is what came.
    case downloaded(TransferName, object: String, [ContentRange])
    /// The app has what a transfer brought at a path of its container, and this is what it has.
    case moved(TransferName, to: String, [ContentRange])
    /// The app wanted to have it there, and it was gone.
    case lost(TransferName, path: String, because: String)
    /// Somebody wanted to change it, and the disk would not have it.
    case kept(path: String, because: String)

    // The names that values without a label have in `events.jsonl`.
    private enum DownloadedCodingKeys: String, CodingKey {
        case _0 = "transfer", object, _2 = "content"
    }
    private enum MovedCodingKeys: String, CodingKey {
        case _0 = "transfer", to, _2 = "content"
    }
    private enum LostCodingKeys: String, CodingKey { case _0 = "transfer", path, because }

    package var sentence: String {
        switch self {
        case .stands(let path, let version, let size):
            "\(path) is \(version), \(size)"
        case .keepsSamples(let path): "no sample of the content of \(path) shows its edit"
        case .touched(let path): "\(path) is touched"
        case .downloaded(let transfer, let object, _): "\(transfer) has brought \(object)"
        case .moved(let transfer, let path, _): "the app has what \(transfer) brought as \(path)"
        case .lost(let transfer, let path, let because):
            "the app does not get what \(transfer) brought as \(path): \(because)"
        case .removed(let path): "\(path) is gone"
        case .kept(let path, let because): "\(path) stays as it was: \(because)"
        }
    }
}
