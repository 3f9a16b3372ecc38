/// Header fields in the order they were written; names compare without regard to case.
package struct HTTPFields: Hashable, Sendable {
    package private(set) var all: [(name: String, value: String)] = []

    package init(_ fields: [(String, String)] = []) {
        all = fields.map { (name: $0.0, value: $0.1) }
    }

    package subscript(_ name: String) -> String? {
        all.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    package func values(of name: String) -> [String] {
        all.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    package mutating func add(_ name: String, _ value: String) { all.append((name, value)) }

    package static func == (left: Self, right: Self) -> Bool {
        left.all.elementsEqual(right.all) { $0.name == $1.name && $0.value == $1.value }
    }

    package func hash(into hasher: inout Hasher) {
        for field in all {
            hasher.combine(field.name)
            hasher.combine(field.value)
        }
    }
}

/// The head of a request (RFC 9112 §3).
package struct HTTPRequestHead: Hashable, Sendable {
    package var method: String
    package var target: String
    package var fields: HTTPFields

    package init(_ method: String, _ target: String, fields: HTTPFields = HTTPFields()) {
        self.method = method
        self.target = target
        self.fields = fields
    }

    package var bytes: [UInt8] { wire("\(method) \(target) HTTP/1.1", fields) }
}

/// The head of a response (RFC 9112 §4).
package struct HTTPResponseHead: Hashable, Sendable {
    package var status: Int
    package var fields: HTTPFields

    package init(_ status: Int, fields: HTTPFields = HTTPFields()) {
        self.status = status
        self.fields = fields
    }

    package var bytes: [UInt8] {
        wire("HTTP/1.1 \(status) \(Self.reason(for: status))", fields)
    }

    package static func reason(for status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 423: "Locked"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 505: "HTTP Version Not Supported"
        case 507: "Insufficient Storage"
        default: "Status \(status)"
        }
    }
}

private func wire(_ start: String, _ fields: HTTPFields) -> [UInt8] {
    var text = start + "\r\n"
    for (name, value) in fields.all { text += "\(name): \(value)\r\n" }
    return Array((text + "\r\n").utf8)
}
