import Quantities
import Reports
import RunLog
import RunPlan
import Scenario

extension Scenario {
    /// Returns sentences about entries that break or change something after the last session has
    /// ended; `nil` if there are none. Only entries with a fixed time count, because others may
    /// come late on purpose.
    func hints(after figures: Figures) -> [String]? {
        guard figures.sessions.count == sessionCount,
            figures.sessions.allSatisfy({ $0.outcome?.isFinal ?? false }),
            let end = figures.sessions.compactMap(\.endedAt).max()
        else { return nil }
        let late = timeline.filter { entry in
            guard case .at(let time) = entry.occasion, entry.action.disturbs else { return false }
            return .start + time > end
        }
        guard !late.isEmpty else { return nil }
        return late.map { entry in
            "“\(entry.sentence(in: self))” comes after the end of the last session at \(end)"
        }
    }
}

extension TimelineEntry.Action {
    /// Whether the action is meant to disturb a transfer.
    fileprivate var disturbs: Bool {
        if case .changeFile = self { true } else { breaks }
    }
}

extension SessionResult {
    /// Whether the session has ended for good.
    fileprivate var isFinal: Bool {
        switch self {
        case .completed, .failed, .cancelled: true
        case .stopped: false
        }
    }
}
