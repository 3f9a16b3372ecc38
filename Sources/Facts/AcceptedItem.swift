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

/// How the files of a session go, as its app wants it (behaviour A15).
package struct SessionSettings: Hashable, Sendable, Codable {
    package var overwrite: Overwrite
    package var resume: Resume
    package var ratePolicy: String
    package var targetBitsPerSecond: UInt64
    package var minimumBitsPerSecond: UInt64

    package enum Overwrite: String, Hashable, Sendable, Codable, CaseIterable {
        case never, always, diff, older
        case diffAndOlder = "diff+older"
    }

    package enum Resume: String, Hashable, Sendable, Codable, CaseIterable {
        case none, attributes
        case sparseChecksum = "sparse checksum"
        case fullChecksum = "full checksum"
    }

    package init(
        overwrite: Overwrite, resume: Resume, ratePolicy: String, targetBitsPerSecond: UInt64,
        minimumBitsPerSecond: UInt64
    ) {
        self.overwrite = overwrite
        self.resume = resume
        self.ratePolicy = ratePolicy
        self.targetBitsPerSecond = targetBitsPerSecond
        self.minimumBitsPerSecond = minimumBitsPerSecond
    }

    var sentence: String {
        "overwrites \(overwrite.rawValue), resumes by \(resume.rawValue), \(ratePolicy) rate of "
            + "\(targetBitsPerSecond) bit/s, at least \(minimumBitsPerSecond) bit/s"
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
