import Quantities
import Testing
import TransferEngine

@Suite struct StoreContentDigestTests {
    static let record = SessionRecord(
        id: SessionID(1),
        account: Account(host: "host", port: 80, credentials: CredentialHandle("me")),
        state: .running, failures: 2,
        transfers: [
            TransferRecord(
                id: TransferID(7), source: "a", destination: "b",
                fingerprint: SourceFingerprint(size: ByteCount(5), modified: 6),
                digest: SourceDigest(.samples, 3), resource: "r", isComplete: false),
            TransferRecord(id: TransferID(8), source: "c", destination: "d"),
        ])

    /// One change for each field; the names are those of the fields.
    static let changes: [(field: String, make: @Sendable (inout SessionRecord) -> Void)] = [
        ("id", { $0.id.number = 3 }),
        ("account.host", { $0.account.host = "hos" }),
        ("account.port", { $0.account.port = 81 }),
        ("account.credentials", { $0.account.credentials.name = "" }),
        ("account.usesTLS", { $0.account.usesTLS = true }),
        ("accountID", { $0.accountID = AccountID(1) }),
        ("accountID.other", { $0.accountID = AccountID(2) }),
        ("isEnqueued", { $0.isEnqueued = false }),
        ("state", { $0.state = .waiting }),
        ("failures", { $0.failures = 3 }),
        ("limits", { $0.limits = .noCellular }),
        ("rank", { $0.rank = 1 }),
        ("precedence", { $0.precedence = 1 }),
        ("error", { $0.error = .connectionLost }),
        ("isDownload", { $0.isDownload = true }),
        ("isPersistent", { $0.isPersistent = true }),
        ("transfers", { $0.transfers.removeLast() }),
        ("transfers.order", { $0.transfers.swapAt(0, 1) }),
        ("transfers.id", { $0.transfers[1].id.number = 9 }),
        ("transfers.source", { $0.transfers[1].source = "e" }),
        ("transfers.destination", { $0.transfers[1].destination = "é" }),
        ("transfers.fingerprint", { $0.transfers[0].fingerprint = nil }),
        ("transfers.fingerprint.size", { $0.transfers[0].fingerprint?.size = ByteCount(6) }),
        ("transfers.fingerprint.modified", { $0.transfers[0].fingerprint?.modified = 5 }),
        ("transfers.digest.coverage", { $0.transfers[0].digest?.coverage = .whole }),
        ("transfers.digest.value", { $0.transfers[0].digest?.value = 7 }),
        ("settings.overwrite", { $0.settings.overwrite = .never }),
        ("settings.resume", { $0.settings.resume = .none }),
        ("settings.rate.policy", { $0.settings.rate.policy = .low }),
        ("settings.rate.target", { $0.settings.rate.target = 1 }),
        ("settings.rate.minimum", { $0.settings.rate.minimum = 1 }),
        ("transfers.resource", { $0.transfers[0].resource = nil }),
        ("transfers.resource.empty", { $0.transfers[1].resource = "" }),
        ("transfers.isComplete", { $0.transfers[0].isComplete = true }),
        ("transfers.failure", { $0.transfers[0].failure = .noSuchFile }),
        (
            "text across fields",
            {
                $0.transfers[1].source = "cd"; $0.transfers[1].destination = ""
            }
        ),
    ]

    @Test func `each field changes the digest, and each in its own way`() {
        var seen = [StoreContentDigest(of: [Self.record])]
        for (field, make) in Self.changes {
            var changed = Self.record
            make(&changed)
            let digest = StoreContentDigest(of: [changed])
            #expect(!seen.contains(digest), "\(field)")
            seen.append(digest)
        }
    }

    /// A field that is added to a record must be added to its mark.
    @Test func `no field is left out`() throws {
        let transfer = try #require(Self.record.transfers.first)
        let fingerprint = try #require(transfer.fingerprint)
        let parts: [(Any, prefix: String)] = [
            (Self.record, ""), (Self.record.account, "account."), (transfer, "transfers."),
            (fingerprint, "transfers.fingerprint."),
        ]
        for (part, prefix) in parts {
            for child in Mirror(reflecting: part).children {
                let field = prefix + (child.label ?? "")
                // Records hold 0: it counts within an attempt only.
                if field == "transfers.fingerprint.changed" { continue }
                let isTried = Self.changes.contains {
                    $0.field == field || $0.field.hasPrefix(field + ".")
                }
                #expect(isTried, "“\(field)” is not tried above")
            }
        }
    }

    @Test func `changes along the way lead to the digest of what is there in the end`() {
        var other = Self.record
        other.id = SessionID(2)
        var changed = Self.record
        changed.state = .completed
        let (first, second) = (mark(of: Self.record), mark(of: other))
        var digest = StoreContentDigest()
        #expect(digest.value == 0)
        digest.replace(mark: nil, with: first)
        digest.replace(mark: nil, with: second)
        digest.replace(mark: first, with: mark(of: changed))
        #expect(digest == StoreContentDigest(of: [changed, other]))
        #expect(digest == StoreContentDigest(of: [other, changed]))
        digest.replace(mark: second, with: nil)
        digest.replace(mark: mark(of: changed), with: nil)
        #expect(digest == StoreContentDigest())
    }

    /// Stores keep marks: these numbers may change only together with the version of their schema.
    @Test func `a mark is the same in every build and process`() {
        #expect(StoreContentDigest.mark(of: Self.record) == 1_392_105_405_026_288)
        #expect(StoreContentDigest.mark(of: Self.account) == 12_350_049_048_427_265_416)
        #expect(StoreContentDigest.mark(of: Self.entry) == 15_859_564_674_195_773_458)
        #expect(StoreContentDigest.mark(of: Self.task) == 12_040_734_354_020_919_916)
    }

    private static let access = Account(
        host: "host", port: 80, credentials: CredentialHandle("me"))

    private static let account = AccountRecord(
        AccountID(3), QueueAccount(access, name: "n", folder: "f"))

    private static let entry = EntryRecord(
        id: EntryID(4), bucket: "app/buckets/b", account: access, isDownload: true, path: "p",
        transfer: transfer(EntryID(4).transfer), digest: 9, done: ByteCount(5), state: .suspended)

    private static let task = TaskRecord(
        id: TaskID(app: 2, number: 6), session: "films", account: access,
        transfer: transfer(TaskID(app: 2, number: 6).transfer), isDownload: true,
        isResumable: true, limits: .noCellular,
        configuration: BackgroundConfiguration(isDiscretionary: true), state: .finished,
        failures: 3, notBefore: .start + TimeSpan(nanoseconds: 10), outcome: .failed(.timedOut),
        installation: 7)

    private static func transfer(_ id: TransferID) -> TransferRecord {
        TransferRecord(
            id: id, source: "s", destination: "d",
            fingerprint: SourceFingerprint(size: ByteCount(5), modified: 6), resource: "r",
            isComplete: true)
    }

    private func mark(of record: SessionRecord) -> UInt64 { StoreContentDigest.mark(of: record) }
}
