import Content
import Facts
import Protocols
import Quantities

/// `/dav`: HTTP and WebDAV class 1 (RFC 9110, RFC 4918) on the docroot itself.
///
/// Class 2, locks, is not announced: nothing here needs locks, and clients do without.
extension DocrootServer {
    static let davMethods =
        "OPTIONS, GET, HEAD, PUT, DELETE, PROPFIND, PROPPATCH, MKCOL, COPY, MOVE"

    static let davOptions = Answer(
        200, [("DAV", "1"), ("MS-Author-Via", "DAV"), ("Allow", davMethods)])

    mutating func beginDAV(
        _ head: HTTPRequestHead, _ target: RequestTarget, on id: ServerConnectionID
    ) throws(HTTPError) {
        let path = try davPath(target, on: id)
        let root = root(of: id)
        switch head.method {
        case "OPTIONS": respond(Self.davOptions, on: id)
        case "HEAD": ask(.look(path), for: .tellHead(path), on: id)
        case "GET": open(path, on: id)
        case "PUT":
            guard !target.path.hasSuffix("/"), path != root else {
                throw HTTPError(405, "an object cannot be put in the place of a folder")
            }
            guard Self.bringsAll(head) else {
                // A part would be taken for the whole (RFC 9110 §9.3.4).
                throw HTTPError(400, "a PUT brings all of an object, not a range of it")
            }
            guard try !replays(head, of: path, on: id) else { return }
            ask(.look(path), for: .put(path), on: id)
        case "DELETE":
            guard path != root else { throw HTTPError(403, "the docroot stays") }
            ask(.look(path), for: .remove(path), on: id)
        case "MKCOL":
            guard head.bodyLength == .zero else {
                throw HTTPError(415, "a MKCOL has no body")
            }
            ask(.look(path), for: .makeFolder(path), on: id)
        case "COPY", "MOVE":
            let transfer = try transfer(of: head, from: path, on: id)
            ask(.look(path), for: .findSource(transfer), on: id)
        case "PROPFIND":
            let depth = head.fields["Depth"]?.lowercased() ?? "infinity"
            guard depth == "0" || depth == "1" else {
                throw HTTPError(
                    depth == "infinity" ? 403 : 400, "a PROPFIND goes no deeper than Depth: 1")
            }
            exchanges[id]?.state = .gathering(.propertyRequest(path, isDeep: depth == "1"), [])
            invite(id)
        case "PROPPATCH":
            exchanges[id]?.state = .gathering(.propertyChanges(path), [])
            invite(id)
        default:
            throw HTTPError(
                405, "\(head.method) has no meaning here", fields: [("Allow", Self.davMethods)])
        }
    }

    /// Whether a PUT contains the whole object. `curl -C - -T` sends a range even then.
    private static func bringsAll(_ head: HTTPRequestHead) -> Bool {
        guard let range = head.fields["Content-Range"] else { return true }
        guard let length = head.bodyLength, length > .zero else { return false }
        return range == "bytes 0-\(length.bytes - 1)/\(length.bytes)"
    }

    /// Returns the object or folder of a path under `/dav`; a trailing slash is ignored.
    func davPath(
        _ target: RequestTarget, on id: ServerConnectionID
    ) throws(HTTPError) -> ObjectPath {
        var name = target.behindFirst
        if name.utf8.last == UInt8(ascii: "/") { name.unicodeScalars.removeLast() }
        return name.isEmpty ? root(of: id) : try place(of: name, on: id)
    }

    // MARK: Documents

    mutating func gather(
        _ segment: Segment, of document: Document, behind bytes: [UInt8], on id: ServerConnectionID
    ) {
        guard case .bytes(let more) = segment,
            bytes.count + more.count <= ServerSettings.documentLimit
        else {
            return refuse(
                HTTPError(413, "a document has \(ServerSettings.documentLimit) bytes at most"),
                on: id)
        }
        exchanges[id]?.state = .gathering(document, bytes + more)
    }

