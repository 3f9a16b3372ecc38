import Protocols
import Quantities

/// GET and HEAD (RFC 9110 §9.3.1): whole or by ranges, and with conditions.
extension DocrootServer {
    private static let boundary = "transferlab-part"

    mutating func tellHead(
        _ entry: StoredEntry, at path: ObjectPath, on id: ServerConnectionID
    ) throws(HTTPError) {
        guard let head = exchanges[id]?.head else { return }
        if let answer = try Self.unmodified(entry, for: head) {
            return respond(answer, on: id)
        }
        guard !ReprDigest.isWanted(by: head) else {
            return ask(.digest(path), for: .tellDigest, on: id)
        }
        tellHead(entry, nil, on: id)
    }

    /// Answers a HEAD, with a digest if the client asked for one (RFC 9530 §3).
    mutating func tellHead(_ entry: StoredEntry, _ digest: ReprDigest?, on id: ServerConnectionID) {
        var fields = Self.fields(of: entry)
        fields.append(("Content-Length", "\(entry.size.bytes)"))
        if let digest { fields.append(digest.field) }
        respond(Answer(HTTPResponseHead(200, fields)), on: id)
    }

    mutating func read(
        _ entry: StoredEntry, _ body: BodyID, at path: ObjectPath, on id: ServerConnectionID
    ) throws(HTTPError) {
        guard let head = exchanges[id]?.head else { return }
        var answer: Answer?
        do throws(HTTPError) { answer = try Self.unmodified(entry, for: head) } catch {
            outputs.append(.closeBody(body))
            throw error
        }
        if let answer {
            outputs.append(.closeBody(body))
            return respond(answer, on: id)
        }
        var ranges = ByteRanges(parsing: head.fields["Range"], size: entry.size)
        if try !Preconditions(of: head).allowsRange(entry.tag, modified: entry.modified) {
            ranges = .whole
        }
        if case .unsatisfiable = ranges {
            outputs.append(.closeBody(body))
            throw HTTPError(
                416, "“\(path.text)” has \(entry.size.bytes) bytes",
                fields: [("Content-Range", "bytes */\(entry.size.bytes)")])
        }
        let (answered, pieces) = Self.parts(ranges, of: entry)
        startSending(
            Download(
                body: body, object: path,
                breaksWhenReplaced: settings.breaksReaders ?? (exchanges[id]?.frontEnd == .kii),
                pieces: pieces[...], size: entry.size),
            answered, version: entry.version, on: id)
    }

    /// Returns the head of an answer, and the pieces after it.
    private static func parts(
        _ ranges: ByteRanges, of entry: StoredEntry
    ) -> (HTTPResponseHead, [Download.Piece]) {
        var status = 206
        var fields = Self.fields(of: entry)
        var pieces: [Download.Piece] = []
        switch ranges {
        case .whole, .unsatisfiable:
            status = 200
            if entry.size > .zero { pieces = [.part(at: .zero, length: entry.size)] }
        case .parts(let parts) where parts.count == 1:
            fields.append(("Content-Range", parts[0].field(of: entry.size)))
            pieces = [.part(at: parts[0].offset, length: parts[0].length)]
        case .parts(let parts):
            // Each part has a small head of its own (RFC 9110 §14.6).
            for part in parts {
                let separator =
                    "\r\n--\(boundary)\r\nContent-Type: \(contentType)\r\n"
                    + "Content-Range: \(part.field(of: entry.size))\r\n\r\n"
                pieces.append(.bytes(Array(separator.utf8)))
                pieces.append(.part(at: part.offset, length: part.length))
            }
            pieces.append(.bytes(Array("\r\n--\(boundary)--\r\n".utf8)))
            fields.removeAll { $0.0 == "Content-Type" }
            fields.append(("Content-Type", "multipart/byteranges; boundary=\(boundary)"))
        }
        let length = pieces.reduce(ByteCount.zero) { $0 + $1.length }
        fields.append(("Content-Length", "\(length.bytes)"))
        return (HTTPResponseHead(status, fields), pieces)
    }

    /// Returns 304 if the reader has the state already, 412 if it wanted another.
    private static func unmodified(
        _ entry: StoredEntry, for head: HTTPRequestHead
    ) throws(HTTPError) -> Answer? {
        let outcome = try Preconditions(of: head)
            .judge(entry.tag, modified: entry.modified, isRead: true)
        switch outcome {
        case .goOn: return nil
        case .notModified: return Answer(304, [("ETag", entry.tag.field)])
        case .failed: throw HTTPError(412, "it is \(entry.tag.field) now")
        }
    }

    private static let contentType = "application/octet-stream"

    private static func fields(of entry: StoredEntry) -> [(String, String)] {
        [
            ("ETag", entry.tag.field), ("Last-Modified", HTTPDate.text(entry.modified)),
            ("Accept-Ranges", "bytes"), ("Content-Type", contentType),
        ]
    }
}
