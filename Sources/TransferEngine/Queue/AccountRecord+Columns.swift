extension AccountRecord: StoredRecord {
    package static let table = Table(
        "account", since: 9, blank: AccountRecord(AccountID(0), QueueAccount(.blank)),
        columns: [
            Column("number", \.id.number, .by { $1.add("account", $0.id.number) }) {
                $0.id.number.stored
            },
            Column("name", \.account.name) { $0.account.name.stored },
            Column("host", \.account.access.host) { $0.account.access.host.stored },
            Column("port", \.account.access.port) { $0.account.access.port.stored },
            Column("credentials", \.account.access.credentials.name) {
                $0.account.access.credentials.name.stored
            },
            Column("folder", \.account.folder) { $0.account.folder.stored },
            .mark(),
            Column(
                "uses_tls", \.account.access.usesTLS, since: 12, before: false, named: "TLS"
            ) { $0.account.access.usesTLS.stored },
        ])
}
