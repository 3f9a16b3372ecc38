/// The partial files of an app's downloads, relative to its container: `transfers/session-7.part`
/// for a transfer of the queue, `transfers/7.part` for a resumable transfer.
enum PartialFile {
    static let folder = "transfers"
    private static let ofQueue = "session-"
    private static let ending = ".part"

    static func path(of transfer: TransferID) -> String {
        "\(folder)/\(ofQueue)\(transfer.number)\(ending)"
    }

    static func path(of entry: EntryID) -> String { "\(folder)/\(entry.number)\(ending)" }

    /// Whether a path is that of a partial file, and not of one of the app's own files.
    static func isOne(_ path: String) -> Bool {
        let name = path.dropFirst(folder.count + 1).dropLast(ending.count)
        let digits = name.hasPrefix(ofQueue) ? name.dropFirst(ofQueue.count) : name
        guard let number = UInt64(digits) else { return false }
        return [self.path(of: TransferID(number)), self.path(of: EntryID(number))].contains(path)
    }
}

extension TransferEngine {
    /// The folder of partial files of downloads, in the app's container.
    public static var partsFolder: String { PartialFile.folder }

    /// Whether there may be partial files that only the host can delete: a store that was set aside
    /// has perhaps lost their transfers, and paths of persistent downloads end with the process
    /// (P4).
    public static func mayHaveAbandonedParts(
        after setAside: StoreSetAside?, _ sessions: [SessionRecord]
    ) -> Bool {
        setAside != nil || sessions.contains { $0.isPersistent && $0.isDownload }
    }

    /// The partial files among these paths that none of the records needs.
    public static func abandonedParts(
        among paths: [String], besides sessions: [SessionRecord], _ entries: [EntryRecord]
    ) -> [String] {
        let downloads = sessions.filter(\.isDownload).flatMap(\.transfers)
        let needed = Set(
            downloads.filter { !$0.isComplete }.map(\.landing)
                + entries.filter(\.isDownload).map(\.transfer.destination))
        return paths.filter { PartialFile.isOne($0) && !needed.contains($0) }
    }
}

extension TransferDaemon {
    /// The folder of all downloads, which is the system's own.
    public static var downloadsFolder: String { "/downloads" }

    /// The downloads among these paths that none of the tasks needs. A store that was set aside may
    /// have lost their tasks, so that only the host can delete them.
    public static func abandonedDownloads(
        among paths: [String], besides tasks: [TaskRecord]
    ) -> [String] {
        let needed = Set(tasks.filter(\.isDownload).map(\.transfer.destination))
        return paths.filter { !needed.contains($0) }
    }
}
