import Facts
import TransferEngine

/// The names in a run of the tasks and connections of a transfer daemon, and their apps.
struct DaemonNames: Renaming, Sendable {
    /// The apps by their places on the phone.
    var apps: [AppNumbers]
    /// The app of each connection.
    var owners: [UInt32: UInt16] = [:]
    /// The app that the last name belongs to.
    private(set) var app: UInt16?

    init(apps: [AppNumbers]) { self.apps = apps }

    mutating func callAsFunction(_ task: ItemName) -> ItemName {
        let id = TaskID(TransferID(task.number))
        app = apps[Int(id.app)].name
        return apps[Int(id.app)].name(ofTask: id.number)
    }

    mutating func callAsFunction(_ transfer: TransferName) -> TransferName {
        TransferName(self(ItemName(transfer.number, of: .background)))
    }

    /// The daemon's connections have no launch.
    mutating func callAsFunction(_ connection: ConnectionName) -> ConnectionName {
        app = owners[connection.number].flatMap { apps[Int($0)].name }
        return connection
    }
}
