/// The invariants of behaviour.md that watch every run, one line each.
package enum InvariantCatalogue {
    /// A fresh check of each, for one run.
    package static func checks() -> [any Check] {
        [
            PublishedEqualsOneSnapshot(),
            AppendBeginsWhereAcknowledged(),
            TerminalStateIsFinal(),
            StoreSurvivesCrash(),
            CallbacksFollowGrammar(),
            QueueKeepsOrder(),
            NetworkObeysPhysics(),
            EverySessionEnds(),
        ]
    }

    /// Those of them that a server alone can be held to, whoever its clients are.
    package static func checksOfServer() -> [any Check] { [AppendBeginsWhereAcknowledged()] }
}
