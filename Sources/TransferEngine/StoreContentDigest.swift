import Quantities

/// A digest of all records of a store, in any order: the sum of a mark for each record.
///
/// It follows the changes on their way in, and is computed again from the rows on their way out. If
/// the two differ, something was lost or torn (S7). Stores keep the marks, so changing a mark means
/// changing the version of the schema.
package struct StoreContentDigest: Hashable, Sendable {
    /// 0 for an empty store.
    package private(set) var value: UInt64 = 0

    package init() {}

    package init(of records: some Sequence<SessionRecord>) {
        for record in records { replace(nil, with: record) }
    }

    package mutating func replace(_ old: SessionRecord?, with new: SessionRecord?) {
        replace(mark: old.map(Self.mark), with: new.map(Self.mark))
    }

    package mutating func replace(mark old: UInt64?, with new: UInt64?) {
        value = value &- (old ?? 0) &+ (new ?? 0)
    }

    /// The mark of a session. Every field counts, and so does the place of a file within its
    /// session.
    package static func mark(of record: SessionRecord) -> UInt64 {
        var mixer = Mixer()
        mixer.add(record.id.number)
        mixer.add(record.account.host)
        mixer.add(UInt64(record.account.port))
        mixer.add(record.account.credentials.name)
        mixer.add(record.state.rawValue)
        mixer.add(UInt64(bitPattern: Int64(record.failures)))
        if !record.limits.isEmpty { mixer.add(UInt64(record.limits.rawValue)) }
        if record.rank != 0 { mixer.add("rank", UInt64(bitPattern: record.rank)) }
        if record.precedence != 0 { mixer.add("precedence", UInt64(record.precedence)) }
        if let account = record.accountID { mixer.add("account", account.number) }
        if !record.isEnqueued { mixer.add("saved", 1) }
        if record.isDownload { mixer.add("download", 1) }
        if record.isPersistent { mixer.add("persistent", 1) }
        mixer.add(record.settings)
        mixer.add(UInt64(record.transfers.count))
        for transfer in record.transfers {
            mixer.add(transfer.id.number)
            mixer.add(transfer.source)
            mixer.add(transfer.destination)
            mixer.add(transfer.fingerprint)
            mixer.add(transfer.resource)
            mixer.add(transfer.isComplete ? 1 : 0)
            if let digest = transfer.digest {
                mixer.add(digest.coverage.rawValue, digest.value)
            }
        }
        return mixer.value
    }

    /// The mark of an account.
    package static func mark(of record: AccountRecord) -> UInt64 {
        var mixer = Mixer()
        mixer.add("account", record.id.number)
        mixer.add(record.account.name)
        mixer.add(record.account.access.host)
        mixer.add(UInt64(record.account.access.port))
        mixer.add(record.account.access.credentials.name)
        mixer.add(record.account.folder)
        return mixer.value
    }

    /// The mark of a resumable transfer.
    package static func mark(of record: EntryRecord) -> UInt64 {
        var mixer = Mixer()
        mixer.add("entry", record.id.number)
        mixer.add(record.bucket)
        mixer.add(record.account.host)
        mixer.add(UInt64(record.account.port))
        mixer.add(record.account.credentials.name)
        mixer.add(record.isDownload ? 1 : 0)
        mixer.add(record.path)
        mixer.add(record.transfer.source)
        mixer.add(record.transfer.destination)
        mixer.add(record.transfer.fingerprint)
        mixer.add(record.transfer.resource)
        mixer.add(record.transfer.isComplete ? 1 : 0)
        mixer.add(record.digest == nil ? 0 : 1)
        mixer.add(record.digest ?? 0)
        mixer.add(record.done.bytes)
        mixer.add(record.state.rawValue)
        return mixer.value
    }

    package init(
        of tasks: some Sequence<TaskRecord>, delays: some Sequence<BackgroundDelay> = []
    ) {
        for task in tasks { replace(mark: nil, with: Self.mark(of: task)) }
        for delay in delays { replace(mark: nil, with: Self.mark(of: delay)) }
    }

    /// The mark of a task in the daemon's store.
    package static func mark(of record: TaskRecord) -> UInt64 {
        var mixer = Mixer()
        mixer.add(record.id.transfer.number)
        mixer.add(record.session)
        mixer.add(record.account.host)
        mixer.add(UInt64(record.account.port))
        mixer.add(record.account.credentials.name)
        mixer.add(record.transfer.source)
        mixer.add(record.transfer.destination)
        mixer.add(record.transfer.fingerprint)
        mixer.add(record.transfer.resource)
        mixer.add(record.transfer.isComplete ? 1 : 0)
        mixer.add(record.isDownload ? 1 : 0)
        mixer.add(UInt64(record.limits.rawValue))
        mixer.add(record.isDiscretionary ? 1 : 0)
        if record.isResumable { mixer.add("resumable", 1) }
        mixer.add(record.state.rawValue)
        mixer.add(UInt64(bitPattern: Int64(record.failures)))
        // Adds 1 to tell the moment 0 from none.
        mixer.add((record.notBefore?.nanoseconds).map { $0 &+ 1 } ?? 0)
        mixer.add((record.deadline?.nanoseconds).map { $0 &+ 1 } ?? 0)
        if record.installation != 0 { mixer.add("installation", UInt64(record.installation)) }
        switch record.outcome {
        case nil: mixer.add(0)
        case .answered(let status): mixer.add("answered", UInt64(bitPattern: Int64(status)))
        case .failed(let error): mixer.add("failed", UInt64(bitPattern: Int64(error.rawValue)))
        }
        return mixer.value
    }

    /// The mark of an app's delay; `nil` for the first one.
    package static func mark(of delay: BackgroundDelay) -> UInt64? {
        guard delay.time != BackgroundDelay.first else { return nil }
        var mixer = Mixer()
        mixer.add("delay", UInt64(delay.app))
        mixer.add(delay.time.nanoseconds.magnitude)
        return mixer.value
    }

    /// Mixes fields. Not cryptographic: it must notice a change, not an attacker.
    private struct Mixer {
        var value: UInt64 = 0x6a09_e667_f3bc_c908

        mutating func add(_ word: UInt64) {
            let product = (value ^ word).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
            value = product.low ^ product.high &+ 0xbb67_ae85_84ca_a73b
        }

        /// Adds a field that is often absent; its name tells it from other fields.
        mutating func add(_ name: String, _ word: UInt64) {
            add(name)
            add(word)
        }

        /// Adds text with its length, so that "a" + "bc" and "ab" + "c" differ.
        mutating func add(_ text: String) {
            var word: UInt64 = 0
            var count: UInt64 = 0
            for byte in text.utf8 {
                word = word << 8 | UInt64(byte)
                count += 1
                if count % 8 == 0 { add(word) }
            }
            add(word)
            add(count)
        }

        mutating func add(_ text: String?) {
            add(text == nil ? 0 : 1)
            if let text { add(text) }
        }

        /// Adds only what differs from stores that had no settings.
        mutating func add(_ settings: TransferSettings) {
            let old = TransferSettings.beforeThereWereAny
            if settings.overwrite != old.overwrite {
                add("overwrite")
                add(settings.overwrite.rawValue)
            }
            if settings.resume != old.resume {
                add("resume")
                add(settings.resume.rawValue)
            }
            if settings.rate.policy != old.rate.policy {
                add("rate")
                add(settings.rate.policy.rawValue)
            }
            if settings.rate.target != old.rate.target { add("target", settings.rate.target) }
            if settings.rate.minimum != old.rate.minimum { add("minimum", settings.rate.minimum) }
        }

        mutating func add(_ fingerprint: SourceFingerprint?) {
            add(fingerprint == nil ? 0 : 1)
            guard let fingerprint else { return }
            add(fingerprint.size.bytes)
            add(fingerprint.modified)
        }
    }
}
