import Facts

/// The end of a session of several files of which some were given up (A21): error 27, and which
/// files those are.
struct FilesFailed: PublishedError {
    /// The files, each with its error.
    private let files: [File]

    private struct File: Hashable, Sendable {
        var name: String
        var error: TransferError
    }

    /// Named in the message at most; the session's row has all.
    private static let mostNamed = 5

    /// `nil` if no file was given up.
    init?(_ transfers: [TransferRecord]) {
        files = transfers.compactMap { transfer in
            transfer.failure.map { File(name: transfer.source, error: $0) }
        }
        if files.isEmpty { return nil }
    }

    var code: Int { TransferError.someFilesFailed.code }

    var message: String {
        let named = files.prefix(Self.mostNamed)
            .map { "\($0.name) (\($0.error.message), error \($0.error.code))" }
            .joined(separator: ", ")
        let more = files.count - Self.mostNamed
        return "\(TransferError.someFilesFailed.message): \(named)"
            + (more > 0 ? " and \(more) more" : "")
    }
}

extension SessionRecord {
    var failureOfFiles: FilesFailed? { FilesFailed(transfers) }
}
