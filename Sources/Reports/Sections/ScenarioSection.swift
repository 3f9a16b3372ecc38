import RunLog

/// What was played: in plain sentences, and as the file has it.
enum ScenarioSection: ReportSection {
    static let id = "scenario"
    static let title = "Scenario"

    static func body(of model: ReportModel) -> Markup? {
        """
        <ol class="sentences">\(model.beginning.sentences.map { "<li>\($0)</li>" })</ol>
        <details><summary>The file, <code>\(model.beginning.path)</code></summary>
        <pre><code>\(model.beginning.text)</code></pre></details>
        """
    }
}
