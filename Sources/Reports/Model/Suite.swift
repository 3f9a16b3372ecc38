package import Checks
package import Quantities
package import RunLog

/// Many runs: the source of a suite's index, summary and JUnit file.
package struct Suite: Hashable, Sendable, Codable {
    package var entries: [SuiteEntry]
    package var notPlayed: [UnplayedRun]
    package var trapped: [TrappedRun] = []
    package var leftOut: [UnplayedRun]
    /// The demand that the runs decide every clause together; `nil` if nothing is demanded, or not
    /// all runs are played.
    package var demand: EvidenceDemand?
    package var program: ProgramVersion?
    /// The real time from the first run's beginning to the last one's end.
    package var wallSeconds: Double?
    /// How far the suite came, if the user or the system ended it early.
    package var interruption: SuiteInterruption?

    package init(
        entries: [SuiteEntry], notPlayed: [UnplayedRun] = [], leftOut: [UnplayedRun] = []
    ) {
        self.entries = entries
        self.notPlayed = notPlayed
        self.leftOut = leftOut
    }

    package var green: Int { entries.count { $0.judgement.isGreen } }
    package var red: Int { entries.count - green }
    package var count: Int { entries.count + notPlayed.count + trapped.count }
    package var isGreen: Bool {
        green == count && unreached.isEmpty && interruption == nil && shortfalls.isEmpty
    }

    /// Hints, such as a matrix whose cases are all the same run.
    package var hints: [String] {
        var paths: [String] = []
        /// For each path and seed, the courses of all cases.
        var courses: [String: [UInt64: [Course]]] = [:]
        for entry in entries {
            guard let events = entry.course else { continue }
            let course = Course(events: events, packets: entry.packetCourse)
            if courses[entry.path] == nil { paths.append(entry.path) }
            courses[entry.path, default: [:]][entry.seed, default: []].append(course)
        }
        return paths.flatMap { Self.hints(about: $0, Array(courses[$0, default: [:]].values)) }
    }

    private struct Course: Hashable {
        var events: String
        var packets: UInt64?
    }

    /// Returns the hints about a file; `courses` has those of all cases for each seed.
    private static func hints(about path: String, _ courses: [[Course]]) -> [String] {
        let cases = courses[0].count
        guard courses.allSatisfy({ $0.count == cases }) else { return [] }
        var hints: [String] = []
        if cases > 1, courses.allSatisfy({ Set($0).count == 1 }) {
            hints.append(
                "all \(cases) cases of \(path) are the same run, event by event: their differences "
                    + "have no effect")
        }
        // Packets have other sequence numbers with each seed.
        if courses.count > 1, Set(courses.map { $0.map(\.events) }).count == 1 {
            hints.append(
                "all \(courses.count) seeds of \(path) are the same run: chance plays no part "
                    + "in it; one seed is enough")
        }
        return hints
    }

    /// The occasions (`sometimes`) that no run has reached.
    package var unreached: [Occasion] {
        // The missing runs might have reached some of them.
        guard interruption == nil else { return [] }
        var occasions: [Occasion] = []
        for occasion in entries.flatMap({ $0.sometimes ?? [] }) {
            if let place = occasions.firstIndex(where: { $0.place == occasion.place }) {
                if occasion.isReached { occasions[place] = occasion }
            } else {
                occasions.append(occasion)
            }
        }
        return occasions.filter { !$0.isReached }
    }
}

/// The progress of a suite when it was interrupted.
package struct SuiteInterruption: Hashable, Sendable, Codable {
    package var played: Int
    package var planned: Int

    package init(played: Int, planned: Int) {
        self.played = played
        self.planned = planned
    }

    package var words: String {
        "interrupted after \(played) of \(planned) \(planned == 1 ? "run" : "runs")"
    }
}

/// Something that at least one run of a suite must reach, and whether one has.
package struct Occasion: Hashable, Sendable, Codable {
    package var words: String
    /// The place of the requirement, as `file:line:column`.
    package var place: String
    package var isReached: Bool

    package init(words: String, place: String, isReached: Bool) {
        self.words = words
        self.place = place
        self.isReached = isReached
    }
}

/// A run without a verdict, with the reason: it was left out, could not be played, or its files
/// could not be written.
package struct UnplayedRun: Hashable, Sendable, Codable {
    package var scenario: String
    package var path: String
    package var world: RunBeginning.World
    package var reason: String

    package init(scenario: String, path: String, world: RunBeginning.World, reason: String) {
        self.scenario = scenario
        self.path = path
        self.world = world
        self.reason = reason
    }
}

/// A run without a verdict, because the engine or another part of the program trapped in it.
package struct TrappedRun: Hashable, Sendable, Codable {
    package var scenario: String
    package var path: String
    package var world: RunBeginning.World
    package var seed: UInt64
    package var reason: String
    package var command: String

    package init(
        scenario: String, path: String, world: RunBeginning.World, seed: UInt64, reason: String,
        command: String
    ) {
        self.scenario = scenario
        self.path = path
        self.world = world
        self.seed = seed
        self.reason = reason
        self.command = command
    }
}

