import Quantities
import RunLog

/// S11: "Background tasks are balanced, ended before the deadline, none begun after expiry. The
/// system's completion handler is called exactly once."
struct BackgroundTasksAreBalanced: Invariant {
    private(set) var watch = Watch()
    /// Open background tasks by launch and number, in order of their begin.
    private var open: [OpenTask] = []
    /// Launches whose expiry handler has run since they were last in the foreground.
    private var expired: Set<UInt32> = []
    private var user = LeftToTheUser()
    private var hasEvidence = false
    /// Completion handlers that the app has not yet called (B4).
    private var handlers: [OpenHandler] = []
    private(set) var evidence = Evidence<Clause>()
    /// Sessions in `handlers` whose events have all been told.
    private var finished: Set<String> = []

    /// The time for tasks in the background on each phone of the run (B14); `nil` is no limit.
    private var budgets: [TimeSpan?] = []
    private var isBehind = false
    /// Since when the app is in the background.
    private var behindSince = Instant.start
    /// What holds the app awake, so that the time of its tasks does not run (A24).
    private var modes: Set<BackgroundMode> = []
    /// The deadlines of fetches of which the app has not said what they brought, by launch.
    private var fetches: [UInt32: Instant] = [:]
    /// Apps whose queue may not ask for time, with the moment since when it may not (A11).
    private var undemarcated: [UInt16: Instant] = [:]

    /// The time for the handler. An app that the system wakes has about 30 s (B14).
    private static let handlerTime = TimeSpan.seconds(30)
    /// The time in which an app of a live run gives a task back.
    private static let returnTime = TimeSpan.seconds(1)

    private struct OpenHandler: Sendable {
        var session: String
        var deadline: Instant?
    }

    private struct OpenTask: Sendable {
        var app: UInt16
        var launch: UInt32
        var number: UInt32
        var deadline: Instant?

        var isOfEngine: Bool { number <= DeviceFact.lastTaskOfEngine }
    }

