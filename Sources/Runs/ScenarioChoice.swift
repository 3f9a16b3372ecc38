import DocrootServer
import Quantities
package import Reports
package import RunLog
import RunPlan
package import Scenario

/// The scenarios to play, of those at a command line's paths.
///
/// All are played, or those with one of the wanted tags. Scenarios with certain tags, such as
/// `long`, are played only if the file or the tag is named, and long live runs only if the file is
/// named.
package struct ScenarioChoice {
    package private(set) var scenarios: [Scenario] = []
    package private(set) var leftOut: [UnplayedRun] = []

    /// A folder's name does not include live runs with actions after this time.
    private static let livePatience = TimeSpan.seconds(120)

    /// `paths` are the paths of the command line; without `tags`, all scenarios are wanted.
    package init(
        of found: [Scenario], at paths: [String], tags: [String] = [], cases: [String] = [],
        in world: RunBeginning.World
    ) throws(RunFailure) {
        for scenario in try Self.tagged(tags, in: Self.like(cases, in: found)) {
            if world == .live, let fault = scenario.powerLoss {
                guard !paths.contains(scenario.path) else {
                    throw RunFailure(
                        "\(scenario.path) cannot be played live: fault “\(fault)” takes the "
                            + "server's power, which only a simulated server can lose; use "
                            + "./lab run \(scenario.words)")
                }
                leftOut.append(
                    UnplayedRun(
                        scenario: scenario.name, path: scenario.path, world: world,
                        reason: "fault “\(fault)” takes the power of a simulated server"))
                continue
            }
            let reason = Self.reason(notToPlay: scenario, unlessTagged: tags, in: world)
            if let reason, !paths.contains(scenario.path) {
                leftOut.append(
                    UnplayedRun(
                        scenario: scenario.name, path: scenario.path, world: world,
                        reason: reason))
            } else {
                scenarios.append(scenario)
            }
        }
        guard scenarios.isEmpty, let first = leftOut.first else { return }
        throw RunFailure(
            "nothing is left to play: \(first.path) is left out, because \(first.reason)"
                + (leftOut.count > 1 ? ", and \(leftOut.count - 1) more are left out" : ""))
    }

    private static func reason(
        notToPlay scenario: Scenario, unlessTagged tags: [String], in world: RunBeginning.World
    ) -> String? {
        // The tags of scenarios that a folder's name does not include.
        let seldom = world == .simulated ? ["long", "live-only"] : ["long"]
        let unasked = seldom.first { scenario.tags.contains($0) && !tags.contains($0) }
        if let unasked { return "it is tagged “\(unasked)”; --filter \(unasked) includes it" }
        if world == .live, !scenario.visits.isEmpty {
            return "its visits take place in simulation alone; name its file to play the rest"
        }
        guard world == .live, let end = scenario.lastTime, end.sinceStart > livePatience
        else { return nil }
        return "it acts after \(end.sinceStart) of real time; name its file to play it"
    }

    /// Returns the cases of matrices that have all these values, each as `name=value`.
    private static func like(
        _ values: [String], in found: [Scenario]
    ) throws(RunFailure) -> [Scenario] {
        guard !values.isEmpty else { return found }
        let like = found.filter { scenario in
            let own = scenario.variant?.split(separator: ",").map(String.init) ?? []
            return values.allSatisfy(own.contains)
        }
        guard like.isEmpty else { return like }
        let wanted = values.joined(separator: ",")
        let known = found.compactMap(\.variant)
        throw RunFailure(
            "no scenario here has the case “\(wanted)”"
                + Spelling.question(about: wanted, among: known)
                + (known.isEmpty
                    ? "; no scenario has a matrix" : "; the cases are \(Self.list(known))"))
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(12).map { "\n    \($0)" }.joined()
        return shown + (names.count > 12 ? "\n    and \(names.count - 12) more" : "")
    }

    /// Returns the scenarios with one of the tags, or all. A tag that no scenario has is a mistake.
    package static func tagged(
        _ tags: [String], in found: [Scenario]
    ) throws(RunFailure) -> [Scenario] {
        let known = Array(Set(found.flatMap(\.tags))).sorted()
        for tag in tags where !known.contains(tag) {
            throw RunFailure(
                "no scenario here has the tag “\(tag)”"
                    + Spelling.question(about: tag, among: known)
                    + (known.isEmpty
                        ? "; no scenario has tags"
                        : "; the tags are \(known.joined(separator: ", "))"))
        }
        return tags.isEmpty ? found : found.filter { $0.tags.contains(where: tags.contains) }
    }
}

extension Scenario {
    /// The fault by which the server loses its power.
    fileprivate var powerLoss: String? {
        faults.first(where: \.fault.losesPower)?.name
    }

    /// The time of the last timed action.
    fileprivate var lastTime: Instant? {
        plan().timeline.compactMap { entry in
            if case .at(let time) = entry.trigger { time } else { nil }
        }.max()
    }
}
