/// An app of a random scenario: its files, and what it has of each façade.
struct ChanceApp {
    /// `nil`: the first, which the file itself is about.
    let name: String?
    private(set) var files: [(path: String, size: String)] = []
    /// Those that sessions of it are of, by their names.
    private(set) var accounts: [String] = []
    private(set) var sessions: [Session] = []
    private(set) var operations: [String] = []
    private(set) var tasks: [Task] = []
    private(set) var transfers: [String] = []
    private(set) var rules: [String] = []
    /// So many of each are counted before its own.
    let before: Counts

    struct Counts {
        var sessions = 0
        var operations = 0
        var tasks = 0
        var transfers = 0
    }

    struct Session {
        var text: String
        /// Of a persistent one, the files that can be added to it.
        var paths: [String] = []
        /// Its app enqueues it at the first launch.
        var isEnqueued = true
    }

    struct Task {
        var text: String
        var isDownload: Bool
    }

    /// Chunks of resumable transfers have 512 KiB.
    private static let sizes = [
        "0 B", "1 B", "900 B", "20 kB", "20 kB", "150 kB", "150 kB", "400 kB", "400 kB", "700 kB",
        "700 kB", "1300 kB",
    ]

    init(
        _ name: String?, with facades: [ChanceFacade], before: Counts,
        _ dice: inout ChanceDice
    ) {
        self.name = name
        self.before = before
        let letter = name == nil ? "a" : "\(name ?? "")-"
        for file in 1...dice.between(1...4) {
            files.append(("\(letter)\(file).bin", dice.pick(Self.sizes)))
        }
        for facade in facades {
            switch facade {
            case .queue: for _ in 1...dice.between(1...4) { addSession(&dice) }
            case .persistent: for _ in 1...dice.between(1...2) { addPersistent(&dice) }
            case .operations: for _ in 1...dice.between(1...4) { addOperation(&dice) }
            case .background: for _ in 1...dice.between(1...4) { addTask(&dice) }
            case .resumable: for _ in 1...dice.between(1...4) { addTransfer(&dice) }
            }
        }
        if dice.oneIn(4) { keepSessions(&dice) }
        addRules(&dice)
    }

    var counts: Counts {
        Counts(
            sessions: before.sessions + sessions.count,
            operations: before.operations + operations.count,
            tasks: before.tasks + tasks.count, transfers: before.transfers + transfers.count)
    }

    /// The numbers of its own, as the file counts them.
    var sessionNumbers: Range<Int> { before.sessions + 1..<counts.sessions + 1 }
    var persistentNumbers: [Int] {
        zip(sessionNumbers, sessions).filter { !$1.paths.isEmpty }.map(\.0)
    }
    var operationNumbers: Range<Int> { before.operations + 1..<counts.operations + 1 }
    var taskNumbers: Range<Int> { before.tasks + 1..<counts.tasks + 1 }
    var transferNumbers: Range<Int> { before.transfers + 1..<counts.transfers + 1 }

    // MARK: What it moves

    /// Few objects, so that some go to one place, and some come from where others have gone.
    private func object(_ dice: inout ChanceDice) -> String { "in/\(dice.between(1...6)).bin" }

    private mutating func addSession(_ dice: inout ChanceDice) {
        let network =
            dice.oneIn(5)
            ? ", network: \(dice.pick(["wifi only", "unmetered only", "not in low data mode"]))"
            : ""
        let text =
            dice.oneIn(4)
            ? "{ download: \(object(&dice)), to: films/\(counts.sessions + 1).bin\(network) }"
            : "{ upload: \(dice.pick(files).path), to: \(object(&dice))\(network) }"
        sessions.append(Session(text: String(text.dropLast(2)) + Self.settings(&dice) + " }"))
    }

    /// How its files go, where it is not as usual (A15).
    private static func settings(_ dice: inout ChanceDice) -> String {
        let overwrite =
            dice.oneIn(3)
            ? ", overwrite: \(dice.pick(["never", "always", "older", "diff+older"]))" : ""
        let resume =
            dice.oneIn(3)
            ? ", resume: \(dice.pick(["none", "attributes", "full checksum"]))" : ""
        return overwrite + resume
    }

    private mutating func addPersistent(_ dice: inout ChanceDice) {
        let paths = dice.swarm(files).map(\.path)
        let chosen = paths.isEmpty ? [files[0].path] : paths
        let pairs = chosen.map { "\($0): kept/\(counts.sessions)/\($0)" }
        let text = "{ persistent: { \(pairs.joined(separator: ", ")) } }"
        sessions.append(Session(text: text, paths: chosen))
    }

