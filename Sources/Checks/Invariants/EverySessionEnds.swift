import Quantities
package import RunLog

/// L1: "Every accepted transfer reaches a terminal or a user-actionable state, and says so."
///
/// The user can act on the terminal states, on a task that is suspended, and on all that is left to
/// him (`LeftToTheUser`). Of the paths of persistent sessions each arrives or is given up.
package struct EverySessionEnds: Check {
    private var watch = Watch()
    /// How many the app was to add, if the log says so.
    private var planned = 0
    /// In order of acceptance, so that the first that hangs is the one that is named.
    private var accepted: [ItemName] = []
    private var owners: [ItemName: UInt16] = [:]
    /// Gone with all that their app kept: nobody owes them anything any more.
    private var cleared = 0
    private var stages: [ItemName: ItemStage] = [:]
    private var user = LeftToTheUser()
    /// After a healing all has to be over by then, and not only by the run's end.
    private var healing: (name: String, deadline: Instant)?
    /// Those that do not run are told when they do.
    private var running: Set<UInt16> = []
    /// Ended, and the app that is alive has not heard of it.
    private var untold: Set<ItemName> = []
    private var active: Set<ItemName> = []
    /// The apps of which the system has lost tasks, and that have not heard of it.
    private var bereaved: Set<UInt16> = []
    /// What is wrong with the phones' disks, and whether the room on one is limited.
    private var diskTroubles = DiskTroubles()
    private var isRoomLimited = false
    private var paths = PersistentPaths()
    /// The disk did not take them, and the queue said so: the app knows that it has to ask again.
    private var refusedByDisk = 0

    package init() {}

    package var rule: String { "L1" }
    package var statement: String {
        "every planned session is accepted unless the disk has no room for it, has completed, "
            + "failed, is open for paths or waits for a network by the run's end, and the app is "
            + "told; no path is left under way"
    }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        paths.read(event)
        user.read(event)
        if let healing, event.at > healing.deadline {
            self.healing = nil
            judge(
                networkIsBack: true,
                when: "\(healing.name) was to bring all to its end by \(healing.deadline)")
        }
        switch event.fact {
        case .run(.healing(let name, let deadline)): healing = (name, deadline)
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
        case .engine(.found(let session, let stage)): stages[session] = stage
        case .queue(.callback(let session, .willActivate)): active.insert(session)
        case .queue(.callback(let session, .didDeactivate)):
            active.remove(session)
            untold.remove(session)
        // Of one that was not active its row alone tells that it is cancelled.
        case .queue(.callback(let session, .row(.updated))):
            if !active.contains(session) { untold.remove(session) }
        case .queue(.callback(let session, .row(.removed))): leave(session)
        case .operations(.callback(let operation, .completed)),
            .operations(.callback(let operation, .failed)):
            untold.remove(operation)
        case .entries(.callback(let transfer, .completed)),
            .entries(.callback(let transfer, .ended)):
            untold.remove(transfer)
        case .background(.callback(let task, .didComplete)): untold.remove(task)
        case .daemon(.store(.setAside(_, _, _, let lost), _)): lose(lost)
        case .background(.tasksWereLost): bereaved.remove(event.app ?? 1)
        case .device(.appLaunched): running.insert(event.app ?? 1)
        // What the dead app did not hear, the next one sees in its queue (S7).
        case .device(.appKilled):
            running.remove(event.app ?? 1)
            active = active.filter { !dies($0, with: event.app) }
            untold = untold.filter { !dies($0, with: event.app) }
            // Operations end with their process (U7).
            accepted = accepted.filter { $0.facade != .operations || !dies($0, with: event.app) }
            suspend(of: event.app)
        case .device(.appDataCleared): keep([], tasks: false, of: event.app)
        // Lost, and the app is told so (S7): it is for the app to ask again. Of tasks it knows
        // nothing: they are the daemon's.
        case .store(.setAside(_, _, let kept, _)): keep(Set(kept), tasks: true, of: event.app)
        case .run(.ended(let ending)):
            judge(networkIsBack: false, when: "the run ends: \(ending.sentence)")
        default: break
        }
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(
            notApplicableBecause: accepted.isEmpty && planned == 0
                ? "no session was accepted" : watch.missingEnd)
    }

    /// All other sessions of the app are gone with what it had stored.
    private mutating func keep(_ sessions: Set<ItemName>, tasks: Bool, of app: UInt16?) {
        let left = accepted.filter {
            owners[$0] != app ?? 1 || sessions.contains($0)
                || tasks && $0.facade != .queue && $0.facade != .bucket
        }
        cleared += accepted.count { $0.facade == .queue }
        cleared -= left.count { $0.facade == .queue }
        accepted = left
    }

    /// Gone with the daemon's store: it is for their apps to make them again.
    private mutating func lose(_ tasks: [ItemName]) {
        for task in tasks {
            accepted.removeAll { $0 == task }
            if let owner = owners[task] { bereaved.insert(owner) }
        }
    }

    /// Deleted by the app: nobody owes it anything any more.
    private mutating func leave(_ session: ItemName) {
        accepted.removeAll { $0 == session }
        stages[session] = nil
        cleared += 1
    }

    /// Whoever opens the app again finds its resumable transfers so (K4).
    private mutating func suspend(of app: UInt16?) {
        for transfer in accepted where transfer.facade == .bucket && owners[transfer] == app ?? 1 {
            if stages[transfer]?.isTerminal == false { stages[transfer] = .suspended }
        }
    }

    /// What the system does for an app goes on without it.
    private func dies(_ item: ItemName, with app: UInt16?) -> Bool {
        owners[item] == app ?? 1 && item.facade != .background
    }

    /// After a healing nobody is spared for want of a network that his phone has.
    private mutating func judge(networkIsBack: Bool, when moment: String) {
        let count = accepted.count { $0.facade == .queue } + cleared + refusedByDisk
        if count < planned {
            watch.fall(
                expected: "sessions accepted: \(planned), as planned",
                seen: "sessions accepted: \(count), when \(moment)")
        }
        if let app = bereaved.intersection(running).min() {
            watch.fall(
                expected: "an app of whose tasks some are lost hears so",
                seen: "app \(app) has not when \(moment)")
        }
        if let path = paths.hanging {
            watch.fall(
                expected: "\(path) has arrived, or is given up",
                seen: "it is still under way when \(moment)")
        }
        for session in accepted
        where !user.contains(session, networkIsBack: networkIsBack) {
            let stage = stages[session] ?? .waiting
            // The user sees it, and can resume it.
            if stage == .suspended { continue }
            guard stage.isTerminal else {
                watch.fall(
                    expected: "\(session) has completed or failed",
                    seen: "\(session) is \(stage.rawValue) when \(moment)")
                continue
            }
            // The system keeps what a task's app has to hear, until there is one (B7).
            let waits = session.facade == .background && !running.contains(owners[session] ?? 1)
            guard untold.contains(session), !waits else { continue }
            watch.fall(
                expected: "the app is told that \(session) has \(stage.rawValue)",
                seen: "no callback says so when \(moment)")
        }
    }
}
