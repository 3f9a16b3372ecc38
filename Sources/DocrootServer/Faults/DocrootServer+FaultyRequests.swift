import Protocols
import Quantities

/// Faults of requests before anybody reads them.
extension DocrootServer {
    /// Applies the script to a request; `nil` if that ended it.
    mutating func spoil(
        _ head: HTTPRequestHead, _ target: RequestTarget, on id: ServerConnectionID
    ) throws(HTTPError) -> HTTPRequestHead? {
        guard let exchange = exchanges[id] else { return nil }
        let frontEnd = exchange.frontEnd
        let authorization = head.fields["Authorization"]
        faults.begin(
            FaultedRequest(
                connection: id, client: exchange.client, ordinal: faults.ordinal(of: id),
                method: head.method, target: head.loggedTarget, path: target.path,
                frontEnd: frontEnd,
                user: (try? account(of: head, target, by: frontEnd))?.name,
                authorization: authorization))
        if let index = faults.spender(of: authorization) {
            tell(index, "the token is good no more", on: id)
            throw ServerSettings.expired
        }
        if let name = faults.lock(on: target.path, at: now) {
            throw HTTPError(423, "“\(name)” keeps it locked")
        }
        var head = head
        while let index = faults.next(at: .request, on: id) {
            guard try spoil(&head, by: index, on: id) else { return nil }
        }
        // A request without a body has been received completely.
        if Self.makers.contains(head.method), head.bodyLength == .zero {
            while let index = faults.next(at: .received, on: id) {
                guard faults.rules[index].rule.fault == .fillDisk else { continue }
                tell(index, "the disk is full", on: id)
                throw HTTPError(507, "the disk is full")
            }
        }
        return head
    }

    /// The name of clients without an account.
    static let everybody = ""

    /// Methods that ask the disk for room, with a body or without.
    private static let makers: Set<String> = ["COPY", "MKCOL", "PATCH", "POST", "PUT"]

    /// Applies a rule to a request; returns whether the request goes on.
    private mutating func spoil(
        _ head: inout HTTPRequestHead, by index: Int, on id: ServerConnectionID
    ) throws(HTTPError) -> Bool {
        switch faults.rules[index].rule.fault {
        case .answer(416, _) where head.method == "GET" && sendsRanges(on: id):
            tell(index, "no range can be satisfied", on: id)
            head.fields.remove("If-Range")
            head.fields.replace("Range", by: "bytes=\(Int64.max - 1)-")
        case .answer(let status, let retryAfter):
            tell(index, "it is answered with \(status)", on: id)
            throw failure(status, retryAfter)
        case .expireToken:
            expireToken(by: index, on: id)
            throw ServerSettings.expired
        case .reset, .close:
            cut(id, by: index, "before an answer")
            return false
        case .restart:
            restart(by: index, on: id)
            return false
        case .losePower: return losePower(by: index, on: id)
        case .ignore(let ignored):
            guard head.fields[ignored.rawValue] != nil else { break }
            tell(index, "its \(ignored.rawValue) is ignored", on: id)
            head.fields.remove(ignored.rawValue)
        case .sendAnotherRange(let shift):
            guard let field = head.fields["Range"], let other = Self.range(beside: field, by: shift)
            else { break }
            tell(index, "\(other) is sent instead of \(field)", on: id)
            head.fields.replace("Range", by: other)
        case .keepLock:
            guard exchanges[id]?.frontEnd == .tus, head.method == "PATCH" else { break }
            faults.requests[id]?.lock = index
        case .quota(let limit):
            guard Self.makers.contains(head.method) else { break }
            tell(index, "\(limit) may be kept", on: id)
            faults.requests[id]?.quota = limit
            // The space of clients without an account is not kept, but measured each time.
            usage[Self.everybody] = nil
        case .stall, .slow, .loseAnswer, .repeatAnswer, .sendInChunks, .sendWrongContentRange,
            .sendAnotherTag, .sendField, .fillDisk, .clock, .malformed:
            preconditionFailure("\(faults.rules[index].rule) is no rule about requests")
        }
        return true
    }

    /// Locks the upload of a request that breaks off, if a rule says so.
    mutating func keepLock(of id: ServerConnectionID) {
        guard let request = faults.requests[id], let index = request.lock,
            faults.mayTakeEffect(index), case .keepLock(let time) = faults.rules[index].rule.fault
        else { return }
        tell(index, "the upload stays locked for \(time)", on: id)
        faults.lock(request.path, by: index, until: now + time)
    }

    private func sendsRanges(on id: ServerConnectionID) -> Bool {
        switch exchanges[id]?.frontEnd {
        case .dav, .kii: true
        case .tus, .resumable, .once, .token, .paced, nil: false
        }
    }

    /// Returns the range at this distance; `nil` if there is not exactly one range.
    private static func range(beside field: String, by shift: Fault.RangeShift) -> String? {
        let ends = field.dropFirst("bytes=".count)
            .split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard field.hasPrefix("bytes="), ends.count == 2,
            let first = ByteCount(decimalDigits: ends[0])?.bytes
        else { return nil }
        let move = { (place: UInt64) in
            switch shift {
            case .earlier(let distance) where first > 0: place - min(first, distance.bytes)
            case .earlier(let distance), .later(let distance): place + distance.bytes
            }
        }
        if ends[1].isEmpty { return "bytes=\(move(first))-" }
        guard let last = ByteCount(decimalDigits: ends[1])?.bytes, last >= first else { return nil }
        return "bytes=\(move(first))-\(move(last))"
    }

    /// Expires the credentials of a request, also for later requests, until the rule is switched
    /// off.
    mutating func expireToken(by index: Int, on id: ServerConnectionID) {
        tell(index, "the token expires", on: id)
        if let authorization = faults.requests[id]?.authorization {
            faults.spend(authorization, by: index)
        }
    }

    /// Returns an account with the script's quota, if one applies.
    func limited(_ account: ServerUser?, on id: ServerConnectionID) -> ServerUser? {
        guard let quota = faults.requests[id]?.quota else { return account }
        var account =
            account
            ?? ServerUser(
                name: Self.everybody, password: nil, tokens: [], docroot: .root, quota: nil)
        account.quota = quota
        return account
    }
}
