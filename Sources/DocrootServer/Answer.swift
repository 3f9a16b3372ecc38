import Protocols

/// An answer that fits into memory: its head, and what follows it.
struct Answer: Hashable, Sendable {
    var head: HTTPResponseHead
    var body: [UInt8]

    init(_ head: HTTPResponseHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// With the length of the body where one may be told (RFC 9110 §8.6).
    init(_ status: Int, _ fields: [(String, String)] = [], body: [UInt8] = []) {
        var fields = HTTPFields(fields)
        if status != 204 && status != 304 { fields.add("Content-Length", "\(body.count)") }
        self.init(HTTPResponseHead(status, fields: fields), body: body)
    }

    /// With words for a person who looks at it with curl.
    init(_ status: Int, _ fields: [(String, String)] = [], text: String) {
        self.init(
            status, [("Content-Type", "text/plain; charset=utf-8")] + fields,
            body: Array((text + "\n").utf8))
    }
}
