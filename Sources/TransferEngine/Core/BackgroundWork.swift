/// The engine's time in the background (A11): requested while there is work, returned when there is
/// none or when it is up.
///
///     inFront ──▶ behind          the app leaves the front
///     behind ──▶ behind           a task begins with the first work and ends with the last
///     behind ──▶ timeUp           the task expires: nothing new begins
///     behind, timeUp ──▶ inFront  the app is in front again; the task ends
struct BackgroundWork: Hashable, Sendable {
    private var place = Place.inFront
    private var lastTask = BackgroundTaskID(0)
    /// Whether the app lets its transfers be declared to the system (A11).
    private var asksForTime: Bool

    private enum Place: Hashable, Sendable {
        case inFront
        case behind(BackgroundTaskID?)
        case timeUp(BackgroundTaskID?)
    }

    init(asksForTime: Bool) { self.asksForTime = asksForTime }

    /// Whether all work has to wait until the app is in front again.
    var isTimeUp: Bool {
        switch place {
        case .inFront, .behind: false
        case .timeUp: true
        }
    }

    mutating func ask(forTime asks: Bool) { asksForTime = asks }

    mutating func leaveFront() {
        switch place {
        case .inFront: place = .behind(nil)
        case .behind, .timeUp: break
        }
    }

    /// Notes that the app is in front; returns how to end the task that is held, if one is.
    mutating func comeBack() -> EngineOutput? {
        switch place {
        case .inFront: return nil
        case .behind(let task), .timeUp(let task):
            place = .inFront
            return task.map { .endBackgroundTask($0) }
        }
    }

    /// Notes that a task expired; returns false if it has ended already.
    mutating func expire(_ task: BackgroundTaskID) -> Bool {
        guard place == .behind(task) else { return false }
        place = .timeUp(task)
        return true
    }

    /// Begins or ends a task, so that one is held exactly while there is work. Called after each
    /// input. No task begins once time is up, because the system would kill the app (B14).
    mutating func balance(hasWork: Bool) -> EngineOutput? {
        switch place {
        case .inFront, .timeUp(nil): return nil
        case .behind(nil):
            guard hasWork, asksForTime else { return nil }
            lastTask.number += 1
            place = .behind(lastTask)
            return .beginBackgroundTask(lastTask)
        case .behind(let task?):
            guard !hasWork || !asksForTime else { return nil }
            place = .behind(nil)
            return .endBackgroundTask(task)
        case .timeUp(let task?):
            guard !hasWork else { return nil }
            place = .timeUp(nil)
            return .endBackgroundTask(task)
        }
    }
}
