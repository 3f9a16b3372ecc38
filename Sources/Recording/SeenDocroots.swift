import Facts
import TransferEngine

/// The folders that users of the server see as its root. An engine does not know of them, but a log
/// names every object by its place on the server.
package struct SeenDocroots: Hashable, Sendable {
    /// The folder for each credential that leads to one.
    private let folders: [String: String]
    /// The folder of each item that has one.
    private var items: [ItemName: String] = [:]

    package init(_ folders: [String: String] = [:]) { self.folders = folders }

    mutating func belongs(_ item: ItemName, to account: Account) {
        guard !folders.isEmpty else { return }
        items[item] = folders[account.credentials.name]
    }

    /// Returns the object's place on the server.
    func place(of object: String, for item: ItemName) -> String {
        items[item].map { "\($0)/\(object)" } ?? object
    }

    /// Returns a fact whose objects are named by their places on the server.
    func placed(_ fact: Fact) -> Fact {
        guard !items.isEmpty else { return fact }
        return switch fact {
        case .engine(.accepts(let item, let index, let transfers)):
            .engine(.accepts(item, index: index, transfers.map { placed($0, of: item) }))
        case .queue(.pathAdded(let session, let path)):
            .queue(.pathAdded(session, placed(path, of: session)))
        default: fact
        }
    }

    private func placed(_ transfer: AcceptedTransfer, of item: ItemName) -> AcceptedTransfer {
        guard items[item] != nil else { return transfer }
        var placed = transfer
        if transfer.isDownload == true {
            placed.source = place(of: transfer.source, for: item)
        } else {
            placed.destination = place(of: transfer.destination, for: item)
        }
        return placed
    }
}
