/// `performance.html`: the runs of a suite side by side, or two suites. It needs no JavaScript.
package enum PerformancePage {
    package static func document(for report: PerformanceReport) -> String {
        let isRed = report.count(.slower) > 0 || report.count(.onlyBefore) > 0
        let state: Markup = !report.isComparison ? "plain" : isRed ? "red" : "green"
        let page = HTMLPage(
            title: "\(report.headline) · TransferLab",
            body: """
                \(report.isComparison ? .nothing : back)\
                <header class="headline \(state)">
                \(HTMLPage.eyebrow(of: "performance", by: report.after))
                <h1>\(report.headline)</h1>
                \(report.isComparison ? versions(of: report) : .nothing)</header>
                <main>\(PerformanceTables.markup(for: report))\
                \(PerformanceGrids.markup(for: report))\
                \(CompletionCurves.markup(for: report))\
                \(DelayDrawing.markup(for: report))\
                \(glossary)</main>
                """,
            style: style)
        return page.text
    }

    private static let back: Markup = """
        <nav class="back" aria-label="Suite"><a href="index.html">← All runs of the suite</a></nav>

        """

    private static func versions(of report: PerformanceReport) -> Markup {
        let facts = [("A", report.before), ("B", report.after)]
        let words = facts.map { HTMLPage.fact($0.0, $0.1?.description ?? "unknown version") }
        return "<dl class=\"facts versions\">\(words)</dl>\n"
    }

    private static let glossary: Markup = """
        <section aria-label="Figures in words"><h2>Figures in words</h2>
        <dl class="words">
        <div><dt>Completed in</dt><dd>from the first activation of a session to the last \
        completion</dd></div>
        <div><dt>Goodput</dt><dd>payload by that time</dd></div>
        <div><dt>Sent again</dt><dd>body bytes that had been sent before; TCP's own \
        retransmissions do not count</dd></div>
        <div><dt>Over an interface</dt><dd>all packets, both ways, headers included</dd></div>
        <div><dt>Radio on, energy</dt><dd>the radios' active time and tails, and their \
        energy</dd></div>
        <div><dt>Queueing</dt><dd>the time of packets on the busiest uplink beyond its shortest \
        delay, for half and for 95 % of them</dd></div>
        <div><dt>Fairness</dt><dd>Jain's index over the goodputs of items of one size that ran at \
        the same time: 1 if all are equal, 1 / n if one of n takes all</dd></div>
        </dl></section>

        """

    private static let style = """
        .headline.plain { border-top-color: var(--quiet); }
        .versions { grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); }
        .versions dd { white-space: normal; font-size: 15px; font-weight: 400; }
        .file + .file, .change + .change { border-top: 1px solid var(--line); padding-top: 14px; }
        .file > * + * { margin-top: 8px; }
        .change > summary { color: var(--text); font-size: 15px; overflow-wrap: anywhere; }
        .change > * + * { margin-top: 8px; }
        .figures th + th, .figures td { text-align: right; font-variant-numeric: tabular-nums;
          white-space: nowrap; }
        .figures th, .figures td { padding-right: 0; padding-left: 14px; }
        .figures th:first-child { padding-left: 0; }
        .figures thead th { white-space: normal; }
        .figures td small { display: block; }
        @media (max-width: 720px) {
          .figures th, .figures td { padding-left: 0; }
          .figures td { text-align: left; grid-template-columns: 136px 1fr; }
          .figures td small { display: inline; }
        }
        table.grid { width: auto; border-collapse: separate; border-spacing: 2px; }
        table.grid th, table.grid td { border: 0; padding: 7px 12px; text-align: center;
          vertical-align: middle; font-variant-numeric: tabular-nums; white-space: nowrap; }
        table.grid tbody th { text-align: right; }
        table.grid tbody td { border-radius: 6px; background: color-mix(in srgb,
          var(--heat) var(--share, 0%), var(--panel)); border: 1px solid var(--line); }
        table.grid strong, table.grid td small { display: block; color: var(--text); }
        :root { --heat: #8fc3a6; }
        @media screen and (prefers-color-scheme: dark) { :root { --heat: #23583c; } }
        .plots { display: grid; gap: 24px 32px; align-items: end;
          grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr)); }
        .plots figure { max-width: 520px; }
        .plots figcaption { margin-bottom: 8px; overflow-wrap: anywhere; }
        .plot { width: 100%; height: auto; }
        .plot .line { stroke-width: 2; }
        .plot circle.line { fill: var(--panel); }
        .cross .line { stroke-dasharray: none; }
        .cross .before { stroke-dasharray: 2 2; opacity: 0.7; }
        .words { display: grid; gap: 6px; font-size: 14px; }
        .words > div { display: grid; grid-template-columns: 150px 1fr; gap: 14px; }
        .words dt { font-weight: 600; }
        .words dd { margin: 0; color: var(--quiet); }
        @media (max-width: 720px) { .words > div { grid-template-columns: 1fr; gap: 0; } }
        @media print { .back { display: none; } }
        """
}
