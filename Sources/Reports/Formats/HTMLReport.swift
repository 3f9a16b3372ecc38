import RunLog

/// `report.html`: a single file that can be mailed, archived and printed.
package enum HTMLReport {
    /// Returns the report. Without a chart library its charts are static, and a note says so.
    package static func document(for model: ReportModel, charts: ChartLibrary?) -> String {
        let sections = ReportSection.all.compactMap { section in
            section.body(model).map { (section: section, body: $0) }
        }
        let word = model.judgement.isGreen ? "✔" : "✘"
        let page = HTMLPage(
            title: "\(word) \(model.beginning.scenario) · TransferLab",
            body: """
                \(Headline.markup(of: model))
                <nav aria-label="Sections"><ul>\(sections.map {
                    "<li><a href=\"#\($0.section.id)\">\($0.section.title)</a></li>"
                })</ul></nav>
                <main>
                \(sections.map { section($0.section, $0.body) })
                </main>
                <footer>\(footer(hasCharts: charts != nil))</footer>
                """,
            charts: charts, script: charts.map { _ in ChartScript.text })
        return page.text
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
