import RunLog

/// A check that judges each app of a run separately. With one app, it is simply the check of that
/// app.
struct PerApp<Single: Check>: Check {
    private var first: Single
    /// The checks of the other apps, in order.
    private var others: [Single] = []
    /// The apps on other phones than the first.
    private var elsewhere: Set<UInt16> = []
    private var names = RunNames()
    /// Whether there are other apps. Asking the list of existentials would cost more than most
    /// checks need for an event.
    private var hasOthers = false

    init(_ check: Single) { first = check }

    var rule: String { first.rule }
    var statement: String { first.statement }
    var subject: RuleSubject? { first.subject }

    mutating func read(_ event: RunEvent) {
        if case .run(.began(let beginning)) = event.fact, let apps = beginning.apps {
            names = beginning.names ?? RunNames()
            others = Array(repeating: first, count: apps - 1)
            hasOthers = apps > 1
        }
        guard hasOthers else { return first.read(event) }
        // Only advances the event number.
        let nothing = RunEvent(at: event.at, .packets(PacketMark(packets: 0, digest: 0)))
        if case .network(.path(let terms, .some)) = event.fact {
            elsewhere.formUnion(terms.apps ?? [])
        }
        first.read(concerns(1, event) ? event : nothing)
        for place in others.indices {
            others[place].read(concerns(UInt16(place + 2), event) ? event : nothing)
        }
    }

    private func concerns(_ app: UInt16, _ event: RunEvent) -> Bool {
        if case .network(.path(let terms, let device)) = event.fact {
            return terms.apps?.contains(app) ?? (device != nil || !elsewhere.contains(app))
        }
        return !event.fact.concernsOneApp || event.app ?? 1 == app
    }

    /// What concerns all apps counts for each of them.
    var clauses: [DecidedClause] {
        others.reduce(first.clauses) { $0.adding($1.clauses) }
    }

    func verdict() -> Verdict.Answer {
        guard hasOthers else { return first.verdict() }
        let answers = ([first] + others).enumerated().map { place, check -> Verdict.Answer in
            let answer = check.verdict()
            guard case .broken(var breach) = answer,
                let app = names.app(RunNames.number(ofPlace: place))
            else { return answer }
            breach.seen = "\(app): \(breach.seen)"
            return .broken(breach)
        }
        return answers.together
    }
}
