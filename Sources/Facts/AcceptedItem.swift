/// One file of an accepted item.
package struct AcceptedTransfer: Hashable, Sendable, Codable {
    package var transfer: TransferName
    package var source: String
    package var destination: String
    /// Set only for downloads, which have their source on the server.
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

extension [AcceptedTransfer] {
    /// The files in words.
    var sentence: String {
        isEmpty ? "no file yet" : map { "\($0.source) to \($0.destination)" }.listed
    }
}

extension Sequence where Element: CustomStringConvertible {
    package var listed: String { map(\.description).joined(separator: ", ") }

    /// `, not 3, 4`: lost items after those that were kept; empty if there are none.
    var butNot: String { Array(self).isEmpty ? "" : ", not \(listed)" }
}

extension Fact {
    /// The transfers of a new item, or a new path of a persistent session.
    package var acceptedTransfers: [AcceptedTransfer] {
        switch self {
        case .engine(.accepts(_, _, let transfers)): transfers
        case .queue(.pathAdded(_, let path)): [path]
        default: []
        }
    }
}

/// What a resume policy does not compare.
package enum ResumeBlindSpot: String, Hashable, Sendable, Codable, CaseIterable {
    case attributes = "only its size and its date were compared"
    case samples = "of its content only samples were compared"
}

/// Why a transfer leaves its target as it is.
package enum TargetKept: String, Hashable, Sendable, Codable, CaseIterable {
    case same = "it holds the same"
    case notOlder = "it is not older than its source"
}
