import Quantities
import RunLog

/// L1: "Every accepted transfer reaches a terminal or a user-actionable state, and says so."
/// The user can act on terminal states, on a suspended task, and on everything in `LeftToTheUser`.
/// Each path of a persistent session arrives or is given up.
struct EverySessionEnds: Invariant {
    private(set) var watch = Watch()
    /// The number of sessions that the app should add, if the log says so.
    private var planned = 0
    /// Accepted items in order, so that the first unfinished item is named.
    private var accepted: [ItemName] = []
    private var owners: [ItemName: UInt16] = [:]
    /// The number of items that are gone with their app's data.
    private var cleared = 0
    private var stages: [ItemName: ItemStage] = [:]
    private var user = LeftToTheUser()
    /// The healing and its deadline, by which every item must end.
    private var healing: (name: String, deadline: Instant)?
    /// Running apps; an app that is not running is told at its next launch.
    private var running: Set<UInt16> = []
    /// Items whose end a living app has not been told.
    private var untold: Set<ItemName> = []
    private var active: Set<ItemName> = []
    /// The apps that have not yet heard that the system has lost their tasks.
    private var bereaved: Set<UInt16> = []
    /// The phones' disk faults, and whether a disk is limited.
    private var diskTroubles = DiskTroubles()
    private var isRoomLimited = false
    private var paths = PersistentPaths()
    /// The number of sessions refused for lack of disk space; the app knows of the refusals.
    private var refusedByDisk = 0
    private(set) var evidence = Evidence<Clause>()
    /// Items that have met an error or a death of their process on their way.
    private var troubled: Set<ItemName> = []

    var rule: String { "L1" }
    var statement: String {
        "every planned session is accepted unless the disk is full, and by the run's end it has "
            + "completed, has failed, is open for paths or waits for a network, and the app is "
            + "told; no path is left unfinished"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        paths.read(event)
        user.read(event)
        if let healing, event.at > healing.deadline {
            self.healing = nil
            judge(
                networkIsBack: true,
                when: "\(healing.name) should have ended everything by \(healing.deadline)")
        }
        switch event.fact {
        case .run(.healing(let name, let deadline)): healing = (name, deadline)
        case .engine(.fails(let item, _, _, _)): troubled.insert(item)
        case .queue(.pathAdded): evidence.decides(.paths)
        case .run(.began(let beginning)): planned = beginning.sessions
        case .engine(.accepts(let session, _, _)):
            guard stages[session] == nil else { return }
            accepted.append(session)
            owners[session] = event.app ?? 1
            stages[session] = session.facade == .background ? .suspended : .waiting
        case .queue(.refused):
            if isRoomLimited || !diskTroubles.isEmpty { refusedByDisk += 1 }
        case .device(.diskStands): isRoomLimited = true
        case .device(.disk(let step, let device)): diskTroubles.read(step, of: device)
        case .engine(.moves(let session, _, let to, _)):
            stages[session] = to
            if to.isTerminal { untold.insert(session) } else { untold.remove(session) }
            evidence.decides(.toldOfFailure, if: to == .failed || to == .cancelled)
            let isAsleep = !running.contains(event.app ?? 1)
            evidence.decides(.toldLater, if: to.isTerminal && isAsleep)
        case .engine(.found(let session, let stage)): stages[session] = stage
        case .queue(.callback(let session, .willActivate)): active.insert(session)
        case .queue(.callback(let session, .didDeactivate)):
            active.remove(session)
            untold.remove(session)
        // If an inactive session is cancelled, only its row tells the app.
        case .queue(.callback(let session, .row(.updated))):
            if !active.contains(session) { untold.remove(session) }
        case .queue(.callback(let session, .row(.removed))): leave(session)
        case .daemon(.store(.setAside(_, _, _, let lost), _)): lose(lost)
        case .background(.tasksWereLost): bereaved.remove(event.app ?? 1)
        case .device(.appLaunched): running.insert(event.app ?? 1)
        // The next launch finds in its queue the ends that the dead process was not told (S7).
        case .device(.appKilled):
            running.remove(event.app ?? 1)
            troubled.formUnion(
                accepted.filter { dies($0, with: event.app) && stages[$0]?.isTerminal == false })
            active = active.filter { !dies($0, with: event.app) }
            untold = untold.filter { !dies($0, with: event.app) }
            // Operations end with their process (U7).
            accepted = accepted.filter { $0.facade != .operations || !dies($0, with: event.app) }
            suspend(of: event.app)
        case .device(.appDataCleared): keep([], tasks: false, of: event.app)
        // The app is told of lost sessions (S7) and may ask again. Tasks belong to the daemon's
        // store.
        case .store(.setAside(_, _, let kept, _)): keep(Set(kept), tasks: true, of: event.app)
        case .run(.ended(let ending)):
            // The run is over before the healing's time is up.
            evidence.decides(.healing, times: healing == nil ? 0 : accepted.count)
            judge(networkIsBack: false, when: "the run ends: \(ending.sentence)")
        default:
            if let item = event.fact.itemToldToEnd { untold.remove(item) }
        }
    }

