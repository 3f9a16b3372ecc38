import RunLog

/// The partial files of downloads that an app holds at the end of a run (L5): no more than it shows
/// downloads that have not completed.
struct LeftParts: Sendable {
    private var downloads: [ItemName: Download] = [:]
    /// The persistent sessions of the paths that are under way.
    private var owners: [TransferName: ItemName] = [:]
    /// The sessions and the transfers that each app shows.
    private var sessions: [UInt16: [ItemName]] = [:]
    private var transfers: [UInt16: [ItemName]] = [:]
    private(set) var evidence = Evidence<Clause>()

    private struct Download: Sendable {
        var app: UInt16
        var files: Int
        var isComplete = false
        var hasBegun = false
    }

    mutating func read(_ event: RunEvent) throws(Slip) {
        let app = event.app ?? 1
        switch event.fact {
        case .engine(.accepts(let item, _, let transfers))
        where item.facade == .queue || item.facade == .bucket:
            let files = transfers.count { $0.isDownload == true }
            if files > 0 { downloads[item] = Download(app: app, files: files) }
        // Paths of a persistent session, which are over when they end, or with their process (P4).
        case .queue(.pathAdded(let item, let path)) where path.isDownload == true:
            owners[path.transfer] = item
            downloads[item, default: Download(app: app, files: 0)].files += 1
        case .engine(.completes(let transfer)), .engine(.givesUp(let transfer, _)):
            guard let item = owners.removeValue(forKey: transfer) else { return }
            downloads[item]?.files -= 1
        case .device(.appLaunched): forgetPaths(of: app)
        case .engine(.moves(let item, _, let stage, _)):
            downloads[item]?.isComplete = (stage == .completed)
        case .engine(.attempt(let item, _)): downloads[item]?.hasBegun = true
        case .shown(.queue(let rows, _, _, _)): sessions[app] = rows.map(\.session)
        case .shown(.transfers(let rows)): transfers[app] = rows.map(\.transfer)
        case .file(.parts(let paths)): try judge(paths, of: app)
        case .run(.ended): weigh()
        default: break
        }
    }

    private mutating func forgetPaths(of app: UInt16) {
        // any order: each is forgotten by itself
        for (transfer, item) in owners where downloads[item]?.app == app {
            owners[transfer] = nil
            downloads[item]?.files -= 1
        }
    }

    private func isShown(_ item: ItemName, by app: UInt16) -> Bool {
        sessions[app]?.contains(item) == true || transfers[app]?.contains(item) == true
    }

    private func judge(_ paths: [String], of app: UInt16) throws(Slip) {
        // any order: they are summed up
        let needed = downloads.reduce(0) { sum, entry in
            let (item, download) = entry
            let isNeeded = !download.isComplete && isShown(item, by: app)
            return sum + (isNeeded ? download.files : 0)
        }
        guard paths.count > needed else { return }
        throw Slip(
            expected: "the app holds partial files of the downloads that it shows unfinished, at "
                + "most \(needed)",
            seen: FileFact.parts(paths).sentence)
    }

    private mutating func weigh() {
        // any order: each is counted by itself
        for (item, download) in downloads where download.hasBegun && !download.isComplete {
            let hasLists = sessions[download.app] != nil || transfers[download.app] != nil
            evidence.decides(.partsDeleted, if: hasLists && !isShown(item, by: download.app))
        }
    }
}

extension LeftParts {
    enum Clause: String, ClauseName {
        /// Decided by each download that has begun, has not completed, and is shown no more when
        /// the run ends: it may have left a partial file.
        case partsDeleted = "parts deleted"

        var sentence: String { "the partial file of a download goes with the download" }
    }
}
