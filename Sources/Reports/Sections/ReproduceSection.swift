import RunLog

/// The command that plays this run again, and how to recognise the same run.
enum ReproduceSection {
    static func body(of model: ReportModel) -> Markup? {
        let beginning = model.beginning
        let same: Markup =
            switch beginning.world {
            case .simulated:
                """
                <p>The same scenario and seed make the same log on any machine, with the digest \
                <code>\(model.digest)</code>.</p>
                """
            case .live:
                """
                <p>A live run meets a real network and a real clock: the plan is the same each \
                time, but the log is not. This log's digest is <code>\(model.digest)</code>.</p>
                """
            case .served:
                """
                <p>Nobody planned what the clients did, so it cannot be played again. This command \
                starts the server again, with the same faults.</p>
                \(ScenarioSection.markup(of: beginning))
                """
            }
        return "<pre class=\"command\"><code>\(beginning.command)</code></pre>\n\(same)"
    }
}