    var reasonNotToJudge: String? {
        accepted.isEmpty && planned == 0 ? "no session was accepted" : watch.missingEnd
    }

    var clauses: [DecidedClause] { evidence.all }

    /// Drops all other sessions of the app, which are lost with its store.
    private mutating func keep(_ sessions: Set<ItemName>, tasks: Bool, of app: UInt16?) {
        let left = accepted.filter {
            owners[$0] != app ?? 1 || sessions.contains($0)
                || tasks && $0.facade != .queue && $0.facade != .bucket
        }
        cleared += accepted.count { $0.facade == .queue }
        cleared -= left.count { $0.facade == .queue }
        accepted = left
    }

    /// Drops tasks lost with the daemon's store; their apps may make them again.
    private mutating func lose(_ tasks: [ItemName]) {
        for task in tasks {
            accepted.removeAll { $0 == task }
            if let owner = owners[task] { bereaved.insert(owner) }
            evidence.decides(.lostTasks)
        }
    }

    /// Drops a session that the app has deleted.
    private mutating func leave(_ session: ItemName) {
        accepted.removeAll { $0 == session }
        stages[session] = nil
        cleared += 1
    }

    /// Suspends the app's resumable transfers, as its next launch finds them (K4).
    private mutating func suspend(of app: UInt16?) {
        for transfer in accepted where transfer.facade == .bucket && owners[transfer] == app ?? 1 {
            if stages[transfer]?.isTerminal == false { stages[transfer] = .suspended }
        }
    }

    /// Whether the item dies with the app; the system's tasks do not.
    private func dies(_ item: ItemName, with app: UInt16?) -> Bool {
        owners[item] == app ?? 1 && item.facade != .background
    }

    /// Judges all items. After a healing, waiting for a network is no excuse if the phone has that
    /// network.
    private mutating func judge(networkIsBack: Bool, when moment: String) {
        let count = accepted.count { $0.facade == .queue } + cleared + refusedByDisk
        evidence.decides(.planned, times: planned)
        evidence.decides(.ends, times: accepted.count(where: troubled.contains))
        evidence.decides(.healing, times: networkIsBack ? accepted.count : 0)
        if count < planned {
            watch.fall(
                expected: "sessions accepted: \(planned), as planned",
                seen: "sessions accepted: \(count), when \(moment)")
        }
        if let app = bereaved.intersection(running).min() {
            watch.fall(
                expected: "an app whose tasks are lost is told",
                seen: "app \(app) has not been told when \(moment)")
        }
        if let path = paths.hanging {
            watch.fall(
                expected: "\(path) has arrived or is given up",
                seen: "it is still under way when \(moment)")
        }
        for session in accepted
        where !user.contains(session, networkIsBack: networkIsBack) {
            let stage = stages[session] ?? .waiting
            // The user sees a suspended item and can resume it.
            if stage == .suspended { continue }
            guard stage.isTerminal else {
                watch.fall(
                    expected: "\(session) has completed or failed",
                    seen: "\(session) is \(stage.rawValue) when \(moment)")
                continue
            }
            // The system keeps a task's events until its app runs (B7).
            let waits = session.facade == .background && !running.contains(owners[session] ?? 1)
            guard untold.contains(session), !waits else { continue }
            watch.fall(
                expected: "the app is told that \(session) has \(stage.rawValue)",
                seen: "no callback says so when \(moment)")
        }
    }
}

extension EverySessionEnds {
    enum Clause: String, ClauseName {
        /// Decided by each planned session: it could be lost on its way into the queue.
        case planned = "planned is accepted"
        /// Decided by each item that has met an error or a death of its process: it could be
        /// forgotten.
        case ends
        /// Decided by each item when a healing's time is up: waiting is no excuse any more.
        case healing = "ends after a healing"
        /// Decided by each item that fails or is cancelled.
        case toldOfFailure = "told of a failure"
        /// Decided by each item that ends while its app does not run.
        case toldLater = "told at the next launch"
        /// Decided by each task that a daemon's damaged store has lost.
        case lostTasks = "told of lost tasks"
        /// Decided by each path of a persistent session.
        case paths = "paths end"

        var sentence: String {
            switch self {
            case .planned: "every planned session is accepted"
            case .ends: "an item that has met an error comes to an end all the same"
            case .healing: "after a healing every item ends in time"
            case .toldOfFailure: "the app is told that an item has failed or is cancelled"
            case .toldLater: "an app that does not run is told of an end at its next launch"
            case .lostTasks: "the app is told that the system has lost its tasks"
            case .paths: "each path of a persistent session arrives or is given up"
            }
        }
    }
}
