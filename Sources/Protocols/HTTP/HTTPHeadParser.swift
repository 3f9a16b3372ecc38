extension HTTPRequestHead: HTTPReadableHead {
    package init(parsing bytes: [UInt8]) throws(HTTPError) {
        let (start, fields) = try HTTPHeadParser.split(bytes)
        let words = start.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3 else {
            throw HTTPError(400, "a request line has three words, not “\(start)”")
        }
        guard !words[0].isEmpty, words[0].utf8.allSatisfy(HTTPHeadParser.isToken) else {
            throw HTTPError(400, "“\(words[0])” is no method")
        }
        guard words[1].utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }), !words[1].isEmpty else {
            throw HTTPError(400, "“\(words[1])” is no request target")
        }
        guard words[2].hasPrefix("HTTP/") else {
            throw HTTPError(400, "“\(words[2])” is no protocol version")
        }
        guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
            throw HTTPError(505, "\(words[2]) is not spoken here")
        }
        self.init(
            String(words[0]), String(words[1]), fields: fields, isOld: words[2] == "HTTP/1.0")
    }
}

extension HTTPResponseHead: HTTPReadableHead {
    package init(parsing bytes: [UInt8]) throws(HTTPError) {
        let (start, fields) = try HTTPHeadParser.split(bytes)
        let words = start.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0" else {
            throw HTTPError(400, "“\(start)” is no status line")
        }
        guard words[1].utf8.count == 3, let status = Int(words[1]), (100...599).contains(status)
        else { throw HTTPError(400, "“\(words[1])” is no status") }
        self.init(status, fields: fields)
    }
}

/// Parses the bytes of a head into its start line and fields, strictly (RFC 9112 §2–5). One wrong
/// byte is an error: a lenient reader on one side and a strict one on the other make request
/// smuggling possible.
package enum HTTPHeadParser {
    static func split(_ head: [UInt8]) throws(HTTPError) -> (String, HTTPFields) {
        guard String(validating: head, as: UTF8.self) != nil else {
            throw HTTPError(400, "the head is not UTF-8")
        }
        // Bytes, because characters would take ten times as long.
        let lines = lines(of: head)
        guard let start = lines.first else { throw HTTPError(400, "the head is empty") }
        var fields = HTTPFields()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                throw HTTPError(400, "“\(text(line))” is no header field: a colon is missing")
            }
            let name = line[..<colon]
            guard !name.isEmpty, name.allSatisfy(isToken) else {
                throw HTTPError(400, "“\(text(name))” is no field name")
            }
            let value = line[(colon + 1)...]
            guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
                throw HTTPError(400, "the value of \(text(name)) holds a control character")
            }
            fields.add(text(name), text(trimmed(value)))
        }
        return (text(start), fields)
    }

    /// The lines of a head without the empty last one.
    private static func lines(of head: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        for end in head.indices.dropFirst()
        where head[end] == UInt8(ascii: "\n") && head[end - 1] == UInt8(ascii: "\r") {
            lines.append(head[start..<(end - 1)])
            start = end + 1
        }
        return lines.dropLast()
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let rest = value.drop(while: isBlank)
        guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return rest }
        return rest[...last]
    }

    /// RFC 9110 §5.6.2.
    package static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
            UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
