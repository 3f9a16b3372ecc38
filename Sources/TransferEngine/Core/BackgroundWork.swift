/// The engine's time in the background (A11): asked for while there is work, given back when there
/// is none or when it is up.
///
///     inFront ──▶ behind          the app leaves the front
///     behind ──▶ behind           a task is begun for work, and ended with the last of it
///     behind ──▶ timeUp           the task expires: nothing is begun any more
///     behind, timeUp ──▶ inFront  the app is in front again; a task that is held is ended
struct BackgroundWork: Hashable, Sendable {
    private var place = Place.inFront
    private var lastTask = BackgroundTaskID(0)
    private let asksForTime: Bool

    private enum Place: Hashable, Sendable {
        case inFront
        case behind(BackgroundTaskID?)
        case timeUp(BackgroundTaskID?)
    }

    init(asksForTime: Bool) { self.asksForTime = asksForTime }

    /// Whether everything has to wait until the app is in front again.
    var isTimeUp: Bool {
        switch place {
        case .inFront, .behind: false
        case .timeUp: true
        }
    }

    mutating func leaveFront() {
        switch place {
        case .inFront: place = .behind(nil)
        // It was said already.
        case .behind, .timeUp: break
        }
    }

    /// The task that has to be ended now, if one is held.
    mutating func comeBack() -> EngineOutput? {
        switch place {
        case .inFront: return nil
        case .behind(let task), .timeUp(let task):
            place = .inFront
            return task.map { .endBackgroundTask($0) }
        }
    }

    /// Whether there is anything to stop for it; a task that has been ended expires no more.
    mutating func expire(_ task: BackgroundTaskID) -> Bool {
        guard place == .behind(task) else { return false }
        place = .timeUp(task)
        return true
    }

    /// After each input: a task is held exactly while there is work, and none is begun when time is
    /// up, for that would get the app killed (B14).
    mutating func balance(hasWork: Bool) -> EngineOutput? {
        switch place {
        case .inFront, .timeUp(nil): return nil
        case .behind(nil):
            guard hasWork, asksForTime else { return nil }
            lastTask.number += 1
            place = .behind(lastTask)
            return .beginBackgroundTask(lastTask)
        case .behind(let task?):
            guard !hasWork else { return nil }
            place = .behind(nil)
            return .endBackgroundTask(task)
        case .timeUp(let task?):
            guard !hasWork else { return nil }
            place = .timeUp(nil)
            return .endBackgroundTask(task)
        }
    }
}
