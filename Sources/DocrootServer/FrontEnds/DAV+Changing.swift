import Facts
import Protocols
import Quantities

/// Requests that change the docroot: PUT, DELETE, COPY and MOVE (RFC 4918 §9.6–9.9).
extension DocrootServer {
    mutating func put(
        _ path: ObjectPath, over entry: StoredEntry?, in surroundings: Surroundings,
        on id: ServerConnectionID
    ) throws(HTTPError) {
        guard let head = exchanges[id]?.head else { return }
        if entry?.isFolder == true { throw HTTPError(405, "“\(path.text)” is a folder") }
        // A user's own root need not be made before it is used.
        if path.parent != root(of: id) { try Self.checkFolder(of: path, surroundings) }
        let conditions = try Preconditions(of: head)
        try Self.check(conditions, on: entry)
        let upload = try beginWhole(path, of: head, on: id)
        uploads[upload]?.conditions = conditions
        uploads[upload]?.replaces = entry != nil
        advance(id)
    }

    /// Publishes a PUT unless its conditions have become false: another client may have been
    /// faster.
    mutating func publishPut(
        _ upload: UploadID, over entry: StoredEntry?, on id: ServerConnectionID
    ) throws(HTTPError) {
        guard let conditions = uploads[upload]?.conditions else { return }
        do throws(HTTPError) { try Self.check(conditions, on: entry) } catch {
            remove(upload)
            outputs.append(.discard(upload))
            throw error
        }
        exchanges[id]?.state = .answering(upload)
        uploads[upload]?.replaces = entry != nil
        publish(upload)
    }

    static func putAnswer(of upload: Upload) -> Answer {
        let tag = upload.version.map { [("ETag", EntityTag("v\($0)").field)] } ?? []
        return Answer(upload.replaces ? 204 : 201, tag)
    }

    mutating func remove(
        _ entry: StoredEntry?, at path: ObjectPath, on id: ServerConnectionID
    ) throws(HTTPError) {
        guard let head = exchanges[id]?.head else { return }
        let entry = try Self.standing(entry, at: path)
        if entry.isFolder, let depth = head.fields["Depth"], depth.lowercased() != "infinity" {
            throw HTTPError(400, "a folder is deleted with all that is in it")
        }
        try Self.check(try Preconditions(of: head), on: entry)
        ask(.remove(path), for: .answer(Answer(204), .removed(object: path.text)), on: id)
    }

    // MARK: COPY and MOVE

    func transfer(
        of head: HTTPRequestHead, from path: ObjectPath, on id: ServerConnectionID
    ) throws(HTTPError) -> Transfer {
        guard let field = head.fields["Destination"] else {
            throw HTTPError(400, "Destination is missing")
        }
        let target = try RequestTarget(field)
        guard FrontEnd(of: target) == .dav else {
            throw HTTPError(502, "“\(field)” is not under \(FrontEnd.dav.resources)")
        }
        let destination = try davPath(target, on: id)
        let root = root(of: id)
        guard path != root, destination != root else {
            throw HTTPError(403, "the docroot stays")
        }
        guard !path.holds(destination), !destination.holds(path) else {
            throw HTTPError(403, "one of the two lies in the other")
        }
        let depth = head.fields["Depth"]?.lowercased() ?? "infinity"
        let isMove = head.method == "MOVE"
        guard depth == "infinity" || depth == "0" && !isMove else {
            throw HTTPError(400, "“\(depth)” is no Depth of a \(head.method)")
        }
        return Transfer(
            from: path, to: destination, isMove: isMove, isDeep: depth == "infinity",
            mayReplace: head.fields["Overwrite"]?.uppercased() != "F")
    }

    mutating func findSource(
        _ entry: StoredEntry?, of transfer: Transfer, on id: ServerConnectionID
    ) throws(HTTPError) {
        guard let head = exchanges[id]?.head else { return }
        let entry = try Self.standing(entry, at: transfer.from)
        try Self.check(try Preconditions(of: head), on: entry)
        if !transfer.isMove, entry.isFolder, transfer.isDeep,
            exchanges[id]?.account?.quota != nil
        {
            return ask(.measure(transfer.from), for: .measureSource(transfer), on: id)
        }
        let isNew = !transfer.isMove && !entry.isFolder
        try findDestination(of: transfer, adding: isNew ? entry.size : .zero, on: id)
    }

    mutating func findDestination(
        of transfer: Transfer, adding size: ByteCount, on id: ServerConnectionID
    ) throws(HTTPError) {
        if size > .zero { try checkQuota(adding: size, on: id) }
        var transfer = transfer
        transfer.adds = size
        ask(.look(transfer.to), for: .findDestination(transfer), on: id)
    }

    mutating func begin(
        _ transfer: Transfer, over entry: StoredEntry?, in surroundings: Surroundings,
        on id: ServerConnectionID
    ) throws(HTTPError) {
        try Self.checkFolder(of: transfer.to, surroundings)
        guard entry == nil || transfer.mayReplace else {
            throw HTTPError(412, "“\(transfer.to.text)” stands there already")
        }
        let answer = Answer(entry == nil ? 201 : 204)
        guard transfer.isMove else {
            return ask(
                .copy(transfer.from, to: transfer.to, isDeep: transfer.isDeep),
                for: .copy(transfer, answer), on: id)
        }
        ask(
            .move(transfer.from, to: transfer.to),
            for: .answer(answer, .removed(object: transfer.from.text)), on: id)
    }

    private static func check(
        _ conditions: Preconditions, on entry: StoredEntry?
    ) throws(HTTPError) {
        let outcome = conditions.judge(
            entry?.tag, modified: entry?.modified ?? 0, isRead: false)
        guard outcome == .goOn else {
            throw HTTPError(412, entry.map { "it is \($0.tag.field) now" } ?? "it is not there")
        }
    }
}
