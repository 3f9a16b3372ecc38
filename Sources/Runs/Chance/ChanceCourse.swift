/// What happens in a random scenario: chaos for a while, then a healing, and a user who opens the
/// apps and asks for what only a user can ask for.
struct ChanceCourse {
    /// Of the chaos, in milliseconds.
    private let end: Int
    private var entries: [(at: Int, what: String)] = []
    private var conditional: [String] = []
    private var dice: ChanceDice
    private let apps: [ChanceApp]
    private let world: ChanceWorld

    /// How long all has to come to its end, and how long an app is in front at a time then.
    private static let healingMinutes = 60
    private static let turnMinutes = 11
    private static let visitMinutes = 2

    init(seed: UInt64, apps: [ChanceApp], _ world: ChanceWorld) {
        dice = ChanceDice(seed: seed, name: "course")
        self.apps = apps
        self.world = world
        end = dice.pick([2_000, 6_000, 20_000, 60_000, 180_000])
        add(ChanceEvents.ofPhone(world, apps: apps.map(\.name)))
        add(world.switched.map { ["fault \($0) on", "fault \($0) off"] }, oneIn: 1)
        add(ChanceEvents.ofFiles(apps.flatMap(\.files).map(\.path)), oneIn: 6)
        for app in apps {
            addWishes(of: app)
            addTurns(of: app)
            addFailures(of: app)
        }
        entries = entries.filter { $0.at < end }
        heal()
    }

    /// The whole timeline, each entry as a line.
    var lines: [String] {
        // From an entry on that comes by chance nobody knows what cannot be done: it is left out.
        ["at random between 1 ms and 2 ms: charger connected"]
            + entries.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map { "\($0.element.at) ms: \($0.element.what)" } + conditional
    }

    var limit: String { "\(Self.healingMinutes + 5 + end / 60_000) min" }

    // MARK: Chaos

    /// Much is over within seconds: half of what happens, happens then.
    private mutating func moment() -> Int {
        dice.between(1...(dice.oneIn(2) ? min(end, 3_000) : end - 1))
    }

    private mutating func pause() -> Int { dice.pick([1, 50, 400, 2_000, 7_000, 40_000]) }

    /// Some of these; one that breaks something is followed by what mends it, most times.
    private mutating func add(_ kinds: [[String]], oneIn times: UInt64 = 5) {
        for kind in dice.swarm(kinds, oneIn: times) {
            for _ in 1...dice.between(1...3) {
                var at = moment()
                if dice.oneIn(10), let condition = condition() {
                    conditional.append("\(condition): \(kind[0])")
                    at += 1
                } else {
                    entries.append((at, kind[0]))
                }
                for what in kind.dropFirst() where !dice.oneIn(4) {
                    at += pause()
                    if at < end { entries.append((at, what)) }
                }
            }
        }
    }

    private mutating func condition() -> String? {
        let app = dice.pick(apps)
        var conditions: [String] = []
        for number in app.sessionNumbers {
            conditions += ["session \(number) at 40 %", "session \(number) retries"]
            conditions += ["session \(number) starts", "session \(number) completes"]
        }
        for number in app.operationNumbers { conditions.append("operation \(number) at 60 %") }
        for number in app.taskNumbers { conditions.append("task \(number) completes") }
        for number in app.transferNumbers {
            conditions += ["transfer \(number) at 40 %", "transfer \(number) comes to rest"]
        }
        return conditions.isEmpty ? nil : "when \(dice.pick(conditions)), if it comes"
    }

    // MARK: What the apps are asked for

    private mutating func addWishes(of app: ChanceApp) {
        let wishes = ChanceWishes(of: app)
        let kinds = dice.swarm(wishes.all)
        for number in app.operationNumbers where dice.oneIn(4) {
            entries.append((moment(), "operation \(number) is added"))
        }
        for number in app.taskNumbers where dice.oneIn(4) {
            entries.append((moment(), "task \(number) is made"))
        }
        for number in app.transferNumbers where dice.oneIn(4) {
            entries.append((moment(), "transfer \(number) is started"))
        }
        guard !kinds.isEmpty else { return }
        for _ in 0..<dice.pick([0, 2, 5, 12, 25]) {
            let at = moment()
            let kind = dice.pick(kinds)
            let wish = dice.pick(kind)
            entries.append((at, wish))
            // Twice, and what takes it back.
            if dice.oneIn(6) { entries.append((at + pause() / 10, wish)) }
            if dice.oneIn(3) { entries.append((at + pause(), dice.pick(kind))) }
        }
    }

