import Testing

/// A run is a pure function of scenario and seed. These are the words by which a clock, chance, the
/// machine or the scheduler would come into a pure room.
@Suite struct DeterminismTests {
    /// Words of one kind of disturbance, and what to take instead.
    struct Ban: Sendable {
        var what: String
        /// Banned wherever they stand as a word of their own.
        var words: Set<String> = []
        /// Banned where they are called, and not as a method: `log(2)`, but not `journal.log(2)`.
        var calls: Set<String> = []
        /// Banned as a member: `.random(in: 1...6)`.
        var members: Set<String> = []
        var remedy: String
        /// Rooms that are pure but have to have this.
        var exceptions: Set<String> = []
        /// Rooms that are not pure, but take part in a simulated run or in what is told of it.
        var alsoIn: Set<String> = []

        func holds(in room: String) -> Bool {
            (Floors.pure.contains(room) && !exceptions.contains(room)) || alsoIn.contains(room)
        }
    }

    private static let besideTheRun: Set<String> = ["QueueStorage", "Scenario", "Reports"]

    static let bans = [
        Ban(
            what: "a clock",
            words: [
                "ContinuousClock", "SuspendingClock", "DispatchTime", "clock_gettime",
                "gettimeofday", "timespec_get", "CFAbsoluteTimeGetCurrent", "mach_absolute_time",
            ],
            calls: ["Date", "time", "sleep", "usleep", "nanosleep"],
            remedy: "time comes in as the argument `now`", alsoIn: besideTheRun),
        Ban(
            what: "chance from the system",
            words: [
                "SystemRandomNumberGenerator", "arc4random", "arc4random_uniform", "getentropy",
                "getrandom", "drand48",
            ],
            calls: ["UUID", "rand", "random", "srand"],
            members: ["random", "randomElement", "shuffled", "shuffle"],
            remedy: "draw from a RandomStream by name", alsoIn: besideTheRun),
        Ban(
            what: "an order or a hash that differs in every process",
            words: ["hashValue", "ObjectIdentifier"],
            calls: ["Hasher"],
            remedy: "order by a key of the thing itself", alsoIn: besideTheRun),
        Ban(
            what: "the scheduler",
            words: [
                "async", "await", "actor", "Task", "TaskGroup", "Thread", "DispatchQueue",
                "DispatchSemaphore", "DispatchGroup", "OperationQueue", "MainActor", "AsyncStream",
                "withTaskGroup", "withThrowingTaskGroup", "withCheckedContinuation",
                "pthread_create",
            ],
            remedy: "a machine is called and answers; concurrency lives in Runs and Live",
            // It lends the app sequences of events, and reads none.
            exceptions: ["TransferClient"]),
        Ban(
            what: "a lock",
            words: [
                "NSLock", "NSRecursiveLock", "NSCondition", "Mutex", "Atomic",
                "AtomicLazyReference",
                "OSAllocatedUnfairLock", "pthread_mutex_t", "pthread_mutex_lock",
            ],
            remedy: "one thread owns a machine; thread safety lives in TransferClient",
            exceptions: ["TransferClient"]),
        Ban(
            what: "a function of libm, whose last bits change with the processor",
            calls: [
                "log", "log2", "log10", "log1p", "exp", "exp2", "expm1", "pow", "cbrt", "hypot",
                "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
                "tgamma", "lgamma", "erf", "erfc",
            ],
            remedy: "integers, fixed point, or + - * / and square root"),
        Ban(
            what: "the machine around us",
            words: ["ProcessInfo", "CommandLine", "FileManager", "FileHandle", "getenv"],
            calls: ["print", "debugPrint", "dump", "readLine", "fopen", "printf"],
            remedy: "what comes from outside is an input, what goes outside is an output"),
    ]

    @Test(arguments: bans.indices) func `a pure room has no such thing`(index: Int) {
        House.sources.flatMap { Self.breaches(of: Self.bans[index], in: $0) }.expectNone()
    }

    @Test(arguments: [
        "let now = Date()", "let at = ContinuousClock.now", "clock_gettime(CLOCK_MONOTONIC, &at)",
        "let n = Int.random(in: 1...6)", "list.shuffled()", "let id = UUID()", "a.hashValue < b",
        "var hasher = Hasher()", "func run() async {}", "Task { }", "private let m = Mutex(0)",
        "let x = log(2.0)", "let x = pow(a, b) / 2", "print(\"packet \\(n)\")", "\"\\(Date())\"",
        "var generator = SystemRandomNumberGenerator()", "let c = cbrt(w)", "if exp (x) > 1 {}",
    ])
    func `each disturbance is found`(code: String) {
        let file = SourceFile(path: "Sources/Simulation/A.swift", text: "\n\(code)\n")
        #expect(Self.bans.flatMap { Self.breaches(of: $0, in: file) }.map(\.line) == [2])
    }

    @Test(arguments: [
        "// Date() would be a clock", "let text = \"Task { await }\"", "journal.log(entry)",
        "func log(_ event: Event) {}", "func hash(into hasher: inout Hasher) {}",
        "let time = start + span", "case random, sleep", "let date: WallClock.Date",
        "random: RandomStream(seed: 1)", "x.squareRoot()", "case .task(let id): id",
        "static func random(at: Instant) -> Self", "private var log: [Entry]",
    ])
    func `what only looks like a disturbance is left alone`(code: String) {
        let file = SourceFile(path: "Sources/Simulation/A.swift", text: code)
        #expect(Self.bans.flatMap { Self.breaches(of: $0, in: file) }.map(\.fault) == [])
    }

    @Test func `a lock may stand where the app's threads come in, and only there`() {
        let lock = "let queue = Mutex(Queue())"
        let client = SourceFile(path: "Sources/TransferClient/A.swift", text: lock)
        let engine = SourceFile(path: "Sources/TransferEngine/A.swift", text: lock)
        #expect(Self.bans.flatMap { Self.breaches(of: $0, in: client) }.isEmpty)
        #expect(Self.bans.flatMap { Self.breaches(of: $0, in: engine) }.count == 1)
    }

    @Test func `storage and reports have no clock, but may open files`() {
        let text = "let now = Date()\nlet files = FileManager.default\n"
        for (room, lines) in [("Reports", [1]), ("Runs", []), ("Checks", [1, 2])] {
            let file = SourceFile(path: "Sources/\(room)/A.swift", text: text)
            #expect(Self.bans.flatMap { Self.breaches(of: $0, in: file) }.map(\.line) == lines)
        }
    }

    static func breaches(of ban: Ban, in file: SourceFile) -> [Finding] {
        guard ban.holds(in: file.target) else { return [] }
        let tokens = file.tokens
        return tokens.indices.compactMap { index in
            let token = tokens[index]
            guard token.kind == .word else { return nil }
            let before = index > 0 ? tokens[index - 1] : nil
            let isMember = before?.isSymbol(".") ?? false
            let isDeclared = before?.isWord("func") ?? false
            let isCalled = index + 1 < tokens.count && tokens[index + 1].isSymbol("(")
            let isBanned =
                ban.words.contains(token.text)
                || (ban.calls.contains(token.text) && isCalled && !isMember && !isDeclared)
                || (ban.members.contains(token.text) && isCalled && isMember)
            guard isBanned else { return nil }
            return file.finding(
                line: token.line, "“\(token.text)” is \(ban.what)", remedy: ban.remedy)
        }
    }
}
