import Content
import Protocols

/// A digest that the client has announced (tus checksum extension): bytes with another digest do
/// not count.
struct UploadChecksum: Hashable, Sendable {
    private let expected: [UInt8]
    private var digest = Digest.sha256(SHA256())

    private enum Digest: Hashable {
        case sha1(SHA1)
        case sha256(SHA256)
    }

    static let algorithms = "sha1,sha256"

    /// Parses `sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=`.
    init(parsing field: String) throws(HTTPError) {
        let words = field.split(separator: " ").map(String.init)
        guard words.count == 2, let expected = Base64.decode(words[1]) else {
            throw HTTPError(400, "“\(field)” is no checksum")
        }
        switch words[0] {
        case "sha1": digest = .sha1(SHA1())
        case "sha256": break
        default:
            throw HTTPError(400, "\(words[0]) is not known here; \(Self.algorithms) are")
        }
        self.expected = expected
    }

    mutating func update(_ segments: [Segment]) {
        for segment in segments {
            let bytes =
                switch segment {
                case .bytes(let bytes): bytes
                case .content(let range): DeterministicBytes.bytes(of: range)
                }
            switch digest {
            case .sha1(var sha1):
                sha1.update(bytes)
                digest = .sha1(sha1)
            case .sha256(var sha256):
                sha256.update(bytes)
                digest = .sha256(sha256)
            }
        }
    }

    /// Whether the bytes match the announced digest.
    func holds() -> Bool {
        switch digest {
        case .sha1(var sha1): sha1.finish() == expected
        case .sha256(var sha256): sha256.finish() == expected
        }
    }
}
