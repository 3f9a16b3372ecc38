import Content
import Protocols

/// Takes answers from the stream of a connection, one for each request.
struct ResponseReader: Hashable, Sendable {
    private var messages = HTTPMessageReader<HTTPResponseHead>()
    private var head: HTTPResponseHead?
    /// The body so far, if it is small.
    private var body: [UInt8] = []

    private static let bodyLimit = 4096

    struct Answer: Hashable, Sendable {
        var head: HTTPResponseHead
        var body: [UInt8]
    }

    /// Returns the answers that these segments complete. Interim answers (1xx, RFC 9110 §15.2) do
    /// not count.
    mutating func read(
        _ segments: [Segment], answering request: TransferRequest?
    ) throws(HTTPError) -> [Answer] {
        let isHead = request?.asksForHeadAlone ?? false
        let parts = try messages.read(segments) { isHead || !$0.mayHaveBody }
        var answers: [Answer] = []
        for part in parts {
            switch part {
            case .head(let next):
                head = next
                body = []
            case .body(.bytes(let bytes)):
                if body.count + bytes.count <= Self.bodyLimit { body += bytes }
            case .body(.content): break
            case .end:
                if let head, !head.isInterim { answers.append(Answer(head: head, body: body)) }
                head = nil
            }
        }
        return answers
    }

    /// Returns all parts that these segments contain, for an answer whose body is kept. Interim
    /// answers, which have no body, are left out.
    mutating func readAll(
        _ segments: [Segment], answering request: TransferRequest?
    ) throws(HTTPError) -> [HTTPMessageReader<HTTPResponseHead>.Part] {
        let isHead = request?.asksForHeadAlone ?? false
        var parts = try messages.read(segments) { isHead || !$0.mayHaveBody }
        while let head = parts.firstIndex(where: \.isInterim) {
            parts.removeSubrange(head...head + 1)
        }
        return parts
    }
}

extension HTTPMessageReader<HTTPResponseHead>.Part {
    /// Whether this is the head of an interim answer. Its end comes next.
    fileprivate var isInterim: Bool {
        if case .head(let head) = self { head.isInterim } else { false }
    }
}
