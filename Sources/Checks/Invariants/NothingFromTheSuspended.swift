import RunLog

/// S13: "No byte over a disallowed interface; no output of an engine that is suspended or dead
/// (what the network stack had already taken may still drain)."
struct NothingFromTheSuspended: Invariant {
    private(set) var watch = Watch()
    /// The state of each app's process, by the number of the app, from 1.
    private var states: [UInt16: State] = [:]
    private var hasEvidence = false
    private(set) var evidence = Evidence<Clause>()
    /// The items of apps' own processes that are under way, each with its app.
    private var running: [ItemName: UInt16] = [:]

    private enum State: String { case running, suspended, dead }

    var rule: String { "S13" }
    var statement: String { "an app that is suspended or dead does nothing" }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        let app = event.app ?? 1
        switch event.fact {
        case .device(.appLaunched): states[app] = .running
        case .device(.appEntered(_, let stage, _)):
            states[app] = stage == .suspended ? .suspended : .running
            if stage == .suspended {
                hasEvidence = true
                evidence.decides(.suspended, if: isBusy(app))
            }
        case .device(.appKilled), .device(.appCrashed):
            states[app] = .dead
            hasEvidence = true
            evidence.decides(.dead, if: isBusy(app))
            running = running.filter { $0.value != app }
        case .store(.requested): judge(event, of: app)
        case .engine(let fact):
            if case .moves(let item, _, let to, _) = fact, item.facade != .background {
                running[item] = to == .running || to == .retrying ? app : nil
            }
            if !fact.isOfDaemon { judge(event, of: app) }
        case .connection(.opening(let name, _, _)), .connection(.request(let name, _, _)),
            .connection(.response(let name, _, _)):
            // Launch 0 is the transfer daemon.
            if name.launch != 0 { judge(event, of: app) }
        default:
            if event.fact.facade != nil { judge(event, of: app) }
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "no app was suspended or dead in this run" }

    var clauses: [DecidedClause] { evidence.all }

    // any order: whether there is one
    private func isBusy(_ app: UInt16) -> Bool { running.contains { $0.value == app } }

    private mutating func judge(_ event: RunEvent, of app: UInt16) {
        guard let state = states[app], state != .running else { return }
        watch.fall(
            expected: "nothing from an app that is \(state.rawValue)",
            seen: "\(event.fact.subject): \(event.fact.sentence)")
    }
}

extension EngineFact {
    /// Whether the fact comes from the transfer daemon, which runs without the app (B5).
    fileprivate var isOfDaemon: Bool {
        switch self {
        case .accepts(let item, _, _), .isLimited(let item, _), .moves(let item, _, _, _),
            .found(let item, _), .attempt(let item, _), .waitsForNetwork(let item, _),
            .delays(let item, _), .fails(let item, _, _, _), .isPersistent(let item),
            .goesBy(let item, _), .hasMoved(let item, _, _), .waitsForCredential(let item),
            .fallsBack(let item, _):
            item.facade == .background
        case .inspected(let transfer, _, _), .resumes(let transfer, _, _),
            .startsOver(let transfer, _), .sends(let transfer, _, _, _, _),
            .completes(let transfer), .givesUp(let transfer, _), .isUnproven(let transfer, _),
            .keepsTarget(let transfer, _), .asksForOther(let transfer):
            transfer.facade == .background
        case .token, .credential: false
        }
    }
}

extension NothingFromTheSuspended {
    /// Each is decided by an app that is stopped while one of its own items is under way.
    enum Clause: String, ClauseName {
        case suspended, dead

        var sentence: String {
            switch self {
            case .suspended: "an app that is suspended in the middle of its work does nothing"
            case .dead: "an app that dies in the middle of its work does nothing"
            }
        }
    }
}
