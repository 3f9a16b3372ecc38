import RunLog

/// `report.html`: a single file that can be mailed, archived and printed.
package enum HTMLReport {
    /// Returns the report. Without a chart library its charts are static, and a note says so.
    /// `index` is the way to the page of the run's suite, if there is one.
    package static func document(
        for model: ReportModel, charts: ChartLibrary?, index: String? = nil
    ) -> String {
        let sections = ReportSection.all.compactMap { section in
            section.body(model).map { (section: section, body: $0) }
        }
        let word = model.judgement.isGreen ? "✔" : "✘"
        let page = HTMLPage(
            title: "\(word) \(model.beginning.scenario) · TransferLab",
            body: """
                \(Headline.markup(of: model, index: index))
                <nav aria-label="Sections"><ul>\(sections.map {
                    "<li><a href=\"#\($0.section.id)\">\($0.section.title)</a></li>"
                })</ul></nav>
                <main>
                \(sections.map { section($0.section, $0.body) })
                </main>
                <footer>\(footer(hasCharts: charts != nil))</footer>
                """,
            charts: charts,
            script: scripts(hasCharts: charts != nil))
        return page.text
    }

    private static func scripts(hasCharts: Bool) -> String {
        let texts = [TimelineScript.text, EventScript.text] + (hasCharts ? [ChartScript.text] : [])
        return texts.joined(separator: "\n")
    }

    private static func section(_ section: ReportSection, _ body: Markup) -> Markup {
        """
        <section id="\(section.id)" aria-labelledby="\(section.id)-heading">
        <h2 id="\(section.id)-heading">\(section.title)</h2>
        \(body)
        </section>

        """
    }

    private static func footer(hasCharts: Bool) -> Markup {
        hasCharts
            ? """
            <noscript><p>Charts are static without JavaScript; with it they can be \
            zoomed.</p></noscript>
            """
            : """
            <p>Charts in this report are static: dygraphs was not found in \
            \(ChartLibrary.usualFolder). Install it with \
            <code>apt-get install libjs-dygraphs</code>.</p>
            """
    }
}
