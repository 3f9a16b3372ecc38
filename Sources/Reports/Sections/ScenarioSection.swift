import RunLog

/// The scenario, in plain sentences and as text.
enum ScenarioSection {
    static func body(of model: ReportModel) -> Markup? {
        // The clients of a recorded server follow no scenario.
        model.beginning.world == .served ? nil : markup(of: model.beginning)
    }

    static func markup(of beginning: RunBeginning) -> Markup {
        let file: Markup =
            beginning.path.isEmpty
            ? .nothing
            : """
            <details><summary>The file, <code>\(beginning.path)</code></summary>
            <pre><code>\(beginning.text)</code></pre></details>
            """
        return """
            <ol class="sentences">\(beginning.sentences.map { "<li>\($0)</li>" })</ol>
            \(file)
            """
    }
}