    /// What a user does one after the other: single wishes seldom meet a session that was
    /// interrupted for another, or a paused one.
    private mutating func addTurns(of app: ChanceApp) {
        guard app.sessions.count > 1, world.hasLittleTime || dice.oneIn(2) else { return }
        for _ in 1...dice.between(1...3) {
            let (one, other) = two(of: app)
            follow(ChanceTurns(of: one, and: other, in: app.name).steps(&dice), from: moment())
        }
        // Nobody comes back to it for as long as the chaos lasts, after much has gone wrong.
        guard app.name == nil, world.hasLittleTime, !dice.oneIn(6) else { return }
        entries.removeAll { $0.what.hasSuffix("foreground") || $0.what == "network back" }
        // A persistent session is not done before the time is up.
        let (open, one) = two(of: app)
        let turns = ChanceTurns(of: one, and: open, in: app.name)
        follow(turns.leaving(&dice), from: dice.between(end / 2...end - 1))
    }

    /// Persistent sessions are fewer, and more likely to be the first.
    private mutating func two(of app: ChanceApp) -> (Int, Int) {
        let numbers = Array(app.sessionNumbers)
        let persistent = app.persistentNumbers
        let one = dice.pick(dice.oneIn(2) && !persistent.isEmpty ? persistent : numbers)
        return (one, dice.pick(numbers.filter { $0 != one }))
    }

    private mutating func follow(_ steps: [String], from start: Int) {
        var at = start
        for step in steps {
            entries.append((at, step))
            at += dice.pick([1, 30, 200, 900])
        }
    }

    /// A persistent session fails seldom, and soon its user runs it again, or leaves: where there
    /// is little time in the background, that ends before another that is open.
    private mutating func addFailures(of app: ChanceApp) {
        guard app.name == nil else { return }
        let persistent = app.persistentNumbers
        for number in persistent where !dice.oneIn(4) {
            let verb = dice.pick(["cancel", "stop", "pause", "resume", "remove"])
            let fails = "when session \(number) fails, if it comes: "
            guard world.hasLittleTime, !dice.oneIn(4) else {
                conditional.append("\(fails)\(verb) session \(number)")
                continue
            }
            // Soon, while servers still make mistakes.
            entries.append((dice.between(1...end / 2), "run session \(number)"))
            let others = persistent.filter { $0 != number }
            if !others.isEmpty { conditional.append("\(fails)run session \(dice.pick(others))") }
            conditional.append("\(fails)app to background")
        }
    }

    // MARK: Healing

    private mutating func heal() {
        entries.append((end, "healing within \(Self.healingMinutes) min"))
        var at = end + 35_000
        entries.append((at, "charger connected"))
        entries.append((at, "low-power mode off"))
        for round in 0..<2 {
            for app in apps.reversed() {
                let name = app.name.map { " \($0)" } ?? ""
                entries.append((at, "app\(name) to foreground"))
                let wishes = ChanceWishes(of: app)
                if app.name == nil, !app.sessions.isEmpty {
                    entries.append((at + 500, "start queue"))
                }
                for wish in wishes.afterHealing where !dice.oneIn(3) {
                    entries.append((at + 1_000, wish))
                }
                // Who leaves an app ends what would go on in it for ever.
                if round == 1, app.name != nil {
                    for wish in wishes.ends { entries.append((at + 120_000, wish)) }
                }
                at += Self.turnMinutes * 60_000
            }
        }
        // What waited for a condition may have come only now, and left an app behind.
        for _ in 0..<3 {
            for app in apps.reversed() {
                entries.append((at, "app\(app.name.map { " \($0)" } ?? "") to foreground"))
                let ends = app.name == nil ? [] : ChanceWishes(of: app).ends
                entries += ends.map { (at + 60_000, $0) }
                at += Self.visitMinutes * 60_000
            }
        }
    }
}
