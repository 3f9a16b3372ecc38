/// Percent-encoding of paths in URLs (RFC 3986 §2.1).
package enum PercentCoding {
    /// Decodes the path of a URL once, strictly.
    ///
    /// A slash written as `%2F` is refused: a check might read it as a name, and the file system as
    /// a separator.
    package static func decode(_ text: some StringProtocol) throws(HTTPError) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = (rest.popFirst().flatMap(digit), rest.popFirst().flatMap(digit))
            guard let high = digits.0, let low = digits.1 else {
                throw HTTPError(400, "“\(text)” has a % without two hexadecimal digits")
            }
            let value = high << 4 | low
            guard value != UInt8(ascii: "/") else {
                throw HTTPError(403, "“\(text)” hides a slash")
            }
            bytes.append(value)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw HTTPError(400, "“\(text)” is not UTF-8")
        }
        return decoded
    }

    /// Encodes everything except the unreserved characters of RFC 3986 §2.3 and the slash.
    package static func encode(_ path: String) -> String {
        var text: [UInt8] = []
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
                text.append(byte)
            default:
                let digits = Array("0123456789ABCDEF".utf8)
                text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
