/// The façades that random scenarios have something of.
package enum ChanceFacade: String, CaseIterable, Sendable {
    case queue, persistent, operations, background, resumable
}

/// A random scenario, as the text of a file that anybody can play.
///
/// A swarm: each run leaves out some of what can go wrong, and some of what an app can do, as what
/// happens all the time hides what would come of the rest.
package struct ChanceScenario: Sendable {
    package let seed: UInt64
    package let text: String

    package init(seed: UInt64, of facades: [ChanceFacade] = ChanceFacade.allCases) {
        self.seed = seed
        var dice = ChanceDice(seed: seed, name: "apps")
        var some = dice.swarm(facades)
        if some.isEmpty { some = [dice.pick(facades)] }
        let first = ChanceApp(nil, with: some, before: .init(), &dice)
        var others: [ChanceApp] = []
        if dice.oneIn(5) {
            var theirs = dice.swarm(facades)
            if theirs.isEmpty { theirs = [dice.pick(facades)] }
            others.append(
                ChanceApp("backup", with: theirs, before: first.counts, &dice))
        }
        let world = ChanceWorld(seed: seed)
        let course = ChanceCourse(seed: seed, apps: [first] + others, world)
        text = Self.text(seed, first, others, world, course)
    }

    private static func text(
        _ seed: UInt64, _ first: ChanceApp, _ others: [ChanceApp], _ world: ChanceWorld,
        _ course: ChanceCourse
    ) -> String {
        var lines = [
            "name: chance \(seed)",
            "why: what nobody has thought of has to hold, too",
            "seed: \(seed)",
            "device:",
        ]
        lines += world.deviceLines.map { "  \($0)" }
        if !others.isEmpty { lines.append("  apps:") }
        for app in others {
            lines.append("    \(app.name ?? ""):")
            lines += app.lines(indentation: 6)
        }
        lines += world.linkLines
        lines += first.lines(indentation: 0)
        lines += world.faultLines
        lines += ["limit: \(course.limit)", "timeline:"]
        lines += course.lines.map { "  - \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }
}
