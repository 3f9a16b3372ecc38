import Quantities
import RunLog

/// Items that need not end by themselves, because the user sees why and can act.
/// These are paused sessions, open persistent sessions, sessions that report waiting for a network
/// or a charger, all sessions behind such a session, and all sessions of a stopped queue.
struct LeftToTheUser: Sendable {
    private var stages: [ItemName: ItemStage] = [:]
    private var owners: [ItemName: UInt16] = [:]
    private var paths = PersistentPaths()
    /// The apps whose queues are stopped; each launch starts them again.
    private var stopped: Set<UInt16> = []
    private var waitsForNetwork: Set<ItemName> = []
    /// The end of each item's last pause after an error.
    private var retries: [ItemName: Instant] = [:]
    private var now = Instant.start
    private var limits: [ItemName: NetworkLimits] = [:]
    /// The phone of each app, and whether all interfaces of a phone are cellular.
    private var phones: [UInt16: UInt16] = [:]
    private var cellularAlone: [UInt16: Bool] = [:]
    /// The phones with a charger.
    private var chargers: Set<UInt16> = []

    mutating func read(_ event: RunEvent) {
        paths.read(event)
        now = event.at
        let app = event.app ?? 1
        switch event.fact {
        case .engine(let fact): read(fact, of: app)
        case .queue(.callback(let session, .row(.removed))): forget { $0 == session }
        case .device(.appDataCleared):
            forget { [owners] in owners[$0] == app && $0.facade != .background }
        case .store(.setAside(_, _, let kept, _)):
            let lasts: Set<Facade> = [.operations, .background]
            forget { [owners] in
                owners[$0] == app && !kept.contains($0) && !lasts.contains($0.facade)
            }
        case .queue(.started): stopped.remove(app)
        case .queue(.stopped): stopped.insert(app)
        case .device(.appKilled), .device(.appCrashed):
            stopped.remove(app)
            waitsForNetwork = waitsForNetwork.filter {
                owners[$0] != app || $0.facade == .background
            }
        case .network(.interface(_, let terms, let device)):
            cellularAlone[device ?? 0] = terms.isCellular && cellularAlone[device ?? 0] != false
        case .device(.charger(connected: true, let device)): chargers.insert(device ?? 0)
        case .device(.charger(connected: false, let device)): chargers.remove(device ?? 0)
        case .network(.path(let terms, let device)):
            for app in terms.apps ?? [] { phones[app] = device ?? 0 }
        default: break
        }
    }

    private mutating func forget(_ isGone: (ItemName) -> Bool) {
        // any order: each is looked at by itself
        for item in stages.keys.filter(isGone) {
            stages[item] = nil
            waitsForNetwork.remove(item)
        }
    }

    private mutating func read(_ fact: EngineFact, of app: UInt16) {
        switch fact {
        case .accepts(let item, _, _):
            owners[item] = app
            if stages[item] == nil { stages[item] = .waiting }
        case .moves(let item, _, let to, _):
            stages[item] = to
            waitsForNetwork.remove(item)
        case .found(let item, let stage): stages[item] = stage
        case .isLimited(let item, let limits): self.limits[item] = limits
        case .waitsForNetwork(let item, _): waitsForNetwork.insert(item)
        case .attempt(let item, _): waitsForNetwork.remove(item)
        case .fails(let item, _, _, let pause?): retries[item] = now + pause
        default: break
        }
    }

    /// Whether an item may wait for ever: an open persistent session, or a wait for a network.
    var mayTakeForEver: Bool {
        paths.sessions.contains(where: isOpen) || !waitsForNetwork.isEmpty
    }

    /// Whether a persistent session is open, or about to be again after an error.
    private func isOpen(_ session: ItemName) -> Bool {
        switch stages[session] {
        case .running: true
        case .retrying: retries[session].map { $0 >= now } ?? false
        default: false
        }
    }

    /// Whether the item is left to the user; `networkIsBack` means that the phone has all its
    /// interfaces.
    func contains(_ item: ItemName, networkIsBack: Bool) -> Bool {
        let waits = waitsForNetwork.filter { !networkIsBack || hasNoWay($0) }
        if waits.contains(item) { return true }
        let open = paths.sessions.filter(isOpen)
        if open.contains(item) || stages[item] == .paused { return true }
        guard item.facade == .queue, let app = owners[item], stages[item] != .running,
            stages[item] != .retrying
        else { return false }
        // any order: whether there is one
        let isBlocked = stages.contains { other, stage in
            other.facade == .queue && owners[other] == app
                && (stage == .paused || open.contains(other) || waits.contains(other))
        }
        return isBlocked || stopped.contains(app)
    }

    /// Whether the item may use none of its phone's interfaces.
    private func hasNoWay(_ item: ItemName) -> Bool {
        guard let limits = limits[item] else { return false }
        let phone = owners[item].flatMap { phones[$0] } ?? 0
        if limits.contains(.needsCharger), !chargers.contains(phone) { return true }
        return cellularAlone[phone] == true && !limits.isDisjoint(with: [.noCellular, .noMetered])
    }
}
