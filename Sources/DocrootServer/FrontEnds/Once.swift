import Content
import Protocols
import Quantities

/// `/once/PATH`: an upload that cannot be resumed, to a signed address that is valid for a while
/// (behaviour U6).
///
/// POST requests the address with credentials; PUT uses it without any.
extension DocrootServer {
    mutating func beginOnce(
        _ head: HTTPRequestHead, _ target: RequestTarget, on id: ServerConnectionID
    ) throws(HTTPError) {
        let path = try place(of: target.behindFirst, on: id)
        switch head.method {
        case "POST":
            let (url, expires) = signed(path, target.behindFirst, for: exchanges[id]?.account)
            let text = "{\"url\":\"\(url)\",\"expires\":\"\(HTTPDate.text(expires))\"}"
            respond(Answer(201, [("Location", url)], type: Answer.json, text: text), on: id)
        case "PUT":
            guard try !replays(head, of: path, on: id) else { return }
            try beginWhole(path, of: head, on: id)
        default:
            throw HTTPError(
                405, "\(head.method) has no meaning here", fields: [("Allow", "POST, PUT")])
        }
    }

    // MARK: Signatures

    private func signed(
        _ path: ObjectPath, _ name: String, for account: ServerUser?
    ) -> (url: String, expires: UInt64) {
        let expires = settings.wallClock(at: now + settings.signatureLifetime)
        let user = account?.name ?? ""
        let signature = signature(of: name, by: user, until: expires)
        let signer = user.isEmpty ? "" : "user=\(PercentCoding.encode(user))&"
        let query = "\(signer)expires=\(expires)"
        let address = FrontEnd.once.resources + "/" + PercentCoding.encode(name)
        return ("\(address)?\(query)&signature=\(signature)", expires)
    }

    /// Returns the account that asked for a signed address; `nil` if there are no accounts.
    func signer(of target: RequestTarget) throws(HTTPError) -> ServerUser? {
        var words: [String: String] = [:]
        for pair in target.query.split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if halves.count == 2 { words[String(halves[0])] = try PercentCoding.decode(halves[1]) }
        }
        // A server without accounts names no user.
        let user = words["user"] ?? ""
        guard let expires = words["expires"].flatMap({ UInt64($0) }),
            let offered = words["signature"]
        else {
            throw HTTPError(403, "the address is not signed; POST asks for one that is")
        }
        let right = signature(of: target.behindFirst, by: user, until: expires)
        guard ServerSettings.isSame(right, offered) else {
            throw HTTPError(403, "the signature does not fit the address")
        }
        guard settings.wallClock(at: now) < expires else {
            throw HTTPError(401, "the address was good until \(HTTPDate.text(expires))")
        }
        guard !settings.accounts.isEmpty else { return nil }
        guard let account = settings.accounts.first(where: { $0.name == user }) else {
            throw HTTPError(403, "\(user) is not known any more")
        }
        return account
    }

    private func signature(of name: String, by user: String, until expires: UInt64) -> String {
        Digest.signature(of: "PUT\n\(user)\n\(expires)\n\(name)", by: settings.signingKey)
    }

    // MARK: Idempotency

    static let keyField = "Idempotency-Key"

    /// Answers a repeated upload as the first one was answered, so that it is published once (S8).
    /// An earlier attempt that is still under way gives way.
    mutating func replays(
        _ head: HTTPRequestHead, of path: ObjectPath, on id: ServerConnectionID
    ) throws(HTTPError) -> Bool {
        guard let key = head.fields[Self.keyField] else { return false }
        guard (1...255).contains(key.utf8.count) else {
            throw HTTPError(400, "\(Self.keyField) has 1 to 255 characters")
        }
        guard let earlier = keyed[Self.scope(key, of: path)], let upload = uploads[earlier] else {
            return false
        }
        guard upload.stage != .publishing else {
            throw HTTPError(
                409, "the first upload by this key is being published",
                fields: [("Retry-After", "1")])
        }
        guard upload.stage == .published else {
            if let writer = upload.writer { drop(writer) }
            // The earlier attempt may be complete and waiting only for the disk.
            if remove(earlier) != nil { outputs.append(.discard(earlier)) }
            return false
        }
        // The length of an upload in chunks is lost if the server ended right after it.
        if let length = head.bodyLength, let known = upload.record.length, length != known {
            throw HTTPError(422, "the key was used for another body")
        }
        var answer = Self.putAnswer(of: upload)
        answer.head.fields.add("Idempotency-Replayed", "?1")
        respond(answer, on: id)
        return true
    }

    /// Limits a key to one object.
    static func scope(_ key: String, of path: ObjectPath) -> String { "\(path.text)\n\(key)" }
}
