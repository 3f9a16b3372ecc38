import RunLog

/// The one command that plays this run again, and how to know that it is the same.
enum ReproduceSection: ReportSection {
    static let id = "reproduce"
    static let title = "How to reproduce"

    static func body(of model: ReportModel) -> Markup? {
        let same: Markup =
            switch model.beginning.world {
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
            }
        return "<pre class=\"command\"><code>\(model.beginning.command)</code></pre>\n\(same)"
    }
}
