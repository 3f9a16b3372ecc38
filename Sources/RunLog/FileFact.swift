package import Content
package import Quantities

/// A local file of the app: what a completed upload is compared with.
package enum FileFact: Hashable, Sendable, Codable {
    /// The file has this content from now on.
    case stands(path: String, version: FileVersion, size: ByteCount)

    package var sentence: String {
        switch self {
        case .stands(let path, let version, let size):
            "\(path) is \(version), \(size)"
        }
    }
}
