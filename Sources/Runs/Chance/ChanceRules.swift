import RunLog

/// Rules of an app that answer the ends of its items: what happens to a later item when an earlier
/// one ends. An item never answers its own end, which could go on for ever at one moment.
struct ChanceRules {
    private(set) var lines: [String] = []
    private let app: ChanceApp
    private var dice: ChanceDice
    /// Items that a rule begins: each begins once.
    private(set) var begun: Set<String> = []

    /// Ways for the app to sign in again.
    private let signingIn: [String]

    init(of app: ChanceApp, seed: UInt64, signingIn: [String] = []) {
        self.app = app
        self.signingIn = signingIn
        dice = ChanceDice(seed: seed, name: "rules of \(app.name ?? "the app")")
        guard dice.oneIn(2) else { return }
        for facade in Facade.allCases where dice.oneIn(2) { addRules(of: facade) }
        addLaunches()
    }

    private mutating func addRules(of facade: Facade) {
        let numbers = app.numbers(facade)
        guard let first = numbers.first, let last = numbers.last, first < last else { return }
        for _ in 1...2 {
            let cause = dice.between(first...last - 1)
            let target = dice.between(cause + 1...last)
            let item = "\(facade.rawValue) \(target)"
            guard let deed = deed(of: facade, to: item, number: target) else { continue }
            // A transfer may be suspended often, and a resume fail at once.
            let isOfRests = deed.hasPrefix("suspend") || deed.hasPrefix("terminate")
            let canRest = facade == .bucket && isOfRests
            let end = dice.pick(["completed", "failed"] + (canRest ? ["suspended"] : []))
            add("on \(end) \(facade.rawValue) \(cause): \(deed)")
        }
    }

    private mutating func deed(of facade: Facade, to item: String, number: Int) -> String? {
        switch facade {
        case .queue: deedOfQueue(to: item, number)
        case .operations:
            begin("add", item)
                ?? dice.pick(["cancel \(item)", "retry \(item)", "empty lists of operations"])
        case .background:
            begin("make", item)
                ?? dice.pick([
                    "resume \(item)", "suspend \(item)", "cancel \(item)", "put off \(item)",
                ])
        case .bucket:
            begin("start", item)
                ?? dice.pick(["resume \(item)", "suspend \(item)", "terminate \(item)"])
        }
    }

    private mutating func begin(_ verb: String, _ item: String) -> String? {
        guard dice.oneIn(3), begun.insert(item).inserted else { return nil }
        return "\(verb) \(item)"
    }

    private mutating func deedOfQueue(to item: String, _ number: Int) -> String? {
        let session = app.sessions[number - app.numbers(.queue).lowerBound]
        var deeds = ["run", "cancel", "stop", "pause", "resume", "remove"].map { "\($0) \(item)" }
        deeds += ["move \(item) to index 0"]
        if !session.isEnqueued { deeds += (0...1).map { "insert \(item) at index \($0)" } }
        deeds += ChanceWishes.changes(of: item)
        if let path = session.paths.first { deeds.append("add \(path) to \(item)") }
        if app.name == nil { deeds += ["stop queue", "start queue"] }
        deeds += app.accounts.map { "delete account \($0)" } + signingIn + signingIn
        return dice.pick(deeds)
    }

    /// What an app does at a launch, or when it is woken.
    private mutating func addLaunches() {
        if let task = app.numbers(.background).first {
            if dice.oneIn(4) { add("on woken: resume task \(task)") }
            if dice.oneIn(4) { add("on background fetch: resume task \(task)") }
            if dice.oneIn(4) { add("on tasks lost: resume task \(task)") }
            if dice.oneIn(4) { add("on launch 2: resume task \(task)") }
            let last = app.numbers(.background).upperBound - 1
            if dice.oneIn(4), begun.insert("task \(last)").inserted {
                add("on launch 2: make task \(last) unless it is listed")
            }
        }
        if let operation = app.numbers(.operations).first, dice.oneIn(4) {
            add("on launch 2: retry operation \(operation)")
        }
    }

    private mutating func add(_ line: String) {
        if !lines.contains(line) { lines.append(line) }
    }
}
