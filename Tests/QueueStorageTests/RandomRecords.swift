import Quantities
import TransferEngine

/// Records drawn from a stream: small numbers of everything, so that changes meet.
struct RandomRecords {
    var random: RandomStream

    init(seed: UInt64) { random = RandomStream(seed: seed, name: "records") }

    mutating func changes(_ count: Int) -> [StoreChange] {
        (0..<count).map { _ in
            let number = random.below(6) + 1
            return random.below(8) == 0
                ? .remove(SessionID(number)) : .put(record(number: number))
        }
    }

    mutating func record(number: UInt64) -> SessionRecord {
        let states = SessionState.allCases
        return SessionRecord(
            id: SessionID(number),
            account: Account(
                host: text(), port: UInt16(random.below(65_536)),
                credentials: CredentialHandle(text()), usesTLS: number % 4 == 2),
            accountID: number.isMultiple(of: 5) ? nil : AccountID(number % 3 + 1),
            state: states[Int(random.below(UInt64(states.count)))],
            failures: Int(random.below(8)),
            transfers: (0..<random.below(5)).map { file(number: number * 10 + $0) },
            limits: NetworkLimits(rawValue: UInt8(random.below(8))),
            rank: Int64(bitPattern: random.next()), precedence: UInt32(random.below(3)),
            isPersistent: number.isMultiple(of: 3),
            isDownload: number.isMultiple(of: 4), settings: settings(),
            isEnqueued: number % 4 != 1, error: number % 4 == 3 ? .noSpace : nil)
    }

    /// Of sessions, of resumable transfers and of accounts, side by side.
    mutating func mixedChanges(_ count: Int) -> [StoreChange] {
        changes(count).flatMap { change -> [StoreChange] in
            let number = random.below(6) + 1
            let other: StoreChange =
                random.below(5) == 0
                ? .removeEntry(EntryID(number)) : .putEntry(entry(number: number))
            let third: StoreChange =
                random.below(5) == 0
                ? .removeAccount(AccountID(number)) : .putAccount(account(number: number))
            return [change, other, third]
        }
    }

    mutating func account(number: UInt64) -> AccountRecord {
        AccountRecord(
            AccountID(number),
            QueueAccount(
                Account(
                    host: text(), port: UInt16(random.below(65_536)),
                    credentials: CredentialHandle(text()), usesTLS: number % 4 == 2),
                name: text(), folder: text()))
    }

    mutating func entry(number: UInt64) -> EntryRecord {
        var transfer = transfer(number: 0)
        transfer.id = EntryID(number).transfer
        transfer.digest = nil
        return EntryRecord(
            id: EntryID(number), bucket: text(),
            account: Account(
                host: text(), port: UInt16(random.below(65_536)),
                credentials: CredentialHandle(text()), usesTLS: number % 4 == 2),
            isDownload: random.below(2) == 0, path: text(), transfer: transfer,
            digest: random.below(2) == 0 ? nil : random.next(),
            done: ByteCount(random.next()),
            state: random.below(2) == 0 ? .ongoing : .suspended)
    }

    private mutating func settings() -> TransferSettings {
        TransferSettings(
            overwrite: OverwritePolicy.allCases[Int(random.below(5))],
            resume: ResumePolicy.allCases[Int(random.below(4))],
            rate: RateWish(
                policy: RatePolicy.allCases[Int(random.below(4))], target: random.next() >> 1,
                minimum: random.below(3)))
    }

    /// A file of a session, which alone can fail and leave the others.
    private mutating func file(number: UInt64) -> TransferRecord {
        var file = transfer(number: number)
        if random.below(3) == 0 { file.failure = .noSuchFile }
        return file
    }

    private mutating func transfer(number: UInt64) -> TransferRecord {
        TransferRecord(
            id: TransferID(number), source: text(), destination: text(),
            fingerprint: random.below(2) == 0
                ? nil
                : SourceFingerprint(size: ByteCount(random.next()), modified: random.next()),
            digest: random.below(2) == 0
                ? nil
                : SourceDigest(random.below(2) == 0 ? .whole : .samples, random.next()),
            resource: random.below(2) == 0 ? nil : text(),
            isComplete: random.below(2) == 0)
    }

    /// Long enough, now and then, for a row to need pages of its own.
    private mutating func text() -> String {
        let words = ["", "video.mov", "’; DROP TABLE session", "été/über", "🎬", "a\u{0}b", "/"]
        let word = words[Int(random.below(UInt64(words.count)))]
        return String(repeating: word, count: random.below(40) == 0 ? 700 : 1)
    }
}

/// What a store should hold, the slow and plain way.
struct ExpectedRecords: Equatable {
    var records: [SessionRecord] = []
    var entries: [EntryRecord] = []
    var accounts: [AccountRecord] = []

    mutating func apply(_ change: StoreChange) {
        switch change {
        case .put(let record):
            records.removeAll { $0.id == record.id }
            records.append(record)
            records.sort { $0.id < $1.id }
        case .putEntry(let record):
            entries.removeAll { $0.id == record.id }
            entries.append(record)
            entries.sort { $0.id < $1.id }
        case .removeEntry(let entry): entries.removeAll { $0.id == entry }
        case .putAccount(let record):
            accounts.removeAll { $0.id == record.id }
            accounts.append(record)
            accounts.sort { $0.id < $1.id }
        case .removeAccount(let account): accounts.removeAll { $0.id == account }
        case .forgetSetAside: break
        case .remove(let session): records.removeAll { $0.id == session }
        }
    }

    func applying(_ changes: some Sequence<StoreChange>) -> ExpectedRecords {
        var copy = self
        for change in changes { copy.apply(change) }
        return copy
    }
}
