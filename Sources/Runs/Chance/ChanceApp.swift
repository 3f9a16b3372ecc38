import RunLog

/// An app of a random scenario: its files, and its items of each façade.
struct ChanceApp {
    /// `nil`: the first app, which needs no name.
    let name: String?
    private(set) var files: [(path: String, size: String)] = []
    /// The names of the accounts of its sessions.
    private(set) var accounts: [String] = []
    private(set) var sessions: [Session] = []
    private(set) var operations: [String] = []
    private(set) var tasks: [Task] = []
    /// The settings of its background sessions, by identifier.
    private(set) var backgroundSessions: [String] = []
    private(set) var transfers: [String] = []
    private(set) var rules: [String] = []
    /// Items that a rule begins.
    private(set) var begun: Set<String> = []
    /// The number of its first item of each façade, as the file counts them.
    private let firstNumbers: [Facade: Int]

    struct Session {
        var text: String
        /// The files that can be added to a persistent session.
        var paths: [String] = []
        /// Whether the app enqueues the session at the first launch.
        var isEnqueued = true
    }

    struct Task {
        var text: String
        var isDownload: Bool
        /// Whether the download asks for all of an object.
        var isWhole = true
    }

    /// Sizes around the chunks of resumable transfers, which have 512 KiB.
    private static let sizes = [
        "0 B", "1 B", "900 B", "20 kB", "20 kB", "150 kB", "150 kB", "400 kB", "400 kB", "700 kB",
        "700 kB", "1300 kB",
    ]

    /// Items are counted on from those of the `earlier` app.
    init(
        _ name: String?, with facades: [ChanceFacade], after earlier: ChanceApp? = nil,
        _ dice: inout ChanceDice
    ) {
        self.name = name
        firstNumbers = Dictionary(
            uniqueKeysWithValues: Facade.allCases.map { ($0, earlier?.numbers($0).upperBound ?? 1) }
        )
        let letter = name.map { "\($0)-" } ?? "a"
        for file in 1...dice.between(1...4) {
            files.append(("\(letter)\(file).bin", dice.pick(Self.sizes)))
        }
        for facade in facades {
            switch facade {
            case .queue: for _ in 1...dice.between(1...4) { addSession(&dice) }
            case .persistent: for _ in 1...dice.between(1...2) { addPersistent(&dice) }
            case .operations: for _ in 1...dice.between(1...4) { addOperation(&dice) }
            case .background:
                for _ in 1...dice.between(1...4) { addTask(&dice) }
                addBackgroundSessions(&dice)
            case .resumable: for _ in 1...dice.between(1...4) { addTransfer(&dice) }
            }
        }
        if dice.oneIn(4) { keepSessions(&dice) }
        addRules(&dice)
    }

    mutating func add(_ more: ChanceRules) {
        rules += more.lines.filter { !rules.contains($0) }
        begun = more.begun
    }

    /// Returns the numbers of its items, as the file counts them.
    func numbers(_ facade: Facade) -> Range<Int> {
        let first = firstNumbers[facade] ?? 1
        let count =
            switch facade {
            case .queue: sessions.count
            case .operations: operations.count
            case .background: tasks.count
            case .bucket: transfers.count
            }
        return first..<first + count
    }

    var persistentNumbers: [Int] {
        zip(numbers(.queue), sessions).filter { !$1.paths.isEmpty }.map(\.0)
    }

    private func nextNumber(_ facade: Facade) -> Int { numbers(facade).upperBound }

    // MARK: Its transfers

    /// Picks one of a few objects, so that transfers collide, and downloads find uploaded objects.
    private func object(_ dice: inout ChanceDice) -> String { "in/\(dice.between(1...6)).bin" }

    private mutating func addSession(_ dice: inout ChanceDice) {
        let network =
            dice.oneIn(5)
            ? ", network: \(dice.pick(["wifi only", "unmetered only", "not in low data mode"]))"
            : ""
        let work = dice.oneIn(5) ? workOnSeveral(&dice) : workOnOne(&dice)
        sessions.append(Session(text: "{ \(work)\(network)\(Self.settings(&dice)) }"))
    }

    private func workOnOne(_ dice: inout ChanceDice) -> String {
        dice.oneIn(4)
            ? "download: \(object(&dice)), to: films/\(nextNumber(.queue)).bin"
            : "upload: \(dice.pick(files).path), to: \(object(&dice))"
    }

    /// A session of several files, or of several objects.
    private func workOnSeveral(_ dice: inout ChanceDice) -> String {
        guard dice.oneIn(3) else {
            let paths = dice.swarm(files).map(\.path)
            let chosen = paths.isEmpty ? [files[0].path] : paths
            let pairs = chosen.map { "\($0): \(object(&dice))" }
            return "uploads: { \(pairs.joined(separator: ", ")) }"
        }
        let objects = Set([object(&dice), object(&dice)]).sorted()
        let pairs = objects.enumerated().map {
            "\($1): films/\(nextNumber(.queue))-\($0).bin"
        }
        return "downloads: { \(pairs.joined(separator: ", ")) }"
    }

