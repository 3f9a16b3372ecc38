import Protocols

/// An answer of which nothing was sent yet.
enum ReadyAnswer: Hashable, Sendable {
    case short(Answer)
    case object(Download, HTTPResponseHead, version: UInt64)

    var head: HTTPResponseHead {
        get {
            switch self {
            case .short(let answer): answer.head
            case .object(_, let head, _): head
            }
        }
        set {
            switch self {
            case .short(var answer):
                answer.head = newValue
                self = .short(answer)
            case .object(let download, _, let version):
                self = .object(download, newValue, version: version)
            }
        }
    }
}

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