    mutating func read(_ bytes: [UInt8], as document: Document, on id: ServerConnectionID) {
        do throws(HTTPError) {
            switch document {
            case .propertyRequest(let path, let isDeep):
                let request = try PropertyRequest(parsing: bytes)
                ask(isDeep ? .list(path) : .look(path), for: .findProperties(path, request), on: id)
            case .propertyChanges(let path):
                let changes = try PropertyChange.parse(bytes)
                ask(.look(path), for: .changeProperties(path, changes), on: id)
            case .tokenRequest: try issueToken(askedBy: bytes, on: id)
            }
        } catch {
            refuse(error, on: id)
        }
    }

    // MARK: Going on

    mutating func goOn(
        _ errand: Errand, with answer: StoreAnswer, on id: ServerConnectionID
    ) throws(HTTPError) {
        switch (errand, answer) {
        case (.measure(let account, let changes), .measured(let size)):
            try measured(size, of: account, after: changes, on: id)
        case (.tellHead(let path), .found(let entry, _)):
            try tellHead(try Self.object(entry, at: path), at: path, on: id)
        case (.tellDigest, .digested(let entry, let digest)):
            tellHead(entry, digest, on: id)
        case (.read(let path, let body), .opened(let entry)):
            try read(entry, body, at: path, on: id)
        case (.put(let path), .found(let entry, let surroundings)):
            try put(path, over: entry, in: surroundings, on: id)
        case (.publish(let upload, let count), .found(let entry, _)):
            if uploads[upload]?.record.isExclusive == true {
                try publishExclusive(upload, over: entry, after: count, on: id)
            } else {
                try publishPut(upload, over: entry, on: id)
            }
        case (.makeFolder(let path), .found(let entry, let surroundings)):
            guard entry == nil else { throw HTTPError(405, "\(path.text) stands there already") }
            try Self.checkFolder(of: path, surroundings)
            ask(.makeFolder(path), for: .answer(Answer(201)), on: id)
        case (.remove(let path), .found(let entry, _)):
            try remove(entry, at: path, on: id)
        case (.findProperties(let path, let request), .found(let entry, _)):
            let entry = try Self.standing(entry, at: path)
            tellProperties(request, of: entry, at: path, members: [], on: id)
        case (.findProperties(let path, let request), .listed(let entry, let members)):
            tellProperties(request, of: entry, at: path, members: members, on: id)
        case (.changeProperties(let path, let changes), .found(let entry, _)):
            let entry = try Self.standing(entry, at: path)
            changeProperties(changes, of: entry, at: path, on: id)
        case (.findSource(let transfer), .found(let entry, _)):
            try findSource(entry, of: transfer, on: id)
        case (.measureSource(let transfer), .measured(let size)):
            try findDestination(of: transfer, adding: size, on: id)
        case (.findDestination(let transfer), .found(let entry, let surroundings)):
            try begin(transfer, over: entry, in: surroundings, on: id)
        case (.answer(let answer, let fact), .done):
            changed(by: nil, fact)
            respond(answer, on: id)
        case (.copy(let transfer, let answer), .done):
            changed(by: transfer, nil)
            respond(answer, on: id)
        default: preconditionFailure("the store answered \(errand) by \(answer)")
        }
    }

    /// Notes what an errand has changed, whether its client is still there or not.
    mutating func changed(by copy: Transfer?, _ fact: ServerFact?) {
        docrootChanged(adding: copy?.adds ?? .zero, at: copy?.to)
        if let fact { note(fact) }
    }

    static func standing(
        _ entry: StoredEntry?, at path: ObjectPath
    ) throws(HTTPError) -> StoredEntry {
        guard let entry else { throw HTTPError(404, "there is nothing at “\(path.text)”") }
        return entry
    }

    private static func object(
        _ entry: StoredEntry?, at path: ObjectPath
    ) throws(HTTPError) -> StoredEntry {
        let entry = try standing(entry, at: path)
        guard !entry.isFolder else { throw HTTPError(405, "“\(path.text)” is a folder") }
        return entry
    }

    static func checkFolder(
        of path: ObjectPath, _ surroundings: Surroundings
    ) throws(HTTPError) {
        guard surroundings == .folderStands else {
            throw HTTPError(409, "there is no folder “\(path.parent.text)”")
        }
    }
}
