package import Content
package import Quantities

/// A local file of the app, with which a completed upload is compared.
package enum FileFact: Hashable, Sendable, Codable {
    case stands(path: String, version: FileVersion, size: ByteCount)
    /// An edit of the file changed none of the bytes that a sparse checksum samples.
    case keepsSamples(path: String)
    /// The file has a new date, but the same bytes.
    case touched(path: String)
    case removed(path: String)
    /// A download received this content of an object.
    case downloaded(TransferName, object: String, [ContentRange])
    /// The app moved a downloaded file to a path of its container.
    case moved(TransferName, to: String, [ContentRange])
    /// The app could not move a downloaded file, because it was gone.
    case lost(TransferName, path: String, because: String)
    /// The partial files of downloads that the app holds at the end of the run.
    case parts([String])
    /// A change of the file failed on the disk.
    case kept(path: String, because: String)

    // The names in `events.jsonl`, also of values without a label.
    private enum CodingKeys: CodingKey, CaseIterable {
        case stands, keepsSamples, touched, removed, downloaded, moved, lost, parts, kept
    }
    private enum DownloadedCodingKeys: String, CodingKey {
        case _0 = "transfer", object, _2 = "content"
    }
    private enum MovedCodingKeys: String, CodingKey { case _0 = "transfer", to, _2 = "content" }
    private enum PartsCodingKeys: String, CodingKey { case _0 = "paths" }
    private enum LostCodingKeys: String, CodingKey { case _0 = "transfer", path, because }

    package var sentence: String {
        switch self {
        case .stands(let path, let version, let size): "\(path) is \(version), \(size)"
        case .keepsSamples(let path): "no sample of the content of \(path) shows its edit"
        case .touched(let path): "\(path) is touched"
        case .downloaded(let transfer, let object, _): "\(transfer) has brought \(object)"
        case .moved(let transfer, let path, _): "the app has what \(transfer) brought as \(path)"
        case .lost(let transfer, let path, let because):
            "the app does not get what \(transfer) brought as \(path): \(because)"
        case .parts(let paths): "the app holds unfinished downloads: \(paths.listed)"
        case .removed(let path): "\(path) is gone"
        case .kept(let path, let because): "\(path) stays as it was: \(because)"
        }
    }
}
