import Checks
import Quantities
import Reports
import RunLog
import RunPlan
import Scenario

/// Hints at something odd in a run that is no failure: its scenario may mean something else than it
/// says.
///
/// Each kind of hint is a property in a file of its own. What the scenario's expectations mention
/// is meant, and no hint tells of it.
struct RunHints {
    let scenario: Scenario
    let figures: Figures
    let oddities: OddityBook
    /// What came of each entry of the timeline, in the file's order.
    let entries: [PlayedEntry]

    /// An entry of the timeline, and how often it happened.
    struct PlayedEntry {
        var entry: ScheduledEntry
        var deeds: [TimelineDeed] = []
    }

    init(
        of scenario: Scenario, seed: UInt64, figures: Figures, oddities: OddityBook,
        deeds: [TimelineDeed]
    ) {
        self.scenario = scenario
        self.figures = figures
        self.oddities = oddities
        var entries = scenario.timeline.map { PlayedEntry(entry: $0) }
        let numbers = scenario.entryNumbers(seed: seed)
        for deed in deeds { entries[numbers[deed.entry]].deeds.append(deed) }
        self.entries = entries
    }

    /// All hints; `nil` if there are none.
    var sentences: [String]? {
        let all =
            [scenario.reasonHint].compactMap(\.self) + lateEntries + refusedEntries + voidEntries
            + repeatedEntries + idleFaults + idleVisits + idleFlows + failedAnswers
        return all.isEmpty ? nil : all
    }

    /// Returns an entry in plain words, in quotes.
    func words(for played: PlayedEntry) -> String { "“\(played.entry.sentence(in: scenario))”" }

    /// Everything that the scenario wants to see, in this run or in one of several.
    var wishes: [ExpectationPlan] { (scenario.expectations + scenario.sometimes).map(\.plan) }

    /// Whether the scenario is chaos with a healing: what each of its entries does is left to
    /// chance, and some are there only in case that they are needed.
    var isChaos: Bool {
        scenario.timeline.contains { if case .heal = $0.action { true } else { false } }
    }

    /// The end of the last session; `nil` if one is missing or may go on.
    var end: Instant? {
        guard figures.sessions.count == scenario.sessionCount,
            figures.sessions.allSatisfy({ $0.outcome?.isFinal ?? false })
        else { return nil }
        return figures.sessions.compactMap(\.endedAt).max()
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
