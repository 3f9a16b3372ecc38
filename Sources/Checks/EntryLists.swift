import RunLog

/// What managers list (behaviour K1, K2): every transfer that has been started and has not ended,
/// and none that has. A launch says what it finds.
struct EntryLists: Sendable {
    /// In the order in which they were started, each with its app.
    private var listed: [(transfer: ItemName, app: UInt16)] = []
    /// The apps whose store has refused something, or lost it, since the last launch: what it holds
    /// then is not all up to the engine.
    private var storeFailed: Set<UInt16> = []
    private var ended: Set<ItemName> = []

    /// What should have been.
    struct Slip: Error, Hashable {
        var expected: String
        var seen: String
    }

    mutating func read(_ event: RunEvent) throws(Slip) {
        let app = event.app ?? 1
        switch event.fact {
        case .engine(.accepts(let transfer, _, _)) where transfer.facade == .bucket:
            if !listed.contains(where: { $0.transfer == transfer }) {
                listed.append((transfer, app))
            }
        // Between its end and the word to the app the process may die.
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
        if let gone = transfers.first(where: ended.contains) {
            throw Slip(expected: "\(gone) has ended, and no manager lists it", seen: seen)
        }
        let missing = listed.first { $0.app == app && !transfers.contains($0.transfer) }
        if let missing {
            throw Slip(expected: "\(missing.transfer) is listed until it ends", seen: seen)
        }
    }
}
