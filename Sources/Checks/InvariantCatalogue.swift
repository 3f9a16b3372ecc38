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
            EverySessionEnds(),
            PerApp(ErrorsHaveAWayOut()),
            PerApp(SuspendedAppsAreReleased()),
            PerApp(NothingBlocksTheQueue()),
            LeftoversAreReclaimed(),
        ]
    }

    /// Returns the invariants that concern a server alone, whatever its clients are.
    package static func checksOfServer() -> [any Check] {
        [AppendBeginsWhereAcknowledged(), ProgressStaysInBounds(), OneWriterPerUpload()]
    }
}
