import LinkModels
import Quantities
import RunPlan

extension Scenario {
    /// The plan in plain sentences, for people who read a log or a report and not the file.
    package var sentences: [String] {
        [sentence(on: uplink), sentence(on: downlink)]
            + sessions.enumerated().map { sentence(on: $0.element, number: $0.offset + 1) }
            + timeline.map { "At \($0.at.sinceStart) \($0.action.sentence)." }
            + ["The run ends at \(limit) at the latest."]
            + expectations.map { "Expected: \($0.words)." }
            + excuses.map { "\($0.rule) is excused: \($0.reason)." }
            + (mustFail.map { ["This is a canary: “\($0)” must fall, and nothing else."] } ?? [])
    }

    private func sentence(on link: LinkPlan) -> String {
        let queue =
            switch link.bottleneck.queue {
            case .dropTail(let limit): "its queue takes \(limit)"
            }
        let losses = link.filters.map { filter in
            switch filter {
            case .independentLoss(let chance): "\(chance) of the packets are lost"
            }
        }
        let line = "The \(link.name) carries \(link.bottleneck.rate) with \(link.delay) of delay"
        return ([line, queue] + losses).joined(separator: "; ") + "."
    }

    private func sentence(on session: PlannedSession, number: Int) -> String {
        let size = files.first { $0.path == session.source }.map { " (\($0.size))" } ?? ""
        return "Session \(number) uploads \(session.source)\(size) to \(session.destination)."
    }
}

extension TimelineEntry.Action {
    fileprivate var sentence: String {
        switch self {
        case .killApp: "the app is killed"
        case .launchApp: "the app is launched"
        }
    }
}
