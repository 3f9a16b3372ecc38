import RunLog

/// S7 for all stores, of apps and of the phones' daemons.
struct EveryStoreSurvives: Check {
    private var apps = PerApp(StoreSurvivesCrash())
    /// The checks of the daemons' stores, by phone, counted from 1.
    private var daemons: [(phone: UInt16, check: StoreSurvivesCrash)] = []
    /// A fresh check at the current position of the log.
    private var unused = StoreSurvivesCrash()

    var rule: String { apps.rule }
    var statement: String { apps.statement }

    mutating func read(_ event: RunEvent) {
        apps.read(event)
        // Only advances the event number.
        let nothing = RunEvent(at: event.at, .packets(PacketMark(packets: 0, digest: 0)))
        let own =
            switch event.fact {
            case .daemon(.store(let fact, _)): RunEvent(at: event.at, .store(fact))
            case .daemon(.bitsFlipped(let count, _)):
                RunEvent(at: event.at, .device(.bitsFlipped(count: count)))
            case .run(.ended), .device(.power), .device(.disk): event
            default: nothing
            }
        let phone: UInt16? =
            switch event.fact {
            case .daemon(let fact): fact.device ?? 1
            case .device(.power(_, let device)), .device(.disk(_, let device)): device ?? 1
            default: nil
            }
        if let phone, !daemons.contains(where: { $0.phone == phone }) {
            daemons.append((phone, unused))
        }
        unused.read(phone == nil ? own : nothing)
        for place in daemons.indices {
            let isConcerned = phone == nil || phone == daemons[place].phone
            daemons[place].check.read(isConcerned ? own : nothing)
            // L1 judges whether the apps hear of lost tasks.
            daemons[place].check.needsNoTelling()
        }
    }

    /// The clauses of the apps' stores, then those of the daemons' stores. L1 judges
    /// whether apps hear of a daemon's damaged store.
    var clauses: [DecidedClause] {
        let ofDaemons = daemons.reduce(unused.clauses) { $0.adding($1.check.clauses) }
        return apps.clauses
            + ofDaemons.compactMap { clause in
                guard clause.name != StoreSurvivesCrash.Clause.told.rawValue else { return nil }
                var own = clause
                own.name = "daemon's \(clause.name)"
                own.sentence = "daemon: \(clause.sentence)"
                return own
            }
    }

    func verdict() -> Verdict.Answer {
        ([apps.verdict()] + daemons.map { $0.check.verdict() }).together
    }
}
