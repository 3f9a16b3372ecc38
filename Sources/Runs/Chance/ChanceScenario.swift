/// The façades of random scenarios.
package enum ChanceFacade: String, CaseIterable, Sendable {
    case queue, persistent, operations, background, resumable
}

/// A random scenario, as the text of a file that anybody can play.
///
/// Each run leaves out some kinds of trouble and some abilities of the app (swarm testing), because
/// frequent events hide rare ones.
enum ChanceScenario {
    static func text(seed: UInt64, of facades: [ChanceFacade]) -> String {
        var dice = ChanceDice(seed: seed, name: "apps")
        var first = ChanceApp(nil, with: Self.some(of: facades, &dice), &dice)
        let identities = ChanceIdentities(seed: seed)
        let signingIn = identities.wishes(with: first.accounts, seed: seed)
        first.add(ChanceRules(of: first, seed: seed, signingIn: signingIn))
        var others: [ChanceApp] = []
        if dice.oneIn(5) {
            let theirs = Self.some(of: facades, &dice)
            var backup = ChanceApp("backup", with: theirs, after: first, &dice)
            backup.add(ChanceRules(of: backup, seed: seed))
            others.append(backup)
        }
        var tablets: [ChanceApp] = []
        // Each app needs some of the time after the healing, so there are no more than two.
        if others.isEmpty, dice.oneIn(5) {
            let theirs = Self.some(of: facades, &dice)
            tablets.append(ChanceApp("pad", with: theirs, after: first, &dice))
        }
        let world = ChanceWorld(seed: seed)
        let apps = [first] + others + tablets
        let course = ChanceCourse(
            seed: seed, apps: apps, hasTablet: !tablets.isEmpty, signingIn: signingIn, world)
        return text(seed, first, others, tablets, identities, world, course)
    }

    private static func some(
        of facades: [ChanceFacade], _ dice: inout ChanceDice
    ) -> [ChanceFacade] {
        let some = dice.swarm(facades)
        return some.isEmpty ? [dice.pick(facades)] : some
    }

    private static func text(
        _ seed: UInt64, _ first: ChanceApp, _ others: [ChanceApp], _ tablets: [ChanceApp],
        _ identities: ChanceIdentities, _ world: ChanceWorld, _ course: ChanceCourse
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
            lines += app.lines(indentation: 6, as: identities, seed: seed, place: 1)
        }
        if !tablets.isEmpty {
            lines += ["devices:", "  tablet:"] + world.tabletLines.map { "    \($0)" }
            lines.append("    apps:")
        }
        for app in tablets {
            lines.append("      \(app.name ?? ""):")
            lines += app.lines(indentation: 8, as: identities, seed: seed, place: 1)
        }
        lines += world.linkLines + world.tcpLines + world.flowLines
        lines += first.lines(indentation: 0, as: identities, seed: seed)
        let usesKeys = ([first] + others + tablets).contains {
            !$0.operations.isEmpty || !$0.tasks.isEmpty
        }
        let visits = ChanceVisits(seed: seed)
        lines += world.serverLines(
            usesKeys: usesKeys, visits.serverLines + identities.serverLines)
        lines += visits.lines
        lines += ["limit: \(course.limit)", "timeline:"]
        lines += course.lines.map { "  - \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }
}
