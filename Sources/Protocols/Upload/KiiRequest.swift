package import Quantities

/// A request of Kii's resumable transfer (behaviour K12), in the scope of an app, or of a user,
/// group or thing of the app.
package enum KiiRequest: Hashable, Sendable {
    /// GET or HEAD of the body.
    case read
    /// PUT of the whole body.
    case put
    case delete
    case start
    /// The state of an upload.
    case offset(UInt64)
    case append(UInt64, Chunk)
    case commit(UInt64)
    case cancel(UInt64)

    package struct Chunk: Hashable, Sendable {
        package var offset: ByteCount
        package var length: ByteCount
        package var total: ByteCount

        package init(offset: ByteCount, length: ByteCount, total: ByteCount) {
            self.offset = offset
            self.length = length
            self.total = total
        }
    }

    /// Parses a request into the object, relative to the docroot, and what to do with it.
    package static func parse(
        _ head: HTTPRequestHead, path: String
    ) throws(HTTPError) -> (object: String, request: KiiRequest) {
        let parts = path.unicodeScalars.split(separator: "/").map { String($0) }
        guard let body = parts.lastIndex(of: "body"), body >= 7, parts[0] == "api",
            parts[1] == "apps", parts[body - 2] == "objects", parts[body - 4] == "buckets"
        else {
            throw HTTPError(
                404, "Kii's bodies are at /api/apps/…/buckets/…/objects/…/body, not \(path)")
        }
        let object = parts[2..<body].joined(separator: "/")
        let rest = Array(parts[(body + 1)...])
        switch (head.method, rest.count) {
        case ("GET", 0), ("HEAD", 0): return (object, .read)
        case ("PUT", 0): return (object, .put)
        case ("DELETE", 0): return (object, .delete)
        default: break
        }
        guard rest.first == "uploads" else { throw HTTPError(404, "nothing is at \(path)") }
        if rest.count == 1, head.method == "POST" { return (object, .start) }
        guard rest.count >= 2, let upload = UInt64(rest[1]) else {
            throw HTTPError(404, "there is no upload at \(path)")
        }
        switch (head.method, Array(rest[2...])) {
        case ("GET", []): return (object, .offset(upload))
        case ("PUT", ["data"]): return (object, .append(upload, try chunk(of: head)))
        case ("POST", ["status", "committed"]): return (object, .commit(upload))
        case ("POST", ["status", "cancelled"]): return (object, .cancel(upload))
        default: throw HTTPError(405, "\(head.method) has no meaning at \(path)")
        }
    }

    /// Parses `bytes=0-9/20`: Kii writes an equals sign where others write a blank.
    private static func chunk(of head: HTTPRequestHead) throws(HTTPError) -> Chunk {
        guard let field = head.fields["Content-Range"] else {
            throw HTTPError(400, "Content-Range is missing")
        }
        let numbers = field.dropFirst(6).split(omittingEmptySubsequences: false) {
            $0 == "-" || $0 == "/"
        }.map { ByteCount(decimalDigits: String($0)) }
        guard field.hasPrefix("bytes=") || field.hasPrefix("bytes "), numbers.count == 3,
            let first = numbers[0], let last = numbers[1], let total = numbers[2],
            first <= last, last < total, head.bodyLength == last - first + ByteCount(1)
        else {
            throw HTTPError(400, "“\(field)” is no range of a body, or not the one that follows")
        }
        return Chunk(offset: first, length: last - first + ByteCount(1), total: total)
    }
}