    /// Accounts, and sessions that are only saved or not even that (A9).
    private mutating func keepSessions(_ dice: inout ChanceDice) {
        for index in sessions.indices {
            var more = ""
            if dice.oneIn(3) {
                let account = dice.pick(["studio", "archive"])
                if !accounts.contains(account) { accounts.append(account) }
                more += ", account: \(account)"
            }
            // What is only made stands behind all others.
            if index == sessions.indices.last, dice.oneIn(2) {
                sessions[index].isEnqueued = false
                more += ", saved: no"
            } else if dice.oneIn(5) {
                sessions[index].isEnqueued = false
                more += ", enqueued: no"
            }
            sessions[index].text = "\(sessions[index].text.dropLast(2))\(more) }"
        }
    }

    private mutating func addOperation(_ dice: inout ChanceDice) {
        let token = dice.oneIn(2) ? ", refreshes-token: yes" : ""
        operations.append(
            "{ upload: \(dice.pick(files).path), to: once/\(dice.between(1...6)).bin\(token) }")
    }

    private mutating func addTask(_ dice: inout ChanceDice) {
        let isDownload = dice.oneIn(3)
        var text =
            if isDownload {
                "download: \(dice.oneIn(2) ? object(&dice) : "put/1.bin")"
            } else if dice.oneIn(12) {
                "data: 20 kB, to: put/memory.bin"
            } else {
                "upload: \(dice.pick(files).path), to: put/\(dice.between(1...4)).bin"
            }
        if text.hasPrefix("upload"), dice.oneIn(3) { text += ", resumable: yes" }
        if dice.oneIn(3) { text += ", session: other" }
        if dice.oneIn(5) { text += ", cellular: no" }
        if dice.oneIn(8) { text += ", discretionary: yes" }
        if dice.oneIn(4) { text += ", resumed: no" }
        tasks.append(Task(text: "{ \(text) }", isDownload: isDownload))
    }

    private mutating func addTransfer(_ dice: inout ChanceDice) {
        let object = "\(dice.between(1...3)).bin"
        let bucket = dice.pick(["films", "films", "notes"])
        transfers.append(
            dice.oneIn(3)
                ? "{ download: \(object), to: copies/\(counts.transfers + 1).bin, "
                    + "bucket: \(bucket) }"
                : "{ upload: \(dice.pick(files).path), to: \(object), bucket: \(bucket) }")
    }

    // MARK: What it does by itself

    private mutating func addRules(_ dice: inout ChanceDice) {
        for (number, session) in zip(sessionNumbers, sessions) {
            if !session.paths.isEmpty, !dice.oneIn(4) {
                rules.append(
                    "on session \(number) can accept paths: add all files to session \(number)")
            }
            let others = sessionNumbers.filter { $0 != number }
            if !session.isEnqueued, !others.isEmpty, dice.oneIn(2) {
                let deed = dice.pick(["save", "enqueue"])
                let end = dice.pick(["completed", "failed"])
                rules.append("on \(end) session \(dice.pick(others)): \(deed) session \(number)")
            }
            if session.paths.isEmpty, dice.oneIn(6) {
                rules.append("on store set aside: enqueue session \(number)")
            }
        }
        for (number, task) in zip(taskNumbers, tasks) {
            if task.isDownload, dice.oneIn(2) {
                let deed = dice.pick(["move", "copy"])
                rules.append("on downloaded task \(number): \(deed) it to films/task-\(number).bin")
            }
        }
        for number in transferNumbers where dice.oneIn(2) {
            rules.append("on launch: resume transfer \(number)")
        }
        if name == nil, !sessions.isEmpty, dice.oneIn(10) {
            rules.append("on launch: do not start")
        }
        if !tasks.isEmpty, dice.oneIn(8) {
            rules.append("on launch: make sessions \(dice.pick(["3 s late", "twice"]))")
        }
    }

    // MARK: Its text

    func lines(indentation: Int) -> [String] {
        let files = files.map { "\($0.path): \($0.size)" }.joined(separator: ", ")
        let accounts = accounts.map { "\($0): of/\($0)" }.joined(separator: ", ")
        let whole =
            ["files: { \(files) }"] + (accounts.isEmpty ? [] : ["accounts: { \(accounts) }"])
            + list("queue", sessions.map(\.text)) + list("operations", operations)
            + list("background", tasks.map(\.text)) + list("resumable", transfers)
            + list("app", rules)
        return whole.map { String(repeating: " ", count: indentation) + $0 }
    }

    private func list(_ key: String, _ items: [String]) -> [String] {
        items.isEmpty ? [] : ["\(key):"] + items.map { "  - \($0)" }
    }
}
