import Content
import Protocols

/// Takes answers from the stream of a connection, one per request.
struct ResponseReader: Hashable, Sendable {
    private var messages = HTTPMessageReader<HTTPResponseHead>()
    private var head: HTTPResponseHead?

    /// The heads of the answers that these segments complete.
    mutating func read(
        _ segments: [Segment], answering request: TransferRequest?
    ) throws(HTTPError) -> [HTTPResponseHead] {
        let isHead = request?.asksForHeadAlone ?? false
        let parts = try messages.read(segments) { isHead || $0.status == 204 }
        var heads: [HTTPResponseHead] = []
        for part in parts {
            switch part {
            case .head(let next): head = next
            case .body: break
            case .end:
                if let head { heads.append(head) }
                head = nil
            }
        }
        return heads
    }

    /// All that these segments bring, body and all, of an answer whose body counts.
    mutating func readAll(
        _ segments: [Segment]
    ) throws(HTTPError) -> [HTTPMessageReader<HTTPResponseHead>.Part] {
        try messages.read(segments) { $0.status == 204 || $0.status == 304 }
    }
}
