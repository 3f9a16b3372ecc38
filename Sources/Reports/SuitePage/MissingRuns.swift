/// The parts of a suite's page about runs without a verdict, and about what no run has shown.
enum MissingRuns {
    /// Returns what makes a suite red without any red run.
    static func beforeRuns(of suite: Suite) -> Markup {
        """
        \(list("Not played", suite.notPlayed, badge: cross))\
        \(traps(suite.trapped))\
        \(occasions(suite.unreached))\
        \(shortfalls(suite.shortfalls))
        """
    }

    static func leftOut(of suite: Suite) -> Markup { list("Left out", suite.leftOut) }

    private static let cross: Markup = "\(SuiteIndex.badge(isGreen: false)) "

    private static func entry(_ words: Markup, why: Markup) -> Markup {
        """
        <p>\(words)</p>
        <p class="why">\(why)</p>

        """
    }

    private static func list(
        _ title: String, _ runs: [UnplayedRun], badge: Markup = .nothing
    ) -> Markup {
        SuiteIndex.section(
            title,
            runs.map { entry("\(badge)\($0.scenario)", why: "\($0.path) · \($0.reason)") })
    }

    private static func traps(_ runs: [TrappedRun]) -> Markup {
        SuiteIndex.section(
            "Trapped",
            runs.map { run in
                entry(
                    "\(cross)\(run.scenario), seed \(run.seed)",
                    why: "\(run.path) · \(run.reason)")
                    + "<p class=\"why\"><code>\(run.command)</code></p>\n"
            })
    }

    private static func occasions(_ unreached: [Occasion]) -> Markup {
        SuiteIndex.section(
            "Never reached",
            unreached.map {
                entry(
                    "\(cross)\($0.words)",
                    why: "\($0.place) · at least one run of the suite must reach it")
            })
    }

    private static func shortfalls(_ shortfalls: [EvidenceShortfall]) -> Markup {
        SuiteIndex.section(
            "Short of evidence",
            shortfalls.map {
                entry("\(cross)\($0.words)", why: "\($0.place) · \($0.remedy)")
            })
    }
}
