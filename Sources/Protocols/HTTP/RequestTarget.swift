/// What a request is about (RFC 9112 §3.2): the decoded path, and the query behind it.
package struct RequestTarget: Hashable, Sendable {
    /// Decoded; begins with a slash.
    package let path: String
    package let query: String

    /// A target of a request line, or the absolute one of a field such as `Destination`.
    package init(_ text: String) throws(HTTPError) {
        var rest = text[...]
        if let scheme = rest.firstRange(of: "://"), !rest.hasPrefix("/") {
            rest = rest[scheme.upperBound...].drop { $0 != "/" }
            if rest.isEmpty { rest = "/" }
        }
        // RFC 9112 §3.2 knows no fragment; who sends one means something else than the whole.
        guard !rest.utf8.contains(UInt8(ascii: "#")) else {
            throw HTTPError(400, "“\(text)” has a fragment")
        }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = try PercentCoding.decode(parts.first ?? "")
        query = parts.count == 2 ? String(parts[1]) : ""
        guard path.unicodeScalars.first == "/" || path == "*" else {
            throw HTTPError(400, "“\(text)” is no path")
        }
    }

    /// The first part of the path.
    package var first: String {
        String(String.UnicodeScalarView(path.unicodeScalars.dropFirst().prefix { $0 != "/" }))
    }

    /// What follows the first part, without the slash between them; empty for the part alone.
    package var behindFirst: String {
        let scalars = path.unicodeScalars.dropFirst().drop { $0 != "/" }.dropFirst()
        return String(String.UnicodeScalarView(scalars))
    }
}
