import RunLog

/// The timeline of a random scenario: chaos for a while, then a healing, and a user who opens the
/// apps and does what only a user can do.
struct ChanceCourse {
    /// The end of the chaos, in milliseconds.
    private let end: Int
    private var entries: [(at: Int, what: String)] = []
    private var conditional: [String] = []
    private var dice: ChanceDice
    private let apps: [ChanceApp]
    private let world: ChanceWorld
    /// Ways for the first app to sign in again, the right one first.
    private let signingIn: [String]

    /// The time for everything to end after the healing, and how long each app is then in front.
    private static let healingMinutes = 60
    private static let turnMinutes = 11
    private static let visitMinutes = 2

    init(
        seed: UInt64, apps: [ChanceApp], hasTablet: Bool, signingIn: [String],
        _ world: ChanceWorld
    ) {
        self.signingIn = signingIn
        dice = ChanceDice(seed: seed, name: "course")
        self.apps = apps
        self.world = world
        end = dice.pick([2_000, 6_000, 20_000, 60_000, 180_000])
        add(ChanceEvents.ofPhone(world, apps: apps.map(\.name)))
        if hasTablet { add(ChanceEvents.ofTablet) }
        if hasTablet, world.tabletIsAndroid { add(ChanceEvents.ofAndroidTablet) }
        if hasTablet, world.tabletHasWays { add(ChanceEvents.ofTabletWays) }
        add(world.switched.map { ["fault \($0) on", "fault \($0) off"] }, oneIn: 1)
        add(ChanceEvents.ofFiles(apps.flatMap(\.files).map(\.path)), oneIn: 6)
        for app in apps {
            addWishes(of: app)
            addTurns(of: app)
            addFailures(of: app)
        }
        addSeries(seed: seed)
        add(ChanceVisits(seed: seed).names.map { ["visit \($0)"] }, oneIn: 1)
        addSigningIn(seed: seed)
        entries = entries.filter { $0.at < end }
        heal()
    }

    /// The whole timeline, one line for each entry.
    var lines: [String] {
        // After an entry at a random time, the language does not check whether others are possible.
        ["at random between 1 ms and 2 ms: charger connected"]
            + entries.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map { "\($0.element.at) ms: \($0.element.what)" } + conditional
    }

    var limit: String { "\(Self.healingMinutes + 5 + end / 60_000) min" }

    // MARK: Chaos

    /// Returns a random moment: half of them in the first seconds, when most transfers end.
    private mutating func moment() -> Int {
        dice.between(1...(dice.oneIn(2) ? min(end, 3_000) : end - 1))
    }

    private mutating func pause() -> Int { dice.pick([1, 50, 400, 2_000, 7_000, 40_000]) }

    /// Adds some of these kinds; what breaks something is usually followed by what mends it.
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

    /// Adds events at regular or random moments of the chaos, and some that follow others.
    private mutating func addSeries(seed: UInt64) {
        var dice = ChanceDice(seed: seed, name: "series")
        let seconds = max(end / 1_000, 1)
        let times = [
            "about every \(max(seconds / 3, 1)) s from 1 ms to \(end - 1) ms",
            "every \(max(seconds / 4, 1)) s from 1 ms to \(end - 1) ms",
            "twice at random between 1 ms and \(end - 1) ms",
            "twice every 300 ms from 1 ms", "3 times every 200 ms",
            "100 ms after the second app to background, if it comes",
            "100 ms after the third app launched, if it comes",
            "when the second app force-quit, if it comes",
        ]
        let events = [
            "memory pressure", "app woken by the system", "nat forgets", "app to foreground",
            "clock jumps 1 min ahead",
        ]
        for time in dice.swarm(times, oneIn: 12) {
            conditional.append("\(time): \(dice.pick(events))")
        }
        // What goes on after the healing may trouble nobody.
        let lasting = [
            "whenever app launched", "1 s after charger connected", "about every 20 min",
            "every 15 min", "every 15 min from 1 min",
        ]
        for time in dice.swarm(lasting, oneIn: 12) {
            conditional.append("\(time): clock jumps \(dice.between(1...9)) min ahead")
        }
    }

