import Protocols

/// An answer of which nothing has been sent yet.
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

/// An answer in memory: its head and its body.
struct Answer: Hashable, Sendable {
    var head: HTTPResponseHead
    var body: [UInt8]

    init(_ head: HTTPResponseHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// Makes an answer with the length of its body, where one is allowed (RFC 9110 §8.6).
    init(_ status: Int, _ fields: [(String, String)] = [], body: [UInt8] = []) {
        var fields = HTTPFields(fields)
        if status != 204 && status != 304 { fields.add("Content-Length", "\(body.count)") }
        self.init(HTTPResponseHead(status, fields: fields), body: body)
    }

    /// Makes an answer with a text for a person with curl.
    init(_ status: Int, _ fields: [(String, String)] = [], text: String) {
        self.init(
            status, [("Content-Type", "text/plain; charset=utf-8")] + fields,
            body: Array((text + "\n").utf8))
    }
}
