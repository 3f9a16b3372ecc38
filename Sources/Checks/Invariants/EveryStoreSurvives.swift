package import RunLog

/// S7 for all stores: those of the apps and of the phones' daemons.
package struct EveryStoreSurvives: Check {
    private var apps = PerApp(StoreSurvivesCrash())
    /// The checks of the daemons' stores, by phone, counted from 1.
    private var daemons: [(device: UInt16, check: StoreSurvivesCrash)] = []
    /// A fresh check at the current position of the log.
    private var unused = StoreSurvivesCrash()

    package init() {}

    package var rule: String { apps.rule }
    package var statement: String { apps.statement }

    package mutating func read(_ event: RunEvent) {
        apps.read(event)
        // Only advances the event number.
        let nothing = RunEvent(at: event.at, .packets(PacketMark(packets: 0, digest: 0)))
        guard case .daemon(let fact) = event.fact else {
            let end = if case .run(.ended) = event.fact { event } else { nothing }
            unused.read(end)
            for place in daemons.indices { daemons[place].check.read(end) }
            return
        }
        let device = fact.device ?? 1
        if !daemons.contains(where: { $0.device == device }) {
            daemons.append((device, unused))
        }
        unused.read(nothing)
        for place in daemons.indices {
            guard daemons[place].device == device else {
                daemons[place].check.read(nothing)
                continue
            }
            switch fact {
            case .store(let fact, _):
                daemons[place].check.read(RunEvent(at: event.at, .store(fact)))
            case .bitsFlipped(let count, _):
                let flipped = DeviceFact.bitsFlipped(count: count)
                daemons[place].check.read(RunEvent(at: event.at, .device(flipped)))
            }
            // L1 judges whether the apps hear of lost tasks.
            daemons[place].check.needsNoTelling()
        }
    }

    package func verdict() -> Verdict.Answer {
        let answers = [apps.verdict()] + daemons.map { $0.check.verdict() }
        let breaches = answers.compactMap { answer in
            if case .broken(let breach) = answer { breach } else { nil }
        }
        if let earliest = breaches.min(by: { $0.event < $1.event }) { return .broken(earliest) }
        return answers.contains(.held) ? .held : answers[0]
    }
}
