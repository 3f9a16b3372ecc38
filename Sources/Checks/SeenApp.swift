import Quantities
import RunLog

/// An app of a phone, as the phone's facts show it.
struct SeenApp: Sendable {
    let number: UInt16
    private(set) var isRunning = false
    /// The stage; `nil` if the app does not run, or its phone has no system.
    private(set) var stage: AppStage?
    /// The last moment at which the app was in front, or the start of the run.
    private(set) var lastSeen = Instant.start
    var containers: Set<String> = []
    var tasks = SeenTasks()
    private var isFetching = false
    private var modes: Set<BackgroundMode> = []
    /// Since when the app's time in the background runs, and since when nothing but that holds it
    /// awake.
    private var (behindSince, freeSince) = (Instant.start, Instant.start)

    init(number: UInt16) { self.number = number }

    var isInFront: Bool { stage?.isInFront ?? false }

    mutating func launch() {
        isRunning = true
        tasks = SeenTasks()
    }

    mutating func enter(_ next: AppStage, at now: Instant) {
        if isInFront { lastSeen = now }
        if next != .suspended { tasks.timeBeginsAnew() }
        stage = next
        (behindSince, freeSince) = (now, now)
    }

    // MARK: What holds it awake

    mutating func fetch(_ begins: Bool, at now: Instant) {
        isFetching = begins
        freeSince = now
    }

    mutating func hold(by mode: BackgroundMode, _ begins: Bool, at now: Instant) {
        if begins { modes.insert(mode) } else { modes.remove(mode) }
        guard modes.isEmpty else { return }
        freeSince = now
        // Time that is up stays up.
        if !tasks.areUp { behindSince = now }
    }

    mutating func endTask(_ task: UInt32, at now: Instant) -> Bool {
        freeSince = now
        return tasks.end(task)
    }

    /// What holds the app awake behind, in words.
    var holder: String? {
        if let mode = BackgroundMode.allCases.first(where: modes.contains) { return mode.state }
        if isFetching { return "fetches" }
        return tasks.isHeld ? "holds a background task" : nil
    }

    /// The moment at which a system that stills its apps must have suspended the app; `nil` if it
    /// may run on.
    var stillFrom: Instant? {
        guard stage == .background, holder == nil, !tasks.mustDie else { return nil }
        return max(behindSince + Self.grace, freeSince)
    }

    /// Returns the end of the time that an app has in the background without being held, if that
    /// is still to come. Tasks whose time is up leave none.
    func endOfGrace(after now: Instant) -> Instant? {
        let end = behindSince + Self.grace
        return now < end && !tasks.areUp ? end : nil
    }

    /// Whether the app would be suspended if nothing held it.
    func isHeldLong(at now: Instant) -> Bool {
        stage == .background && behindSince + Self.grace < now
    }

    /// An app without a task runs on for so long behind (K4).
    private static let grace = TimeSpan.seconds(5)

    mutating func end(at now: Instant) {
        if isInFront { lastSeen = now }
        isRunning = false
        stage = nil
        tasks = SeenTasks()
        (isFetching, modes) = (false, [])
    }
}

extension AppStage {
    var isInFront: Bool { self == .active || self == .inactive }
}

/// The background tasks of one process, as the phone's facts show them (B14).
struct SeenTasks: Sendable {
    private var held: [UInt32] = []
    /// Tasks that must expire with the first one, and the moment of that.
    private var expiring: [UInt32] = []
    private var since = Instant.start
    /// The deadline of the tasks whose time is up.
    private var deadline: Instant?
    /// The deadline at which the app has to die, because it began a task when time was up.
    private var end: Instant?

    var isHeld: Bool { !held.isEmpty }

    /// Whether their time is up.
    var areUp: Bool { deadline != nil }

    /// The next moment after which the system must have done something.
    var due: Instant? {
        let expiry = expiring.isEmpty ? nil : since + SeenPhone.moment
        let end = end.map { $0 + SeenPhone.moment }
        return expiry.map { min($0, end ?? $0) } ?? end
    }

    /// Begins a task; returns whether the app has to die for it.
    mutating func begin(_ task: UInt32) -> Bool {
        held.append(task)
        end = deadline
        return end != nil
    }

    /// Notes that a task has expired. Returns whether it is the first of several.
    mutating func expire(_ task: UInt32, deadline: Instant, at now: Instant) -> Bool {
        let isFirst = self.deadline == nil
        if isFirst { (expiring, since, self.deadline) = (held, now, deadline) }
        expiring.removeAll { $0 == task }
        return isFirst && !expiring.isEmpty
    }

    /// Ends a task; returns false if it should have expired first, together with another one.
    mutating func end(_ task: UInt32) -> Bool {
        held.removeAll { $0 == task }
        let isDue = expiring.contains(task)
        expiring.removeAll { $0 == task }
        return !isDue
    }

    /// Whether the system has to kill the app, because it began a task when time was up.
    var mustDie: Bool { end != nil }

    /// Notes that the app has left the front, was woken, or has come to the front.
    mutating func timeBeginsAnew() { (expiring, deadline, end) = ([], nil, nil) }

    /// Returns what the system should have done before `now` to the app called `app`.
    mutating func settle(at now: Instant, of app: String) -> Slip? {
        if let task = expiring.first, since + SeenPhone.moment < now {
            expiring = []
            return Slip(
                expected: "all background tasks of \(app) expire when its time is up",
                seen: "task \(task) does not")
        }
        guard let end, end + SeenPhone.moment < now else { return nil }
        self.end = nil
        return Slip(
            expected: "\(app) is killed at \(end), because it began a task when its time was up",
            seen: "it goes on running")
    }
}
