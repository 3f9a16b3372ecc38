import RunLog

/// The persistent sessions of a run, and the unfinished paths of each.
///
/// A path ends when it is complete, when it is given up, or with its process (P4).
struct PersistentPaths: Sendable {
    private(set) var sessions: Set<ItemName> = []
    /// Unfinished paths in the order in which they were added, so that the first one is named.
    private var unfinished: [Path] = []

    private struct Path: Sendable {
        var transfer: TransferName
        var app: UInt16?
    }

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .engine(.isPersistent(let session)): sessions.insert(session)
        case .queue(.pathAdded(_, let path)):
            unfinished.append(Path(transfer: path.transfer, app: event.app))
        case .engine(.completes(let transfer)), .engine(.givesUp(let transfer, _)):
            unfinished.removeAll { $0.transfer == transfer }
        case .device(.appKilled), .device(.appCrashed):
            unfinished.removeAll { $0.app == event.app }
        default: break
        }
    }

    /// The first unfinished path.
    var hanging: TransferName? { unfinished.first?.transfer }
}
