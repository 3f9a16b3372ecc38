/// Header fields in the order in which they were written; names are case-insensitive.
public struct HTTPFields: Hashable, Sendable, Codable {
    public private(set) var all: [(name: String, value: String)] = []

    public init(_ fields: [(String, String)] = []) {
        all = fields.map { (name: $0.0, value: $0.1) }
    }

    public subscript(_ name: String) -> String? {
        all.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Returns all values of a name, in order.
    public func values(of name: String) -> [String] {
        all.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// Adds a field after all others.
    public mutating func add(_ name: String, _ value: String) { all.append((name, value)) }

    /// Removes all fields of a name.
    public mutating func remove(_ name: String) {
        all.removeAll { $0.name.lowercased() == name.lowercased() }
    }

    /// Replaces the first field of a name and removes the others, or adds the field at the end.
    public mutating func replace(_ name: String, by value: String) {
        let place = all.firstIndex { $0.name.lowercased() == name.lowercased() }
        remove(name)
        all.insert((name, value), at: place ?? all.endIndex)
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.all.elementsEqual(right.all) { $0.name == $1.name && $0.value == $1.value }
    }

    public func hash(into hasher: inout Hasher) {
        for field in all {
            hasher.combine(field.name)
            hasher.combine(field.value)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var lines = encoder.unkeyedContainer()
        for field in all { try lines.encode("\(field.name): \(field.value)") }
    }

    public init(from decoder: any Decoder) throws {
        var lines = try decoder.unkeyedContainer()
        while !lines.isAtEnd {
            let line = try lines.decode(String.self)
            guard let field = Self.field(ofLine: line) else {
                throw DecodingError.dataCorruptedError(
                    in: lines, debugDescription: "“\(line)” is no header field")
            }
            all.append(field)
        }
    }

    private static func field(ofLine line: some StringProtocol) -> (name: String, value: String)? {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].hasPrefix(" ") else { return nil }
        return (name: String(parts[0]), value: String(parts[1].dropFirst()))
    }
}

/// The fields as the lines of one text.
extension HTTPFields: LosslessStringConvertible {
    public var description: String {
        all.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    }

    public init?(_ text: String) {
        for line in text.split(separator: "\n") {
            guard let field = Self.field(ofLine: line) else { return nil }
            all.append(field)
        }
    }
}

/// The head of a request (RFC 9112 §3).
public struct HTTPRequestHead: Hashable, Sendable, Encodable {
    public var method: String
    public var target: String
    public var fields: HTTPFields
    /// Whether the client speaks HTTP/1.0, which has neither chunks nor interim answers, and
    /// closes.
    public var isOld: Bool

    public init(
        _ method: String, _ target: String, fields: HTTPFields = HTTPFields(), isOld: Bool = false
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.isOld = isOld
    }

    /// Whether the client wants to keep using the connection (RFC 9112 §9.3).
    public var keepsAlive: Bool {
        let options = fields.values(of: "Connection").joined(separator: ",").lowercased()
            .split { $0 == "," || $0 == " " }
        return isOld ? options.contains("keep-alive") : !options.contains("close")
    }

    public var bytes: [UInt8] { wire("\(method) \(target) HTTP/1.1", fields) }

    /// The target without its query, which may be a secret signature: so it may stand in a log.
    package var loggedTarget: String { Self.logged(target) }

    package static func logged(_ target: String) -> String { String(target.prefix { $0 != "?" }) }
}

/// The head of a response (RFC 9112 §4).
public struct HTTPResponseHead: Hashable, Sendable, Encodable {
    public var status: Int
    public var fields: HTTPFields

    public init(_ status: Int, fields: HTTPFields = HTTPFields()) {
        self.status = status
        self.fields = fields
    }

    /// Whether the fields say where a body ends. Otherwise it ends with its connection, and cannot
    /// be told from one that was cut off (RFC 9112 §6.3, §8).
    public var tellsLength: Bool {
        fields["Content-Length"] != nil || fields["Transfer-Encoding"] != nil
    }

    /// Whether the answer to a GET has an object, or a part of one.
    public var hasObject: Bool { status == 200 || status == 206 }

    /// Whether a body can follow (RFC 9112 §6.3).
    public var mayHaveBody: Bool { status != 204 && status != 304 && !isInterim }

    /// Whether another answer follows.
    public var isInterim: Bool { (100..<200).contains(status) }

    public var bytes: [UInt8] {
        wire("HTTP/1.1 \(status) \(Self.reason(for: status))", fields)
    }

    /// The words after a status, for people.
    public static func reason(for status: Int) -> String {
        switch status {
        case 100: "Continue"
        case 104: "Upload Resumption Supported"
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 206: "Partial Content"
        case 207: "Multi-Status"
        case 303: "See Other"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 422: "Unprocessable Content"
        case 423: "Locked"
        case 424: "Failed Dependency"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 460: "Checksum Mismatch"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        case 507: "Insufficient Storage"
        default: "Status \(status)"
        }
    }
}

extension HTTPRequestHead {
    package init(_ method: String, _ target: String, _ fields: [(String, String)]) {
        self.init(method, target, fields: HTTPFields(fields))
    }
}

extension HTTPResponseHead {
    package init(_ status: Int, _ fields: [(String, String)]) {
        self.init(status, fields: HTTPFields(fields))
    }
}

private func wire(_ start: String, _ fields: HTTPFields) -> [UInt8] {
    var text = start + "\r\n"
    for (name, value) in fields.all { text += "\(name): \(value)\r\n" }
    return Array((text + "\r\n").utf8)
}
