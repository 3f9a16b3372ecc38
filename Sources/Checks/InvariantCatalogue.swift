/// The invariants of behaviour.md that watch every run, one line each.
package enum InvariantCatalogue {
    /// A fresh check of each, for one run.
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

    /// Those of them that a server alone can be held to, whoever its clients are.
    package static func checksOfServer() -> [any Check] {
        [AppendBeginsWhereAcknowledged(), ProgressStaysInBounds(), OneWriterPerUpload()]
    }
}