    /// Returns settings that differ from the defaults (A15).
    private static func settings(_ dice: inout ChanceDice) -> String {
        let overwrite =
            dice.oneIn(3)
            ? ", overwrite: \(dice.pick(["never", "always", "older", "diff+older"]))" : ""
        let resume =
            dice.oneIn(3)
            ? ", resume: \(dice.pick(["none", "attributes", "full checksum", "sparse checksum"]))"
            : ""
        let rate =
            dice.oneIn(8)
            ? ", rate: { policy: \(dice.pick(["fair", "fixed", "high", "low"])), "
                + "target: 2 Mbit/s, minimum: 1 Mbit/s }" : ""
        let transport =
            dice.oneIn(5) ? ", transport: \(dice.pick(["paced", "paced or http", "http"]))" : ""
        return overwrite + resume + rate + transport
    }

    private mutating func addPersistent(_ dice: inout ChanceDice) {
        let number = nextNumber(.queue)
        guard !dice.oneIn(3) else {
            let objects = Set((1...3).map { _ in object(&dice) }).sorted()
            let pairs = objects.enumerated().map { "\($1): films/\(number)-\($0).bin" }
            let text = "{ persistent-downloads: { \(pairs.joined(separator: ", ")) } }"
            return sessions.append(Session(text: text, paths: objects))
        }
        let paths = dice.swarm(files).map(\.path)
        let chosen = paths.isEmpty ? [files[0].path] : paths
        let pairs = chosen.map { "\($0): kept/\(number - 1)/\($0)" }
        let text = "{ persistent: { \(pairs.joined(separator: ", ")) } }"
        sessions.append(Session(text: text, paths: chosen))
    }

    /// Adds accounts, and makes some sessions saved only, or not even saved (A9).
    private mutating func keepSessions(_ dice: inout ChanceDice) {
        for index in sessions.indices {
            var more = ""
            let mayLackFiles = sessions[index].paths.isEmpty && dice.oneIn(6)
            if dice.oneIn(3) {
                let account = dice.pick(["studio", "archive"])
                if !accounts.contains(account) { accounts.append(account) }
                more += ", account: \(account)"
            }
            // Only the last session can be unsaved.
            if index == sessions.indices.last, dice.oneIn(2) {
                sessions[index].isEnqueued = false
                more += ", saved: no"
            } else if dice.oneIn(5) {
                sessions[index].isEnqueued = false
                more += ", enqueued: no"
            }
            // The app may enqueue it nevertheless: the queue refuses it then.
            let lacksFiles = mayLackFiles && !sessions[index].isEnqueued
            let text = lacksFiles ? "{ uploads: none }" : sessions[index].text
            sessions[index].text = "\(text.dropLast(2))\(more) }"
        }
    }

    private mutating func addOperation(_ dice: inout ChanceDice) {
        let token = dice.oneIn(2) ? ", refreshes-token: yes" : ""
        operations.append(
            "{ upload: \(dice.pick(files).path), to: once/\(dice.between(1...6)).bin\(token) }")
    }

    private mutating func addTask(_ dice: inout ChanceDice) {
        let isDownload = dice.oneIn(3)
        let earlier = zip(numbers(.background), tasks).filter(\.1.isDownload).map(\.0)
        var isWhole = true
        var text =
            if isDownload, !earlier.isEmpty, dice.oneIn(2) {
                "resumes: \(dice.pick(earlier))"
            } else if isDownload {
                "download: \(dice.oneIn(2) ? object(&dice) : "put/1.bin")"
            } else if dice.oneIn(12) {
                "data: 20 kB, to: put/memory.bin"
            } else {
                "upload: \(dice.pick(files).path), to: put/\(dice.between(1...4)).bin"
            }
        if text.hasPrefix("upload"), dice.oneIn(3) { text += ", resumable: yes" }
        if dice.oneIn(3) { text += ", session: other" }
        if dice.oneIn(5) { text += ", cellular: no" }
        if dice.oneIn(4) { text += ", resumed: no" }
        if dice.oneIn(6), text.hasPrefix("download: ") {
            let way = dice.pick([
                "fields: { Range: bytes=0-99 }", "method: HEAD", "fields: { X-Trace: a }",
            ])
            isWhole = way.contains("Trace")
            text += ", \(way)"
        } else if dice.oneIn(8), text.hasPrefix("upload: ") {
            text += ", \(dice.pick(["method: POST", "fields: { X-Trace: a }"]))"
        }
        tasks.append(Task(text: "{ \(text) }", isDownload: isDownload, isWhole: isWhole))
    }

