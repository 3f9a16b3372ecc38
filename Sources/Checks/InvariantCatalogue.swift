/// The invariants of behaviour.md that watch every run, one line each.
package enum InvariantCatalogue {
    /// A fresh check of each, for one run.
    package static func checks() -> [any Check] {
        [
            PublishedEqualsOneSnapshot(),
            VersionsAreNeverJoined(),
            AppendBeginsWhereAcknowledged(),
            TerminalStateIsFinal(),
            ProgressStaysInBounds(),
            OneWriterPerUpload(),
            StoreSurvivesCrash(),
            PublishesOnce(),
            CallbacksFollowGrammar(),
            AttemptsKeepTheirBudget(),
            BackgroundTasksAreBalanced(),
            TokensAndTimers(),
            NothingOutOfBounds(),
            QueueKeepsOrder(),
            NetworkObeysPhysics(),
            EverySessionEnds(),
            ErrorsHaveAWayOut(),
            SuspendedAppsAreReleased(),
            NothingBlocksTheQueue(),
            LeftoversAreReclaimed(),
        ]
    }

    /// Those of them that a server alone can be held to, whoever its clients are.
    package static func checksOfServer() -> [any Check] {
        [AppendBeginsWhereAcknowledged(), ProgressStaysInBounds(), OneWriterPerUpload()]
    }
}
