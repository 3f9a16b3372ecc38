import Quantities
import RunLog

/// `session N is waiting at TIME`, or `at the end`.
struct SessionStands: Expectation {
    let session: ItemName
    let wanted: ItemStage
    /// The moment to judge; `nil` means the run's end.
    let moment: TimeSpan?

    var watch = Watch()
    var stage: ItemStage?
    /// The event that led to the current state.
    var since: Watch.Mark?
    var isJudged = false

    var statement: String {
        "\(session) is \(wanted.rawValue) " + (moment.map { "at \($0)" } ?? "at the run's end")
    }

    mutating func read(_ event: RunEvent) {
        // Events at the moment itself count.
        if let moment, event.at > .start + moment { judge() }
        switch event.fact {
        case .engine(.accepts(session, _, _)) where stage == nil: enter(.waiting)
        case .engine(.moves(session, _, let to, _)): enter(to)
        case .engine(.found(session, let stage)): enter(stage)
        // A session that was running waits in the next launch.
        case .device(.appKilled)
        where session.facade == .queue
            && (stage == .running || stage == .retrying || stage == .preempted):
            enter(.waiting)
        case .device(.appKilled) where stage == .preemptedPaused: enter(.paused)
        case .run(.ended): judge()
        default: break
        }
    }

    var reasonNotToJudge: String? { isJudged ? nil : "the log ends before that moment" }

    private mutating func enter(_ next: ItemStage) {
        stage = next
        since = watch.mark
    }

    private mutating func judge() {
        guard !isJudged else { return }
        isJudged = true
        guard stage != wanted else { return }
        guard let stage, let since else {
            return watch.fall(expected: statement, seen: "\(session) was never accepted")
        }
        // Names the event that led to the state, not the next event in the log.
        watch.fall(
            at: since, expected: statement, seen: "it is \(stage.rawValue), since \(since.at)")
    }
}
