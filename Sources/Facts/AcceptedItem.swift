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

extension Fact {
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

/// What the policy does not see by which an upload goes on.
package enum ResumeBlindSpot: String, Hashable, Sendable, Codable {
    case attributes = "only its size and its date were compared"
    case samples = "of its content only samples were compared"
}

/// Why nothing is transferred: what stands where a file goes stays there.
package enum TargetKept: String, Hashable, Sendable, Codable {
    case same = "it holds the same"
    case notOlder = "it is not older than its source"
}
