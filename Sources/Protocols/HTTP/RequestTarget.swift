/// The target of a request (RFC 9112 §3.2): the decoded path and the query.
package struct RequestTarget: Hashable, Sendable {
    /// The decoded path; begins with a slash.
    package let path: String
    package let query: String

    /// Parses the target of a request line, or an absolute one from a field such as `Destination`.
    package init(_ text: String) throws(HTTPError) {
        var rest = text[...]
        if let scheme = rest.firstRange(of: "://"), !rest.hasPrefix("/") {
            rest = rest[scheme.upperBound...].drop { $0 != "/" }
            if rest.isEmpty { rest = "/" }
        }
        // RFC 9112 §3.2 has no fragments; a client that sends one does not mean the whole.
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

    /// The path after the first part and its slash; empty if there is nothing more.
    package var behindFirst: String {
        let scalars = path.unicodeScalars.dropFirst().drop { $0 != "/" }.dropFirst()
        return String(String.UnicodeScalarView(scalars))
    }
}
