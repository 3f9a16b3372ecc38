import Content
import Protocols
import Quantities

/// Leads requests to their front end and account.
extension DocrootServer {
    mutating func begin(_ head: HTTPRequestHead, on id: ServerConnectionID) {
        exchanges[id]?.head = head
        exchanges[id]?.bodyIsOver = false
        exchanges[id]?.lastProgress = now
        exchanges[id]?.frontEnd = nil
        do throws(HTTPError) {
            try checkHost(of: head)
            let target = try RequestTarget(head.target)
            exchanges[id]?.frontEnd = FrontEnd(of: target)
            var head = head
            if !faults.isEmpty {
                guard let spoilt = try spoil(head, target, on: id) else { return }
                head = spoilt
                exchanges[id]?.head = head
            }
            guard let frontEnd = exchanges[id]?.frontEnd else {
                if head.method == "OPTIONS", target.path == "*" || target.path == "/" {
                    return respond(Self.davOptions, on: id)
                }
                throw HTTPError(404, "nothing is served at \(target.path)")
            }
            try checkFraming(of: head)
            let account = limited(try account(of: head, target, by: frontEnd), on: id)
            exchanges[id]?.account = account
            if let account, account.quota != nil, usage[account.name]?.isCurrent != true {
                // The used space must be known before anything is added.
                return measure(account, on: id)
            }
            try route(head, target, to: frontEnd, on: id)
        } catch {
            if error.status == 401 { noteRefusedCredential(on: id) }
            refuse(error, on: id)
        }
    }

    /// Continues a request when the used space of its account is known.
    mutating func goOn(_ id: ServerConnectionID) throws(HTTPError) {
        guard let exchange = exchanges[id], let head = exchange.head,
            let frontEnd = exchange.frontEnd
        else { return }
        exchanges[id]?.state = .idle
        try route(head, try RequestTarget(head.target), to: frontEnd, on: id)
        advance(id)
    }

    private mutating func route(
        _ head: HTTPRequestHead, _ target: RequestTarget, to frontEnd: FrontEnd,
        on id: ServerConnectionID
    ) throws(HTTPError) {
        switch frontEnd {
        case .dav: try beginDAV(head, target, on: id)
        case .tus: try beginTus(head, target, on: id)
        case .resumable: try beginResumable(head, target, on: id)
        case .kii: try beginKii(head, target, on: id)
        case .once: try beginOnce(head, target, on: id)
        case .token: try beginToken(head, on: id)
        case .paced: try beginPaced(head, target, on: id)
        }
    }

    /// Returns the account of a request: the signer for a signed address, otherwise the sender.
    func account(
        of head: HTTPRequestHead, _ target: RequestTarget, by frontEnd: FrontEnd?
    ) throws(HTTPError) -> ServerUser? {
        if frontEnd == .once, head.method == "PUT" { return try signer(of: target) }
        if frontEnd == .token { return try settings.accountForToken(of: head) }
        return try settings.account(of: head, at: settings.wallClock(at: now))
    }

    /// Refuses a request that does not say once for which host it is meant (RFC 9112 §3.2).
    private func checkHost(of head: HTTPRequestHead) throws(HTTPError) {
        let count = head.fields.values(of: "Host").count
        guard count == 1 || (count == 0 && head.isOld) else {
            throw HTTPError(400, count == 0 ? "a Host is needed" : "there are \(count) Hosts")
        }
    }

    private func checkFraming(of head: HTTPRequestHead) throws(HTTPError) {
        if let expected = head.fields["Expect"], expected.lowercased() != "100-continue" {
            throw HTTPError(417, "“\(expected)” cannot be expected here")
        }
        try checkLength(head.bodyLength ?? .zero)
    }

    /// Refuses a total length that differs from the one told before.
    func checkTotal(_ total: ByteCount, of upload: Upload) throws(HTTPError) {
        if let known = upload.record.length, known != total {
            throw HTTPError(
                400, "the upload was to have \(known.bytes) bytes, and now \(total.bytes)")
        }
        try checkLength(total)
    }

    /// Refuses a length beyond the limit, even if only announced: the sum of all must not overflow.
    func checkLength(_ length: ByteCount) throws(HTTPError) {
        guard length <= settings.bodyLimit else {
            throw HTTPError(413, "a body has \(settings.bodyLimit) at most")
        }
    }

    /// Invites a client that waits to send its body (RFC 9110 §10.1.1).
    mutating func invite(_ id: ServerConnectionID) {
        guard let head = exchanges[id]?.head, !head.isOld, head.fields["Expect"] != nil else {
            return
        }
        outputs.append(.send(id, [.bytes(HTTPResponseHead(100).bytes)]))
    }

    // MARK: What is theirs

    /// Returns the folder that the client of a connection sees as the docroot.
    func root(of id: ServerConnectionID) -> ObjectPath {
        exchanges[id]?.account?.docroot ?? .root
    }

    /// Returns the object that a client means by a name; it always lies in the client's folder.
    func place(
        of name: String, on id: ServerConnectionID
    ) throws(HTTPError) -> ObjectPath {
        let own = try ObjectPath(name)
        let root = root(of: id)
        return root == .root ? own : try ObjectPath("\(root.text)/\(own.text)")
    }
}
