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
    }

    mutating func end(at now: Instant) {
        if isInFront { lastSeen = now }
        isRunning = false
        stage = nil
        tasks = SeenTasks()
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
