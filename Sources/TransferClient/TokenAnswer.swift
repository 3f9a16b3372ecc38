import Content
import Foundation
import Protocols

/// The answer to a request for a token (RFC 6749 §5.1), as it comes.
struct TokenAnswer {
    private var messages = HTTPMessageReader<HTTPResponseHead>()
    private var head: HTTPResponseHead?
    private var body: [UInt8] = []
    private(set) var result: Result?

    enum Result {
        case token(String, status: Int)
        case none(status: Int)
    }

    private struct Grant: Decodable {
        var access_token: String
    }

    private static let bodyLimit = 64 * 1024

    mutating func add(_ segments: [Segment]) {
        guard result == nil else { return }
        do {
            let parts = try messages.read(segments) { $0.status == 204 || $0.isInterim }
            for part in parts { add(part) }
        } catch {
            result = .some(.none(status: head?.status ?? 0))
        }
    }

    private mutating func add(_ part: HTTPMessageReader<HTTPResponseHead>.Part) {
        switch part {
        case .head(let next): head = next
        case .body(.bytes(let bytes)):
            if body.count + bytes.count <= Self.bodyLimit { body += bytes }
        case .body(.content): break
        case .end:
            guard let head, !head.isInterim, result == nil else { return }
            result = .some(Self.result(head.status, body))
        }
    }

    private static func result(_ status: Int, _ body: [UInt8]) -> Result {
        guard (200..<300).contains(status),
            let grant = try? JSONDecoder().decode(Grant.self, from: Data(body)),
            grant.access_token.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            !grant.access_token.isEmpty
        else { return .none(status: status) }
        return .token(grant.access_token, status: status)
    }
}
