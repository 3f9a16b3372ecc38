import RunLog

/// The command that plays this run again, and how to recognise the same run.
enum ReproduceSection {
    static func body(of model: ReportModel) -> Markup? {
        let beginning = model.beginning
        let same: Markup =
            switch beginning.world {
            case .simulated:
                """
                <p>The same scenario and seed make the same log, on any machine: its digest is \
                <code>\(model.digest)</code> again.</p>
                """
            case .live:
                """
                <p>A live run meets a real network and a real clock: the plan is the same again, \
                the log is not. This one's digest is <code>\(model.digest)</code>.</p>
                """
            case .served:
                """
                <p>What clients did nobody planned, and it cannot be played again. The server \
                stands there again with this command; a faulty one fails in the same way.</p>
                \(ScenarioSection.markup(of: beginning))
                """
            }
        return "<pre class=\"command\"><code>\(beginning.command)</code></pre>\n\(same)"
    }
}
