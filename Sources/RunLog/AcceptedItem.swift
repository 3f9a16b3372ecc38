/// One file of an accepted item.
package struct AcceptedTransfer: Hashable, Sendable, Codable {
    package var transfer: TransferName
    package var source: String
    package var destination: String
    /// Said only of downloads: their source is on the server.
    package var isDownload: Bool?

    package init(
        transfer: TransferName, source: String, destination: String, isDownload: Bool = false
    ) {
        self.isDownload = isDownload ? true : nil
        self.transfer = transfer
        self.source = source
        self.destination = destination
    }
}

extension RunEvent.Fact {
    /// The transfers that an app owes the log from now on: with their item, or as paths of a
    /// persistent session.
    package var acceptedTransfers: [AcceptedTransfer] {
        switch self {
        case .engine(.accepts(_, _, let transfers)): transfers
        case .queue(.pathAdded(_, let path)): [path]
        default: []
        }
    }
}

/// What an item may not use.
package struct ItemLimits: Hashable, Sendable, Codable {
    package var allowsCellular: Bool
    package var allowsMetered: Bool
    package var allowsLowData: Bool

    package init(allowsCellular: Bool, allowsMetered: Bool, allowsLowData: Bool) {
        self.allowsCellular = allowsCellular
        self.allowsMetered = allowsMetered
        self.allowsLowData = allowsLowData
    }

    var sentence: String {
        [
            allowsCellular ? nil : "not over cellular",
            allowsMetered ? nil : "not over a metered network",
            allowsLowData ? nil : "not in low data mode",
        ].compactMap(\.self).joined(separator: ", ")
    }
}
