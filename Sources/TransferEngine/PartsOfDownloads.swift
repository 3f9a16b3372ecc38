extension TransferEngine {
    /// The partial files of downloads that these records need. After a store was set aside the host
    /// deletes all others, because nobody knows their transfers any more.
    public static func parts(
        neededBy sessions: [SessionRecord], _ entries: [EntryRecord]
    ) -> Set<String> {
        let downloads = sessions.filter(\.isDownload).flatMap(\.transfers)
        let landings = downloads.filter { !$0.isComplete }.map(\.landing)
        return Set(landings + entries.filter(\.isDownload).map(\.transfer.destination))
    }
}

extension TransferDaemon {
    /// The downloads that these tasks need, as their apps have not heard of them. After a store was
    /// set aside the host deletes all others.
    public static func files(neededBy tasks: [TaskRecord]) -> Set<String> {
        Set(tasks.filter(\.isDownload).map(\.transfer.destination))
    }
}