/// One run of a suite: small enough to keep thousands.
package struct SuiteEntry: Hashable, Sendable, Codable {
    package var scenario: String
    package var path: String
    /// The case of a matrix, such as `controller=bbr,profile=apple-lte`.
    package var variant: String?
    package var about: ScenarioAbout?
    package var world: RunBeginning.World
    package var seed: UInt64
    /// The seed that shuffled the events of one moment, if they were shuffled.
    package var ties: UInt64?
    package var digest: String
    package var course: String?
    package var packetCourse: UInt64?
    package var duration: TimeSpan
    package var judgement: Judgement
    package var breaches: [RuleBreach]
    package var command: String
    package var limitations: [ReportModel.Limitation]
    package var hints: [String]?
    /// The occasions (`sometimes`) of its scenario, if there are any.
    package var sometimes: [Occasion]?
    /// How often the run decided each clause that it decided at all, such as `S10 budget`.
    package var evidence: ClauseTally?
    /// The number of sessions, upload operations and tasks of background sessions.
    package var sessions: Int
    package var completed: Int
    /// The number of operations and of tasks among them, if there are any.
    package var operations: Int?
    package var completedOperations: Int?
    package var tasks: Int?
    package var completedTasks: Int?
    package var transfers: Int?
    package var completedTransfers: Int?
    /// The number of persistent sessions, and the files that were added to them.
    package var persistent: Int?
    package var files: Int?
    package var arrivedFiles: Int?
    /// The time from the first activation to the last completion, if all have completed.
    package var completion: TimeSpan?
    package var payload: ByteCount
    package var goodput: Bitrate?
    package var sentAgain: ByteCount
    package var dropped: UInt64
    package var retransmitted: UInt64
    /// Missing in older files.
    package var performance: PerformanceFigures?
    /// The folder of its reports, relative to the suite's index.
    package var folder: String
    /// Whether its reports are made only when somebody asks for them; `nil`: they are there.
    package var isOnDemand: Bool?
    /// The real time of the run. It differs each time, so files that are compared leave it out.
    package var wallSeconds: Double?

    private enum CodingKeys: String, CodingKey {
        case scenario, path, variant, about, world, seed, ties, digest, course, packetCourse
        case duration, judgement, breaches, command
        case limitations, hints, sometimes, evidence, sessions, completed, operations
        case completedOperations, tasks, completedTasks, transfers, completedTransfers
        case persistent, files, arrivedFiles
        case completion, payload, goodput
        case sentAgain, dropped, retransmitted, performance, folder, isOnDemand
    }

    package init(_ model: ReportModel, folder: String, wallSeconds: Double? = nil) {
        scenario = model.beginning.scenario
        path = model.beginning.path
        variant = model.beginning.variant
        about = model.about
        world = model.beginning.world
        seed = model.beginning.seed
        ties = model.beginning.ties
        digest = model.digest
        course = model.course
        packetCourse = model.packetCourse
        duration = model.duration
        judgement = model.judgement
        breaches = RuleBreach.all(in: model)
        command = model.beginning.command
        limitations = model.limitations
        hints = model.hints
        let occasions = model.verdicts.filter { $0.kind == .sometimes }.map {
            Occasion(words: $0.rule, place: $0.place ?? "", isReached: $0.answer == .held)
        }
        sometimes = occasions.isEmpty ? nil : occasions
        evidence = ClauseTally(model.verdicts)
        let figures = model.figures
        sessions = figures.sessions.count
        completed = figures.completed
        operations = figures.operations.countIfAny
        completedOperations = operations.map { _ in figures.operations.completed }
        tasks = figures.tasks.countIfAny
        completedTasks = tasks.map { _ in figures.tasks.completed }
        transfers = figures.transfers.countIfAny
        completedTransfers = transfers.map { _ in figures.transfers.completed }
        persistent = figures.persistent.countIfAny
        files = persistent.map { _ in figures.persistent.files(\.added) }
        arrivedFiles = persistent.map { _ in figures.persistent.files(\.arrived) }
        completion = figures.completion
        payload = figures.payload
        goodput = figures.goodput
        sentAgain = figures.sentAgain
        dropped = figures.dropped
        retransmitted = figures.retransmitted
        performance = PerformanceFigures(model)
        self.folder = folder
        self.wallSeconds = wallSeconds
    }
}

extension SuiteEntry {
    /// The completed items in words, such as `2 of 3 sessions and 1 of 1 tasks`. For a persistent
    /// session, its files are counted.
    var endWords: String {
        let kinds = [
            (completedOperations ?? 0, operations ?? 0, "operations"),
            (completedTransfers ?? 0, transfers ?? 0, "transfers"),
            (completedTasks ?? 0, tasks ?? 0, "tasks"),
        ]
        let queued = kinds.reduce((completed, sessions - (persistent ?? 0))) {
            ($0.0 - $1.0, $0.1 - $1.1)
        }
        let parts =
            [(queued.0, queued.1, "sessions"), (arrivedFiles ?? 0, files ?? 0, "files")] + kinds
        return parts.filter { $0.1 > 0 }.map { "\($0.0) of \($0.1) \($0.2)" }
            .joined(separator: " and ")
    }
}

extension [SessionFigures] {
    fileprivate var countIfAny: Int? { isEmpty ? nil : count }

    var completed: Int { count { $0.outcome == .completed } }

    /// Returns a count of the files that were added to persistent sessions.
    func files(_ count: KeyPath<PathFigures, Int>) -> Int {
        compactMap(\.paths).reduce(0) { $0 + $1[keyPath: count] }
    }
}
