import Quantities

extension EntryRecord: StoredRecord {
    package static let table = Table(
        "entry", since: 6,
        blank: EntryRecord(
            id: EntryID(0), bucket: "", account: .blank, isDownload: false, path: "",
            transfer: .blank),
        columns: [
            Column("number", \.number, .by { $1.add("entry", $0.number) }) { $0.number.stored },
            Column("bucket", \.bucket) { $0.bucket.stored },
            Column("host", \.account.host) { $0.account.host.stored },
            Column("port", \.account.port) { $0.account.port.stored },
            Column("credentials", \.account.credentials.name) {
                $0.account.credentials.name.stored
            },
            Column("is_download", \.isDownload) { $0.isDownload.stored },
            Column("path", \.path) { $0.path.stored },
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
            Column(
                "digest", \.digest,
                .by { record, mixer in
                    mixer.add(record.digest == nil ? 0 : 1)
                    mixer.add(record.digest ?? 0)
                }
            ) { $0.digest.stored },
            Column("done", \.done) { $0.done.stored },
            Column("state", \.state) { $0.state.stored },
            .mark(),
            Column("uses_tls", \.account.usesTLS, since: 12, before: false, named: "TLS") {
                $0.account.usesTLS.stored
            },
        ])

    /// The number of the record and of its transfer.
    private var number: UInt64 {
        get { id.number }
        set {
            id = EntryID(newValue)
            transfer.id = id.transfer
        }
    }
}
