/// The invariants that judge every run, one line each.
package enum InvariantCatalogue {
    /// Returns a new check of each invariant, for one run.
    package static func checks() -> [any Check] {
        [
            PublishedEqualsOneSnapshot(),
            VersionsAreNeverJoined(),
            AppendBeginsWhereAcknowledged(),
            PerApp(TerminalStateIsFinal()),
            ProgressStaysInBounds(),
            PerApp(OneWriterPerUpload()),
            EveryStoreSurvives(),
            PublishesOnce(),
            PerApp(CallbacksFollowGrammar()),
            PerApp(AttemptsKeepTheirBudget()),
            PerApp(BackgroundTasksAreBalanced()),
            TokensAndTimers(),
            PerApp(NothingOutOfBounds()),
            PerApp(QueueKeepsOrder()),
            NetworkObeysPhysics(),
            PhoneObeysItsSystem(),
            EverySessionEnds(),
            PerApp(ErrorsHaveAWayOut()),
            PerApp(SuspendedAppsAreReleased()),
            PerApp(NothingBlocksTheQueue()),
            LeftoversAreReclaimed(),
        ]
    }

    /// All clauses of the invariants, in order.
    package static let clauses: [Clause] = checks().flatMap { check in
        check.clauses.map { Clause(rule: check.rule, name: $0.name, sentence: $0.sentence) }
    }

    /// Returns the invariants that concern a server alone, whatever its clients are.
    package static func checksOfServer() -> [any Check] {
        [AppendBeginsWhereAcknowledged(), ProgressStaysInBounds(), OneWriterPerUpload()]
    }
}
