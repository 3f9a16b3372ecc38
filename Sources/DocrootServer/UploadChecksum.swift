import Content
import Protocols

/// A digest that the client has announced (tus checksum extension): bytes with another digest do
/// not count.
struct UploadChecksum: Hashable, Sendable {
    private let expected: [UInt8]
    private var digest: Digest

    static let algorithms = Digest.Function.allCases.map(\.rawValue).joined(separator: ",")

    /// Parses `sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=`.
    init(parsing field: String) throws(HTTPError) {
        let words = field.split(separator: " ").map(String.init)
        guard words.count == 2, let expected = Base64.decode(words[1]) else {
            throw HTTPError(400, "“\(field)” is no checksum")
        }
        guard let function = Digest.Function(rawValue: words[0]) else {
            throw HTTPError(400, "\(words[0]) is not known here; \(Self.algorithms) are")
        }
        self.expected = expected
        digest = Digest(function)
    }

    mutating func update(_ segments: [Segment]) {
        for segment in segments {
            switch segment {
            case .bytes(let bytes): digest.update(bytes)
            case .content(let range): digest.update(DeterministicBytes.bytes(of: range))
            }
        }
    }

    /// Whether the bytes match the announced digest.
    func holds() -> Bool {
        var digest = digest
        return digest.finish() == expected
    }
}
