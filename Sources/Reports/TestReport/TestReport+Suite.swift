import RunLog

extension TestReport {
    /// Makes a case of each run, and of everything that the runs should have shown together.
    ///
    /// - Parameter folder: The folder with the runs' reports; `nil` if none were written.
    package init(of command: String, _ suite: Suite, folder: String?, in workspace: Workspace) {
        let folder = folder.map(workspace.path)
        self.init(
            of: command,
            suite.entries.map { TestCase($0, folder: folder, in: workspace) }
                + suite.notPlayed.map { run in
                    TestCase(run, in: workspace) {
                        .broke(TestFailure("not played", "could not be played: \($0)"))
                    }
                }
                + suite.trapped.map { TestCase($0, in: workspace) }
                + suite.leftOut.map { run in
                    TestCase(run, in: workspace) { .skipped(because: $0) }
                }
                + suite.unreached.map { occasion in
                    TestCase(
                        demand: "sometimes: \(occasion.words)", at: occasion.place,
                        TestFailure("sometimes", "reached in no run"), in: workspace)
                }
                + suite.shortfalls.map { shortfall in
                    TestCase(
                        demand: "evidence: \(shortfall.words)", at: shortfall.place,
                        TestFailure("evidence", shortfall.remedy), in: workspace)
                })
        guard let interruption = suite.interruption else { return }
        var whole = TestCase(suite: ["suite"], name: "all runs were played")
        whole.outcome = .broke(TestFailure("interruption", interruption.words))
        cases.append(whole)
    }
}

extension TestCase {
    fileprivate init(_ entry: SuiteEntry, folder: String?, in workspace: Workspace) {
        self.init(
            entry.world.rawValue, of: entry.path, name: Self.name(entry.scenario, seed: entry.seed),
            in: workspace)
        seconds = entry.wallSeconds ?? 0
        tags = entry.about?.tags ?? []
        output =
            ["digest \(entry.digest)", "reproduce with: \(entry.command)"]
            + entry.limitations.map { "limited: \($0.what); \($0.remedy)" }
            + (entry.hints ?? []).map { "hint: \($0)" }
        guard !entry.judgement.isGreen else { return }
        outcome = .failed(
            TestFailure(entry.judgement, entry.breaches, command: entry.command, in: workspace))
        guard let folder else { return }
        attachments = ["report.html", "events.jsonl"].map { "\(folder)/\(entry.folder)/\($0)" }
    }

    fileprivate init(_ run: TrappedRun, in workspace: Workspace) {
        self.init(
            run.world.rawValue, of: run.path, name: Self.name(run.scenario, seed: run.seed),
            in: workspace)
        outcome = .broke(TestFailure("trap", run.reason, command: run.command))
    }

    fileprivate init(
        _ run: UnplayedRun, in workspace: Workspace, _ outcome: (String) -> Outcome
    ) {
        self.init(run.world.rawValue, of: run.path, name: run.scenario, in: workspace)
        self.outcome = outcome(run.reason)
    }

    /// Makes the case of an unmet demand on all runs together.
    fileprivate init(
        demand name: String, at text: String, _ failure: TestFailure, in workspace: Workspace
    ) {
        let place = SourcePlace(text).map(workspace.place)
        self.init(suite: ["suite"], name: name, place: place)
        outcome = .failed(failure)
    }

    /// Returns a run's name, the same with a verdict and without.
    private static func name(_ scenario: String, seed: UInt64) -> String {
        "\(scenario), seed \(seed)"
    }
}
