import Quantities
import Reports
import RunLog
import RunPlan
import Scenario

extension Scenario {
    /// What a timeline breaks or changes when all is over, in sentences; `nil` if there is nothing
    /// of the kind. Only entries with a time are meant: who lets something happen by chance, or
    /// after something else, may well mean it to come late.
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
    /// Whether somebody writes it down to see what becomes of a transfer by it.
    fileprivate var disturbs: Bool {
        if case .changeFile = self { true } else { breaks }
    }
}

extension SessionResult {
    /// Whether the queue leaves the session alone from then on.
    fileprivate var isFinal: Bool {
        switch self {
        case .completed, .failed, .cancelled: true
        case .stopped: false
        }
    }
}