    private mutating func addBackgroundSessions(_ dice: inout ChanceDice) {
        for session in ["com.example.background", "other"] where dice.oneIn(3) {
            let isOther = tasks.contains { $0.text.contains("session: other") }
            let isUsual = tasks.contains { !$0.text.contains("session: other") }
            guard session == "other" ? isOther : isUsual else { continue }
            var settings: [String] = []
            if dice.oneIn(3) { settings.append("cellular: no") }
            // Nobody connects a charger to the tablet.
            if dice.oneIn(3), name != "pad" { settings.append("discretionary: yes") }
            if dice.oneIn(3) { settings.append("request-timeout: 10 s") }
            if dice.oneIn(3) { settings.append("resource-timeout: 5 min") }
            if dice.oneIn(3) { settings.append("launch-events: no") }
            if dice.oneIn(3) { settings.append("delegate-queue: own") }
            if settings.isEmpty { continue }
            backgroundSessions.append("\(session): { \(settings.joined(separator: ", ")) }")
        }
    }

    private mutating func addTransfer(_ dice: inout ChanceDice) {
        let object = "\(dice.between(1...3)).bin"
        let bucket = dice.pick(["films", "films", "notes"])
        transfers.append(
            dice.oneIn(3)
                ? "{ download: \(object), to: copies/\(nextNumber(.bucket)).bin, "
                    + "bucket: \(bucket) }"
                : "{ upload: \(dice.pick(files).path), to: \(object), bucket: \(bucket) }")
    }

    // MARK: Its rules

    private mutating func addRules(_ dice: inout ChanceDice) {
        for (number, session) in zip(numbers(.queue), sessions) {
            if !session.paths.isEmpty, !dice.oneIn(4) {
                rules.append(
                    "on session \(number) can accept paths: add all files to session \(number)")
            }
            // An app that adds one file after the other.
            for (file, next) in zip(session.paths, session.paths.dropFirst()) where dice.oneIn(4) {
                rules.append(
                    "on session \(number) stops \(file): add \(next) to session \(number)")
            }
            let others = numbers(.queue).filter { $0 != number }
            if !session.isEnqueued, !others.isEmpty, dice.oneIn(2) {
                let deed = dice.pick(["save", "enqueue"])
                let end = dice.pick(["completed", "failed"])
                rules.append("on \(end) session \(dice.pick(others)): \(deed) session \(number)")
            }
            if session.paths.isEmpty, dice.oneIn(6) {
                rules.append("on store set aside: enqueue session \(number)")
            }
        }
        for (number, task) in zip(numbers(.background), tasks) {
            if task.isDownload, task.isWhole, dice.oneIn(2) {
                let deed = dice.pick(["move", "copy"])
                rules.append("on downloaded task \(number): \(deed) it to films/task-\(number).bin")
            }
        }
        for number in numbers(.bucket) where dice.oneIn(2) {
            rules.append("on launch: resume transfer \(number)")
        }
        if name == nil, !sessions.isEmpty, dice.oneIn(10) {
            rules.append("on launch: do not start")
        }
        if tasks.contains(where: \.isDownload), tasks.allSatisfy(\.isWhole), dice.oneIn(6) {
            rules.append("on launch: keep downloads in kept")
        }
        if !tasks.isEmpty, dice.oneIn(8) {
            rules.append("on launch: make sessions \(dice.pick(["3 s late", "twice"]))")
        }
        if !transfers.isEmpty, dice.oneIn(6) { rules.append("on launch: let go of transfers") }
        if dice.oneIn(12) { rules.append("on launch: ask for time twice") }
        if !operations.isEmpty, dice.oneIn(4) {
            rules.append("on launch: observe operations twice")
        }
        if !sessions.isEmpty, dice.oneIn(8) {
            rules.append(
                dice.pick([
                    "on launch: ask for no background time",
                    "on launch 2: ask for background time",
                ]))
        }
    }

    // MARK: Its text

    func lines(indentation: Int, as identities: ChanceIdentities, seed: UInt64, place: Int = 0)
        -> [String]
    {
        let files = files.map { "\($0.path): \($0.size)" }.joined(separator: ", ")
        let accounts = accounts.enumerated().map { number, name in
            let keys = place == 0 ? identities.keys(ofAccount: number, seed: seed) : ""
            return keys.isEmpty
                ? "\(name): of/\(name)" : "\(name): { folder: of/\(name)\(keys) }"
        }.joined(separator: ", ")
        let signIn = identities.signIns.indices.contains(place) ? identities.signIns[place] : ""
        let whole =
            ["files: { \(files) }"] + (signIn.isEmpty ? [] : [signIn])
            + (accounts.isEmpty ? [] : ["accounts: { \(accounts) }"])
            + list("queue", sessions.map(\.text)) + list("operations", operations)
            + list("background", tasks.map(\.text))
            + (backgroundSessions.isEmpty
                ? []
                : ["background-sessions: { \(backgroundSessions.joined(separator: ", ")) }"])
            + list("resumable", transfers)
            + list("app", rules)
        return whole.map { String(repeating: " ", count: indentation) + $0 }
    }

    private func list(_ key: String, _ items: [String]) -> [String] {
        items.isEmpty ? [] : ["\(key):"] + items.map { "  - \($0)" }
    }
}
