import Protocols

/// An answer of which nothing has been sent yet.
struct ReadyAnswer: Hashable, Sendable {
    var head: HTTPResponseHead
    let content: Content

    enum Content: Hashable, Sendable {
        case bytes([UInt8])
        case object(Download, version: UInt64)
    }
}

/// An answer in memory: its head and its body.
struct Answer: Hashable, Sendable {
    var head: HTTPResponseHead
    var body: [UInt8]

    init(_ head: HTTPResponseHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// Makes an answer with a body and its length, where one is allowed (RFC 9110 §6.4.1).
    init(_ status: Int, _ fields: [(String, String)] = [], body: [UInt8] = []) {
        var fields = HTTPFields(fields)
        let hasBody = status != 204 && status != 304
        if hasBody { fields.add("Content-Length", "\(body.count)") }
        self.init(HTTPResponseHead(status, fields: fields), body: hasBody ? body : [])
    }

    /// Makes an answer with a text, by default for a person with curl.
    init(
        _ status: Int, _ fields: [(String, String)] = [], type: String = Answer.plain, text: String
    ) {
        self.init(status, [("Content-Type", type)] + fields, body: Array((text + "\n").utf8))
    }

    static let plain = "text/plain; charset=utf-8"
    static let json = "application/json"
}
