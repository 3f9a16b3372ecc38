package import Content
package import Quantities

/// A local file of the app: what a completed upload is compared with.
package enum FileFact: Hashable, Sendable, Codable {
    /// The file has this content from now on.
    case stands(path: String, version: FileVersion, size: ByteCount)
    /// The same bytes have a new date.
    case touched(path: String)
    case removed(path: String)
    /// Somebody wanted to change it, and the disk would not have it.
    case kept(path: String, because: String)

    package var sentence: String {
        switch self {
        case .stands(let path, let version, let size):
            "\(path) is \(version), \(size)"
        case .touched(let path): "\(path) is touched"
        case .removed(let path): "\(path) is gone"
        case .kept(let path, let because): "\(path) stays as it was: \(because)"
        }
    }
}
