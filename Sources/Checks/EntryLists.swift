import RunLog

/// The transfers that managers list (K1, K2): every transfer that was started and has not ended. A
/// launch reports what it finds.
struct EntryLists: Sendable {
    /// The listed transfers in order of their start, each with its app.
    private var listed: [(transfer: ItemName, app: UInt16)] = []
    /// The apps whose store has refused or lost something since the last launch, so that its
    /// content does not depend on the engine alone.
    private var storeFailed: Set<UInt16> = []
    private var ended: Set<ItemName> = []
    private(set) var evidence = Evidence<Clause>()

    mutating func read(_ event: RunEvent) throws(Slip) {
        let app = event.app ?? 1
        switch event.fact {
        case .engine(.accepts(let transfer, _, _)) where transfer.facade == .bucket:
            if !listed.contains(where: { $0.transfer == transfer }) {
                listed.append((transfer, app))
            }
        // The process may die between the end and the callback.
        case .engine(.moves(let transfer, _, let stage, _)) where stage.isTerminal:
            listed.removeAll { $0.transfer == transfer }
        case .entries(.callback(let transfer, .completed)),
            .entries(.callback(let transfer, .ended)):
            ended.insert(transfer)
        case .store(.failed), .store(.setAside): storeFailed.insert(app)
        case .device(.appDataCleared): listed.removeAll { $0.app == app }
        case .entries(.held(let transfers)): try judge(transfers, of: app)
        default: break
        }
    }

    private mutating func judge(_ transfers: [ItemName], of app: UInt16) throws(Slip) {
        guard storeFailed.remove(app) == nil else {
            listed.removeAll { $0.app == app && !transfers.contains($0.transfer) }
            ended.subtract(transfers)
            return
        }
        let seen = EntryFact.held(transfers).sentence
        evidence.decides(.listed, if: listed.contains { $0.app == app })
        evidence.decides(.unlisted, if: !ended.isEmpty)
        if let gone = transfers.first(where: ended.contains) {
            throw Slip(expected: "no manager lists \(gone), because it has ended", seen: seen)
        }
        let missing = listed.first { $0.app == app && !transfers.contains($0.transfer) }
        if let missing {
            throw Slip(expected: "\(missing.transfer) is listed until it ends", seen: seen)
        }
    }
}

extension EntryLists {
    /// Each is decided by a launch that reports its manager's list.
    enum Clause: String, ClauseName {
        /// Decided if there are transfers that have not ended.
        case listed = "transfers listed"
        /// Decided if transfers have ended before.
        case unlisted = "ended transfers unlisted"

        var sentence: String {
            switch self {
            case .listed: "a transfer is listed until it ends (K2)"
            case .unlisted: "a transfer that has ended is listed no more (K1, K2)"
            }
        }
    }
}
