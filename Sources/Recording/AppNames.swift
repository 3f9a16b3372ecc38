import Facts

/// The names in a run of the items that one launch of an app counts by itself.
struct AppNames: Renaming, Sendable {
    let app: AppNumbers
    let launch: UInt32

    func callAsFunction(_ item: ItemName) -> ItemName {
        switch item.facade {
        case .queue: ItemName(app.session(item.number))
        case .operations, .bucket, .background: app.before.name(item)
        }
    }

    func callAsFunction(_ transfer: TransferName) -> TransferName {
        switch transfer.facade {
        case .queue:
            transfer.path(ofLaunch: launch) ?? TransferName(app.transfer(transfer.number))
        case .operations, .bucket, .background:
            TransferName(self(ItemName(transfer.number, of: transfer.facade)))
        }
    }

    func callAsFunction(_ connection: ConnectionName) -> ConnectionName {
        ConnectionName(launch: launch, number: connection.number)
    }
}