    var rule: String { "S11" }
    var statement: String {
        "every background task is ended once and before its deadline, none is begun after "
            + "expiry, and each completion handler is called once, in time and on the main thread"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        user.read(event)
        judgeDeadlines(until: event.at)
        switch event.fact {
        case .device(.taskBegan(let launch, let task, let deadline)):
            begin(
                OpenTask(
                    app: event.app ?? 1, launch: launch, number: task, deadline: deadline))
        case .device(.taskExpires(let launch, let task, let deadline)):
            judgeExpiry(of: task, in: launch)
            expired.insert(launch)
            evidence.decides(.deadline)
            if let place = place(launch, task) { open[place].deadline = deadline }
        case .device(.taskEnded(let launch, let task)): end(launch, task)
        case .device(.fetchBegan(let launch, let deadline)):
            hasEvidence = true
            fetches[launch] = deadline
        case .device(.fetchEnded(let launch, _)): endFetch(of: launch)
        case .device(.modeBegan(let launch, let mode)):
            modes.insert(mode)
            holdTime(of: launch, at: event.at)
        case .device(.modeEnded(let launch, let mode)): end(mode, of: launch, at: event.at)
        case .device(.stands(let system, _, _, _)): budgets.append(Self.budget(of: system))
        case .device(.appEntered(let launch, let stage, _)):
            evidence.decides(
                .demarcation,
                if: stage == .suspended && undemarcated[event.app ?? 1] != nil)
            enter(stage, launch, at: event.at)
        case .device(.appLaunched): undemarcated[event.app ?? 1] = nil
        case .queue(.demarcates(true)): undemarcated[event.app ?? 1] = nil
        case .queue(.demarcates(false)):
            undemarcated[event.app ?? 1] = undemarcated[event.app ?? 1] ?? event.at
        case .device(.appKilled(let launch, let why)): bury(launch, why)
        case .device(.appCrashed(let launch, _)): bury(launch, nil)
        case .background(let fact): read(fact, at: event.at)
        case .run(.ended): judgeEnd()
        default: break
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "no background task was begun" }

    var clauses: [DecidedClause] { evidence.all }

    /// The longest limit of all phones, as the log does not say on which one an app is.
    private var budget: TimeSpan? {
        let limits = budgets.compactMap(\.self)
        return limits.count == budgets.count ? limits.max() : nil
    }

    /// Returns the time for tasks by the words for a system.
    private static func budget(of system: String) -> TimeSpan? {
        let words = system.split(separator: " ")
        guard words.count == 2, words[0] == "iOS", let version = Int(words[1]) else { return nil }
        return .seconds(version <= 6 ? 600 : version <= 12 ? 180 : 30)
    }

    private mutating func enter(_ stage: AppStage, _ launch: UInt32, at now: Instant) {
        isBehind = stage == .background
        behindSince = now
        if stage == .suspended {
            if fetches[launch] != nil {
                watch.fall(
                    expected: "an app that fetches is not suspended", seen: "it is suspended")
            }
            judgeHandlers(when: "the app is suspended")
            evidence.decides(.noneAfterExpiry, if: expired.contains(launch))
        }
        runTime(of: launch, at: now)
        guard stage == .active || stage == .inactive else { return }
        expired.remove(launch)
        // Foreground time does not count.
        for place in open.indices where open[place].launch == launch {
            open[place].deadline = nil
        }
    }

    private func handlerDeadline(at now: Instant) -> Instant? {
        isBehind && budget != nil && modes.isEmpty ? now + Self.handlerTime : nil
    }

    /// Begins the time of the handlers, and of the tasks of an app that nothing else holds in the
    /// background.
    private mutating func runTime(of launch: UInt32, at now: Instant) {
        for place in handlers.indices { handlers[place].deadline = handlerDeadline(at: now) }
        guard isBehind, modes.isEmpty, let budget else { return }
        for place in open.indices
        where open[place].launch == launch && open[place].deadline == nil {
            open[place].deadline = now + budget
        }
    }

    /// Lets no time run while a mode holds the app. Tasks whose time is up get no other.
    private mutating func holdTime(of launch: UInt32, at now: Instant) {
        for place in handlers.indices { handlers[place].deadline = handlerDeadline(at: now) }
        guard !expired.contains(launch) else { return }
        for place in open.indices where open[place].launch == launch {
            open[place].deadline = nil
        }
    }

    private mutating func end(_ mode: BackgroundMode, of launch: UInt32, at now: Instant) {
        modes.remove(mode)
        guard modes.isEmpty, isBehind else { return }
        let isHeld = open.contains { $0.launch == launch && $0.deadline == nil }
        evidence.decides(.timeStands, if: isHeld && budget.map { behindSince + $0 < now } ?? false)
        runTime(of: launch, at: now)
    }

    private mutating func judgeExpiry(of task: UInt32, in launch: UInt32) {
        guard let mode = BackgroundMode.allCases.first(where: modes.contains),
            !expired.contains(launch)
        else { return }
        watch.fall(
            expected: "no time in the background runs out while the app \(mode.state)",
            seen: "background task \(task) expires")
    }

    private func place(_ launch: UInt32, _ task: UInt32) -> Int? {
        open.firstIndex { $0.launch == launch && $0.number == task }
    }

    private mutating func begin(_ task: OpenTask) {
        hasEvidence = true
        evidence.decides(.ended)
        if expired.contains(task.launch) {
            watch.fall(
                expected:
                    "no task is begun after time is up, until the app is in the foreground again",
                seen: "background task \(task.number) begins")
        }
        open.append(task)
        guard task.isOfEngine, undemarcated[task.app] != nil else { return }
        watch.fall(
            expected: "no task is begun for a queue that may not ask for background time",
            seen: "background task \(task.number) begins")
    }

    private mutating func end(_ launch: UInt32, _ task: UInt32) {
        guard let place = place(launch, task) else {
            return watch.fall(
                expected: "only a task that was begun is ended, and only once",
                seen: "background task \(task) ends")
        }
        open.remove(at: place)
    }

    private mutating func read(_ fact: BackgroundFact, at now: Instant) {
        switch fact {
        case .handleEvents(let session):
            hasEvidence = true
            handlers.append(OpenHandler(session: session, deadline: handlerDeadline(at: now)))
        case .handlerCalled(let session, let isOffMain):
            evidence.decides(.handler)
            judge(session, calledOffMainThread: isOffMain == true)
            evidence.decides(.handlerInTime, if: finished.contains(session))
            guard let place = handlers.firstIndex(where: { $0.session == session }) else {
                return watch.fall(
                    expected: "the handler of “\(session)” is called once",
                    seen: "it is called again, or was never given")
            }
            handlers.remove(at: place)
            if !handlers.contains(where: { $0.session == session }) { finished.remove(session) }
        case .didFinishEvents(let session): finished.insert(session)
        case .refused, .woken, .tasksWereLost, .callback, .listed, .didBecomeInvalid: break
        }
    }

    private mutating func judge(_ session: String, calledOffMainThread isOff: Bool) {
        guard isOff else { return }
        watch.fall(
            expected: "the handler of “\(session)” is called on the main thread",
            seen: "it is called on the queue of the session's delegate")
    }

    private mutating func endFetch(of launch: UInt32) {
        evidence.decides(.fetch)
        guard fetches.removeValue(forKey: launch) == nil else { return }
        watch.fall(
            expected: "an app says once what its fetch has brought", seen: "it says so again")
    }

    private mutating func bury(_ launch: UInt32, _ why: ProcessEnd?) {
        fetches[launch] = nil
        if why == .fetchOverdue {
            watch.fall(
                expected: "the app says in time what its fetch has brought",
                seen: "it did not, and is killed")
        }
        handlers.removeAll()
        finished.removeAll()
        modes = []
        open.removeAll { $0.launch == launch }
        guard why == .taskOverdue || why == .taskBegunAtExpiry else { return }
        watch.fall(
            expected: "the app gives its background time back before it is up",
            seen: "it did not, and is killed")
    }

    private mutating func judgeDeadlines(until now: Instant) {
        if let late = handlers.first(where: { $0.deadline.map { $0 < now } ?? false }) {
            watch.fall(
                expected: "the handler of “\(late.session)” is called within "
                    + "\(Self.handlerTime) in the background",
                seen: "it is not, although its app is alive")
        }
        if let kept = open.first(where: { isKept($0, at: now) }) {
            watch.fall(
                expected: "background task \(kept.number) is ended when its queue may no longer "
                    + "ask for background time",
                seen: "it is not")
        }
        guard let late = open.first(where: { $0.deadline.map { $0 < now } ?? false }),
            let deadline = late.deadline
        else { return }
        watch.fall(
            expected: "background task \(late.number) is ended before \(deadline)",
            seen: "it is not, although its app is alive")
    }

    private func isKept(_ task: OpenTask, at now: Instant) -> Bool {
        guard let since = undemarcated[task.app] else { return false }
        return task.isOfEngine && since + Self.returnTime < now
    }

    /// Judges handlers that the app can no longer call.
    private mutating func judgeHandlers(when moment: String) {
        guard let session = handlers.first(where: { finished.contains($0.session) })?.session
        else { return }
        watch.fall(
            expected: "the handler of “\(session)” is called after its events have ended",
            seen: "it is not called before \(moment)")
    }

    private mutating func judgeEnd() {
        if !fetches.isEmpty {
            watch.fall(
                expected: "the app says what its fetch has brought",
                seen: "it has not by the run's end")
        }
        if let session = handlers.first?.session {
            watch.fall(
                expected: "the handler of “\(session)” is called",
                seen: "it is not called by the run's end")
        }
        guard let task = open.first, !user.mayTakeForEver else { return }
        watch.fall(
            expected: "background task \(task.number) is ended", seen: "it is not by the run's end")
    }
}

extension BackgroundTasksAreBalanced {
    enum Clause: String, ClauseName {
        /// Decided by each background task: its end could be forgotten, or come twice.
        case ended
        /// Decided by each task whose time is up.
        case deadline
        /// Decided by an app that is suspended after its time was up: it could have begun another
        /// task to go on.
        case noneAfterExpiry = "none after expiry"
        /// Decided by each call of a handler.
        case handler = "handler called once"
        /// Decided by each fetch of which the app says what it has brought.
        case fetch
        /// Decided by each handler that is called after its events have ended and before the app
        /// is suspended.
        case handlerInTime = "handler called in time"
        /// Decided by each suspension of an app whose queue may not ask for time.
        case demarcation
        /// Decided by the end of a mode that has held an app with a task longer than the time of
        /// the task.
        case timeStands = "time stands still"

        var sentence: String {
            switch self {
            case .ended: "each background task is ended once"
            case .deadline: "a task whose time is up is ended before its deadline"
            case .noneAfterExpiry: "no task is begun after time is up"
            case .handler: "a completion handler is called exactly once"
            case .fetch: "an app says once and in time what its fetch has brought"
            case .demarcation: "a queue that may not ask for background time holds none (A11)"
            case .timeStands:
                "no time runs out while the app tracks its location or is in a call (A24)"
            case .handlerInTime: "a completion handler is called before the app is suspended"
            }
        }
    }
}
