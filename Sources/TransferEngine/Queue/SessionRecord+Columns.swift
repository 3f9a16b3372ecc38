import Quantities

extension SessionRecord: StoredRecord {
    package static let table = Table(
        "session",
        blank: SessionRecord(
            id: SessionID(0), account: .blank, state: .waiting, failures: 0, transfers: []),
        columns: [
            Column("number", \.id.number) { $0.id.number.stored },
            Column("host", \.account.host) { $0.account.host.stored },
            Column("port", \.account.port) { $0.account.port.stored },
            Column("credentials", \.account.credentials.name) {
                $0.account.credentials.name.stored
            },
            Column("state", \.state) { $0.state.stored },
            Column("failures", \.failures) { $0.failures.stored },
            .mark(),
            Column("network_limits", \.limits, since: 2, before: []) { $0.limits.stored },
            Column("rank", \.rank, since: 4, before: 0, named: "rank") { $0.rank.stored },
            Column("precedence", \.precedence, since: 4, before: 0, named: "precedence") {
                $0.precedence.stored
            },
            // Sessions without an account get one as they are restored.
            Column("account", \.accountNumber, since: 9, before: nil, named: "account") {
                $0.accountNumber.stored
            },
            Column("is_enqueued", \.isEnqueued, since: 9, before: true, named: "saved") {
                $0.isEnqueued.stored
            },
            Column("is_download", \.isDownload, since: 7, before: false, named: "download") {
                $0.isDownload.stored
            },
            Column("is_persistent", \.isPersistent, since: 5, before: false, named: "persistent") {
                $0.isPersistent.stored
            },
            Column(
                "overwrite", \.settings.overwrite, since: 8, before: .always, named: "overwrite"
            ) { $0.settings.overwrite.stored },
            Column("resume", \.settings.resume, since: 8, before: .attributes, named: "resume") {
                $0.settings.resume.stored
            },
            Column("rate_policy", \.settings.rate.policy, since: 8, before: .fair, named: "rate") {
                $0.settings.rate.policy.stored
            },
            Column(
                "rate_target", \.settings.rate.target, since: 8, before: 10_000_000, named: "target"
            ) { $0.settings.rate.target.stored },
            Column("rate_minimum", \.settings.rate.minimum, since: 8, before: 0, named: "minimum") {
                $0.settings.rate.minimum.stored
            },
            Column("error", \.errorCode, since: 11, before: nil) { $0.errorCode.stored },
            Column("uses_tls", \.account.usesTLS, since: 12, before: false, named: "TLS") {
                $0.account.usesTLS.stored
            },
            Column(
                "transport", \.settings.transport, since: 13, before: .http, named: "transport"
            ) { $0.settings.transport.stored },
        ])

    /// The files count as well, and the place of each.
    package func mark(with mixer: inout MarkMixer) {
        Self.table.mark(self, with: &mixer)
        mixer.add(UInt64(transfers.count))
        for transfer in transfers { SessionFile(transfer).mark(with: &mixer) }
    }

    private var errorCode: Int? {
        get { error?.code }
        set { error = newValue.flatMap(TransferError.init) }
    }

    private var accountNumber: UInt64? {
        get { accountID?.number }
        set { accountID = newValue.map(AccountID.init) }
    }
}

/// A file of a session, as it stands in a row of its own.
package struct SessionFile: StoredRecord {
    package var session: UInt64
    package var place: Int
    package var transfer: TransferRecord

    package init(_ transfer: TransferRecord, of session: UInt64 = 0, at place: Int = 0) {
        self.session = session
        self.place = place
        self.transfer = transfer
    }

    package static let table = Table(
        "transfer", key: ["session", "place"], blank: SessionFile(.blank),
        columns: [
            Column("session", \.session, .never) { $0.session.stored },
            Column("place", \.place, .never) { $0.place.stored },
            Column("number", \.transfer.id.number) { $0.transfer.id.number.stored },
            Column("source", \.transfer.source) { $0.transfer.source.stored },
            Column("destination", \.transfer.destination) { $0.transfer.destination.stored },
            Column("fingerprint_size", \.transfer.fingerprintSize) {
                $0.transfer.fingerprintSize.stored
            },
            Column("fingerprint_modified", \.transfer.fingerprintModified, .ifAny) {
                $0.transfer.fingerprintModified.stored
            },
            Column("resource", \.transfer.resource) { $0.transfer.resource.stored },
            Column("is_complete", \.transfer.isComplete) { $0.transfer.isComplete.stored },
            Column("digest_coverage", \.transfer.digestCoverage, since: 8, before: nil) {
                $0.transfer.digestCoverage.stored
            },
            Column("digest", \.transfer.digestValue, since: 8, before: nil) {
                $0.transfer.digestValue.stored
            },
            Column("failure", \.transfer.failureCode, since: 10, before: nil) {
                $0.transfer.failureCode.stored
            },
        ])
}

extension Account {
    static let blank = Account(host: "", port: 0, credentials: CredentialHandle(""))
}

/// Parts that have two columns each, and either both values or none.
extension TransferRecord {
    static let blank = TransferRecord(id: TransferID(0), source: "", destination: "")

    var fingerprintSize: ByteCount? {
        get { fingerprint?.size }
        set { fingerprint = newValue.map { SourceFingerprint(size: $0, modified: 0) } }
    }

    var fingerprintModified: UInt64? {
        get { fingerprint?.modified }
        set {
            guard let newValue else { return fingerprint = nil }
            fingerprint?.modified = newValue
        }
    }

    fileprivate var failureCode: Int? {
        get { failure?.code }
        set { failure = newValue.flatMap(TransferError.init) }
    }

    fileprivate var digestCoverage: String? {
        get { digest?.coverage.rawValue }
        set { digest = newValue.flatMap(SourceCoverage.init).map { SourceDigest($0, 0) } }
    }

    fileprivate var digestValue: UInt64? {
        get { digest?.value }
        set {
            guard let newValue else { return digest = nil }
            digest?.value = newValue
        }
    }
}