    private mutating func addSigningIn(seed: UInt64) {
        guard !signingIn.isEmpty else { return }
        var dice = ChanceDice(seed: seed, name: "signing in")
        for _ in 0..<dice.pick([0, 1, 3]) {
            entries.append((dice.between(1...end - 1), dice.pick(signingIn)))
        }
    }

    private mutating func condition() -> String? {
        let app = dice.pick(apps)
        var conditions: [String] = []
        for number in app.numbers(.queue) {
            conditions += ["session \(number) at 40 %", "session \(number) retries"]
            conditions += ["session \(number) starts", "session \(number) completes"]
        }
        for number in app.numbers(.operations) { conditions.append("operation \(number) at 60 %") }
        for number in app.numbers(.background) { conditions.append("task \(number) completes") }
        for number in app.numbers(.bucket) {
            conditions += ["transfer \(number) at 40 %", "transfer \(number) comes to rest"]
        }
        return conditions.isEmpty ? nil : "when \(dice.pick(conditions)), if it comes"
    }

    // MARK: The user's wishes

    private mutating func addWishes(of app: ChanceApp) {
        let wishes = ChanceWishes(of: app)
        let kinds = dice.swarm(wishes.all)
        let beginnings: [(Facade, item: String, verb: String)] = [
            (.operations, "operation", "added"), (.background, "task", "made"),
            (.bucket, "transfer", "started"),
        ]
        for (facade, item, verb) in beginnings {
            for number in app.numbers(facade) where dice.oneIn(4) {
                let at = moment()
                guard !app.begun.contains("\(item) \(number)") else { continue }
                entries.append((at, "\(item) \(number) is \(verb)"))
            }
        }
        guard !kinds.isEmpty else { return }
        for _ in 0..<dice.pick([0, 2, 5, 12, 25]) {
            let at = moment()
            let kind = dice.pick(kinds)
            let wish = dice.pick(kind)
            entries.append((at, wish))
            // Sometimes repeats the wish, and sometimes takes it back.
            if dice.oneIn(6) { entries.append((at + pause() / 10, wish)) }
            if dice.oneIn(3) { entries.append((at + pause(), dice.pick(kind))) }
        }
    }

    /// Adds series of user actions, because single wishes seldom meet a session that is paused or
    /// was interrupted for another.
    private mutating func addTurns(of app: ChanceApp) {
        guard app.sessions.count > 1, world.hasLittleTime || dice.oneIn(2) else { return }
        for _ in 1...dice.between(1...3) {
            let (one, other) = two(of: app)
            follow(ChanceTurns(one: one, other: other, app: app.name).steps(&dice), from: moment())
        }
        // The user leaves the app, and does not come back during the chaos.
        guard app.name == nil, world.hasLittleTime, !dice.oneIn(6) else { return }
        entries.removeAll { $0.what.hasSuffix("foreground") || $0.what == "network back" }
        // A persistent session stays open until the background time is over.
        let (open, one) = two(of: app)
        let turns = ChanceTurns(one: one, other: open, app: app.name)
        follow(turns.leaving(&dice), from: dice.between(end / 2...end - 1))
    }

    /// Picks two sessions. The first is more likely to be persistent, because these are rarer.
    private mutating func two(of app: ChanceApp) -> (Int, Int) {
        let numbers = Array(app.numbers(.queue))
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

    /// Adds user actions after the failure of a persistent session, which is rare: the user runs it
    /// again, or leaves the app, whose background time may end while another session is open.
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
            // Early, while the server still makes mistakes.
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
                if app.name == nil, let wish = signingIn.first {
                    entries.append((at + 400, wish))
                }
                if app.name == nil, !app.sessions.isEmpty {
                    entries.append((at + 500, "start queue"))
                }
                for wish in wishes.afterHealing where !dice.oneIn(3) {
                    entries.append((at + 1_000, wish))
                }
                // The user leaves the app for good, and ends its persistent sessions.
                if round == 1, app.name != nil {
                    for wish in wishes.ends { entries.append((at + 120_000, wish)) }
                }
                at += Self.turnMinutes * 60_000
            }
        }
        // Entries that waited for a condition may come only now, and need another visit.
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
