/// Bytes of a head → its start line and fields, strictly (RFC 9112 §2–5): one wrong byte is an
/// error, since a lenient reader on one side and a strict one on the other is how requests are
/// smuggled.
enum HTTPHeadParser {
    static func request(_ head: [UInt8]) throws(HTTPError) -> HTTPRequestHead {
        let (start, fields) = try split(head)
        let words = start.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3 else {
            throw HTTPError(400, "a request line has three words, not “\(start)”")
        }
        guard !words[0].isEmpty, words[0].utf8.allSatisfy(isToken) else {
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
        return HTTPRequestHead(
            String(words[0]), String(words[1]), fields: fields, isOld: words[2] == "HTTP/1.0")
    }

    static func response(_ head: [UInt8]) throws(HTTPError) -> HTTPResponseHead {
        let (start, fields) = try split(head)
        let words = start.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0" else {
            throw HTTPError(400, "“\(start)” is no status line")
        }
        guard words[1].utf8.count == 3, let status = Int(words[1]), (100...599).contains(status)
        else { throw HTTPError(400, "“\(words[1])” is no status") }
        return HTTPResponseHead(status, fields: fields)
    }

    private static func split(_ head: [UInt8]) throws(HTTPError) -> (String, HTTPFields) {
        guard let text = String(validating: head, as: UTF8.self) else {
            throw HTTPError(400, "the head is not UTF-8")
        }
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        // The head ends in an empty line: two empty pieces behind the last CRLF pair.
        lines.removeLast(2)
        guard let start = lines.first else { throw HTTPError(400, "the head is empty") }
        var fields = HTTPFields()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else {
                throw HTTPError(400, "“\(line)” is no header field: a colon is missing")
            }
            let name = line[..<colon]
            guard !name.isEmpty, name.utf8.allSatisfy(isToken) else {
                throw HTTPError(400, "“\(name)” is no field name")
            }
            let value = line[line.index(after: colon)...].utf8
            guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
                throw HTTPError(400, "the value of \(name) holds a control character")
            }
            fields.add(String(name), String(trimmed(line[line.index(after: colon)...])))
        }
        return (String(start), fields)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var rest = text.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }

    /// RFC 9110 §5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
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
