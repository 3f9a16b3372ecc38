import Protocols
import Quantities

/// The space that accounts use, and may use (K9).
extension DocrootServer {
    // MARK: What is used

    /// Learns the used space of an account before its request goes on.
    mutating func measure(_ account: ServerUser, on id: ServerConnectionID) {
        ask(
            .measure(account.docroot), for: .measure(account.name, after: docrootChanges), on: id)
    }

    /// Takes the used space of an account, which the store has measured `after` so many changes.
    mutating func measured(
        _ size: ByteCount, of account: String, after changes: UInt64, on id: ServerConnectionID
    ) throws(HTTPError) {
        if changes == docrootChanges {
            usage[account] = UsedSpace(bytes: size)
        } else if let known = usage[account] {
            // What came meanwhile is in one of the two at least.
            usage[account]?.bytes = max(size, known.bytes)
        } else if let user = exchanges[id]?.account {
            return measure(user, on: id)
        }
        try goOn(id)
    }

    /// Notes a change that was no upload. The space is measured again before the next request;
    /// until then what is known may be too much, but not too little.
    mutating func docrootChanged(adding size: ByteCount, at place: ObjectPath?) {
        docrootChanges += 1
        for account in settings.accounts {
            guard var known = usage[account.name] else { continue }
            known.isCurrent = false
            if let place, account.docroot.holds(place) {
                known.bytes = known.bytes.saturatingAdd(size)
            }
            usage[account.name] = known
        }
        usage[Self.everybody] = nil
    }

    /// Counts an upload that was published over a body of another size.
    mutating func count(_ upload: Upload, replacing size: ByteCount) {
        docrootChanges += 1
        for account in settings.accounts where account.docroot.holds(upload.record.object) {
            guard let known = usage[account.name] else { continue }
            let sum = known.bytes.saturatingAdd(upload.staged)
            usage[account.name]?.bytes = sum - min(sum, size)
        }
    }

    // MARK: What may be used

    /// Refuses bytes beyond the account's quota with a clear error.
    func checkQuota(
        adding count: ByteCount, on id: ServerConnectionID
    ) throws(HTTPError) {
        guard let account = exchanges[id]?.account, let quota = account.quota else { return }
        let sum = use(by: account).saturatingAdd(count)
        guard sum <= quota else {
            throw HTTPError(507, Self.tooMuch(sum, for: account, quota))
        }
    }

    /// Refuses a length, told late, for which there is no room.
    func checkQuota(
        of upload: Upload, ofLength total: ByteCount, on id: ServerConnectionID
    ) throws(HTTPError) {
        guard upload.record.length == nil, total > upload.handedOver else { return }
        try checkQuota(adding: total - upload.handedOver, on: id)
    }

    /// Returns how much more may be handed over of an upload; `nil` if no quota limits it.
    func balance(of upload: Upload) -> ByteCount? {
        growing(upload).map { $0.quota - min($0.quota, use(by: $0.account)) }
    }

    /// Says why there is no room for what was just handed over of an upload; `nil` if there is.
    func overdraft(of upload: Upload) -> String? {
        guard let (account, quota) = growing(upload) else { return nil }
        let sum = use(by: account)
        return sum > quota ? Self.tooMuch(sum, for: account, quota) : nil
    }

    /// Returns whose quota limits an upload while it grows. If its length is known, that was
    /// checked.
    private func growing(_ upload: Upload) -> (account: ServerUser, quota: ByteCount)? {
        guard upload.record.length == nil, let writer = upload.writer,
            let account = exchanges[writer]?.account, let quota = account.quota
        else { return nil }
        return (account, quota)
    }

    private static func tooMuch(
        _ sum: ByteCount, for account: ServerUser, _ quota: ByteCount
    ) -> String {
        "\(account.title) may keep \(quota), and this would make it \(sum)"
    }

    /// Returns the space that an account uses, has announced, or is about to copy.
    private func use(by account: ServerUser) -> ByteCount {
        var sum = usage[account.name]?.bytes ?? .zero
        // any order: a sum
        for upload in uploads.values
        where upload.stage != .published && account.docroot.holds(upload.record.object) {
            sum = sum.saturatingAdd(max(upload.handedOver, upload.record.length ?? .zero))
        }
        // any order: a sum
        for (_, errand) in errands.values {
            guard let copy = errand.copy, account.docroot.holds(copy.to) else { continue }
            sum = sum.saturatingAdd(copy.adds)
        }
        return sum
    }
}

/// The space that an account uses.
struct UsedSpace: Hashable, Sendable {
    var bytes: ByteCount
    /// Whether all that has changed since it was measured is counted exactly.
    var isCurrent = true
}

extension ByteCount {
    /// Adds without overflow, as clients can announce any size.
    fileprivate func saturatingAdd(_ other: ByteCount) -> ByteCount {
        let (sum, isTooMuch) = bytes.addingReportingOverflow(other.bytes)
        return ByteCount(isTooMuch ? .max : sum)
    }
}
