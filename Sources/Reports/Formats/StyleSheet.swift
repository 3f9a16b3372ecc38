/// The style of reports: light or dark like the reader's system, for screens of any width and for
/// paper.
enum StyleSheet {
    static let text = [colours, page, headline, tables, drawings, charts, suite, screens]
        .joined(separator: "\n")

    /// The colours; text and background have a contrast of at least 4.5 to 1.
    private static let colours = """
        :root {
          color-scheme: light dark;
          --ground: #f6f7f8; --panel: #ffffff; --text: #1b2026; --quiet: #5a6572;
          --line: #dfe3e8; --link: #1f5fbf;
          --green: #136b3f; --green-ground: #e2f3e9; --red: #a8231b; --red-ground: #fbe7e5;
          --grey-ground: #eceff2; --amber: #7a5200;
          --alive: #b9c6d3; --on-alive: #1b2026; --running: #2b66c4; --on-running: #ffffff;
          --waiting: #e7ecf2; --on-waiting: #3d4752; --retrying: #f2cf7e; --on-retrying: #3f2c00;
          --connected: #2a7f86; --on-connected: #ffffff; --connecting: #9fcfd3;
          --receiving: #6a55b5; --on-receiving: #ffffff;
          --series-1: #2b66c4; --series-2: #b3541e; --series-3: #2a7f86; --series-4: #6a55b5;
          --series-5: #a8326e; --series-6: #5f6b1f;
        }
        @media screen and (prefers-color-scheme: dark) {
          :root {
            --ground: #12161a; --panel: #1a2026; --text: #e8ebee; --quiet: #a0abb7;
            --line: #303943; --link: #8db8f5;
            --green: #7fd6a5; --green-ground: #173526; --red: #ff9d94; --red-ground: #43201d;
            --grey-ground: #2a323a; --amber: #e8bd62;
            --alive: #46535f; --on-alive: #f0f3f5; --running: #4a83dd; --on-running: #06111f;
            --waiting: #28313a; --on-waiting: #c3ccd5; --retrying: #c79a3a; --on-retrying: #1d1400;
            --connected: #3c9ea6; --on-connected: #04191b; --connecting: #24565b;
            --receiving: #9585dd; --on-receiving: #120c2b;
            --series-1: #74a7f2; --series-2: #eb9560; --series-3: #5fc0c7; --series-4: #ad9ff0;
            --series-5: #ec86bb; --series-6: #bdca6b;
          }
        }
        """

    private static let page = """
        * { box-sizing: border-box; }
        html { background: var(--ground); -webkit-text-size-adjust: 100%; }
        body { margin: 0; color: var(--text); font: 15px/1.55 system-ui, -apple-system, "Segoe UI",
          Roboto, "Helvetica Neue", "Liberation Sans", sans-serif; }
        .page { max-width: 1080px; margin: 0 auto; padding: 28px 24px 60px; }
        h1, h2, p, dl, ol, ul, figure, pre { margin: 0; }
        h1 { font-size: 27px; line-height: 1.25; font-weight: 650; letter-spacing: -0.01em;
          text-wrap: balance; overflow-wrap: anywhere; }
        h2 { font-size: 18px; line-height: 1.3; font-weight: 650; margin-bottom: 14px; }
        a { color: var(--link); text-underline-offset: 2px; text-decoration-thickness: 1px; }
        code, pre { font: 13px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono",
          monospace; }
        code { overflow-wrap: anywhere; }
        pre { background: var(--grey-ground); border-radius: 8px; padding: 12px 14px;
          overflow-x: auto; }
        pre code { overflow-wrap: normal; }
        small { font-size: 12.5px; color: var(--quiet); }
        section, .headline { background: var(--panel); border: 1px solid var(--line);
          border-radius: 12px; padding: 22px 24px; margin-bottom: 16px; overflow-x: clip; }
        section > * + *, .headline > * + * { margin-top: 14px; }
        section > h2 + * { margin-top: 0; }
        nav ul { display: flex; flex-wrap: wrap; gap: 4px 18px; list-style: none; padding: 2px 4px;
          margin-bottom: 16px; font-size: 14px; }
        .note, footer { color: var(--quiet); font-size: 13px; max-width: 78ch; }
        footer { padding: 6px 4px; }
        details > summary { cursor: pointer; color: var(--quiet); font-size: 14px; }
        details[open] > summary { margin-bottom: 10px; }
        :target { scroll-margin-top: 12px; }
        :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
        .sentences { padding-left: 22px; }
        .sentences li + li { margin-top: 4px; }
        .limits { list-style: none; padding: 0; }
        .limits li { border-left: 3px solid var(--amber); padding-left: 12px; }
        .limits li + li { margin-top: 10px; }
        """

    private static let headline = """
        .headline { border-top: 5px solid; padding-top: 20px; }
        .headline.green { border-top-color: var(--green); }
        .headline.red { border-top-color: var(--red); }
        .eyebrow { color: var(--quiet); font-size: 13px; letter-spacing: 0.02em; }
        .headline > .eyebrow + h1 { margin-top: 4px; }
        .judgement { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px;
          font-size: 16px; }
        .badge { display: inline-block; white-space: nowrap; font-weight: 600; font-size: 13px;
          line-height: 1.4; padding: 2px 9px; border-radius: 99px; }
        .badge.green { color: var(--green); background: var(--green-ground); }
        .badge.red { color: var(--red); background: var(--red-ground); }
        .badge.grey { color: var(--quiet); background: var(--grey-ground); }
        .judgement .badge { font-size: 15px; padding: 4px 14px; }
        .fallen { background: var(--red-ground); border-radius: 8px; padding: 14px 16px; }
        .fallen h2 { font-size: 15px; color: var(--red); margin-bottom: 8px; }
        .again { font-size: 14px; }
        .again code { background: var(--grey-ground); border-radius: 4px; padding: 2px 6px; }
        .expected > div { display: grid; grid-template-columns: 72px 1fr; gap: 12px; }
        .expected dt { color: var(--quiet); }
        .back { font-size: 14px; margin-bottom: 10px; }
        .fallen .cause, .cause > div + div { margin-top: 6px; }
        .trail { list-style: none; padding: 0; font-size: 13.5px; }
        .trail li { display: grid; grid-template-columns: 92px 1fr; gap: 10px; }
        .trail .time { font-variant-numeric: tabular-nums; }
        .expected dd, .facts dd { margin: 0; overflow-wrap: anywhere; }
        .facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(132px, 1fr));
          gap: 14px 20px; border-top: 1px solid var(--line); padding-top: 16px; }
        .facts dt { color: var(--quiet); font-size: 13px; }
        .facts dd { white-space: nowrap; font-size: 18px; font-weight: 600;
          font-variant-numeric: tabular-nums; }
        """

    private static let tables = """
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; font-size: 14px; }
        caption { text-align: left; font-weight: 600; padding-bottom: 6px; }
        th, td { text-align: left; vertical-align: top; padding: 7px 14px 7px 0;
          border-top: 1px solid var(--line); }
        th:last-child, td:last-child { padding-right: 0; }
        thead th { border-top: 0; color: var(--quiet); font-weight: 500; font-size: 13px;
          vertical-align: bottom; }
        tbody th { font-weight: 600; }
        .pair { display: grid;
          grid-template-columns: repeat(auto-fit, minmax(min(100%, 380px), 1fr));
          gap: 18px 40px; align-items: start; }
        .pair > .broad { grid-column: 1 / -1; }
        .upright th:first-child { width: 34%; font-weight: 400; color: var(--quiet); }
        .upright thead th { font-weight: 600; color: var(--text); }
        .upright thead th:first-child { font-weight: 500; color: var(--quiet); }
        .upright td { font-variant-numeric: tabular-nums; }
        .narrow { display: none; }
        .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        .verdicts td:nth-child(2) { min-width: 220px; }
        .verdicts .expected { margin-top: 8px; font-size: 13.5px; }
        .because { color: var(--quiet); font-size: 13px; }
        .events { font-size: 13px; }
        .events td { padding-top: 4px; padding-bottom: 4px; overflow-wrap: anywhere; }
        .events td:last-child { min-width: 240px; }
        .events tr:target td, .events tr.broken td { background: var(--red-ground); }
        .events tr:target:not(.broken) td { background: var(--grey-ground); }
        """

    private static let drawings = """
        svg { display: block; overflow: visible; }
        svg text { fill: var(--text); font-size: 12px; }
        svg .tick { fill: var(--quiet); font-size: 11.5px; font-variant-numeric: tabular-nums; }
        svg .lane { font-weight: 600; font-size: 12.5px; paint-order: stroke;
          stroke: var(--panel); stroke-width: 4px; }
        svg .grid { stroke: var(--line); stroke-width: 1; }
        svg .axis { stroke: var(--quiet); stroke-width: 1; }
        svg .inside { overflow: hidden; pointer-events: none; }
        .span { stroke-width: 1; }
        .span.alive { fill: var(--alive); stroke: var(--alive); }
        .span.background { fill: var(--alive); stroke: var(--alive); opacity: 0.55; }
        .span.suspended { fill: var(--panel); stroke: var(--quiet); stroke-dasharray: 1 2; }
        .span.running { fill: var(--running); stroke: var(--running); }
        .span.waiting { fill: var(--waiting); stroke: var(--quiet); stroke-dasharray: 3 2; }
        .span.retrying { fill: var(--retrying); stroke: var(--retrying); }
        .span.interrupted { fill: url(#hatch); stroke: var(--red); }
        .span.connecting { fill: var(--connecting); stroke: var(--connecting); }
        .span.connected { fill: var(--connected); stroke: var(--connected); }
        .span.receiving { fill: var(--receiving); stroke: var(--receiving); }
        .span.faulty { fill: url(#hatch); stroke: var(--amber); stroke-dasharray: 3 2; }
        .hatch-ground { fill: var(--panel); }
        .hatch-line { fill: var(--red); opacity: 0.45; }
        svg .label { font-size: 11.5px; }
        .label.alive { fill: var(--on-alive); }
        .label.running { fill: var(--on-running); }
        .label.waiting { fill: var(--on-waiting); }
        .label.retrying { fill: var(--on-retrying); }
        .label.connected { fill: var(--on-connected); }
        .label.receiving { fill: var(--on-receiving); }
        .label.interrupted, .label.faulty { paint-order: stroke; stroke: var(--panel);
          stroke-width: 4px; }
        svg .course { stroke: var(--quiet); stroke-dasharray: 2 3; }
        .callout circle { fill: var(--text); }
        svg .callout text { fill: var(--panel); font-size: 11px; font-weight: 700; }
        .callout.killed circle, .callout.breach circle, .callout.failed circle,
        .callout.lost circle, .callout.refused circle { fill: var(--red); }
        .callout.fault circle { fill: var(--amber); }
        .callout.published circle { fill: var(--green); }
        .legend { display: flex; flex-wrap: wrap; gap: 4px 18px; list-style: none; padding: 0;
          color: var(--quiet); font-size: 13px; }
        .legend li { display: flex; align-items: center; gap: 6px; }
        .timeline + figcaption { margin-top: 10px; }
        .moments { list-style: none; padding: 0; font-size: 14px; }
        .moments li { display: grid; grid-template-columns: 24px 1fr auto; gap: 10px;
          align-items: start; padding: 6px 0; border-top: 1px solid var(--line); }
        .moments .callout { width: 21px; height: 21px; line-height: 21px; border-radius: 50%;
          text-align: center; font-size: 11px; font-weight: 700; color: var(--panel);
          background: var(--text); }
        .moments .killed .callout, .moments .breach .callout, .moments .failed .callout,
        .moments .lost .callout, .moments .refused .callout { background: var(--red); }
        .moments .fault .callout { background: var(--amber); }
        .moments .published .callout { background: var(--green); }
        .moments .moment { overflow-wrap: anywhere; }
        .moments .time { font-variant-numeric: tabular-nums; white-space: nowrap; }
        """

    private static let charts = """
        .chart .live { display: none; }
        .chart.upgraded .live { display: block; width: 100%; height: 240px; }
        .chart.upgraded .still { display: none; }
        .chart figcaption { margin-bottom: 10px; }
        .line { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
        .line.series-1 { stroke: var(--series-1); }
        .line.series-2 { stroke: var(--series-2); stroke-dasharray: 6 3; }
        .line.series-3 { stroke: var(--series-3); }
        .line.series-4 { stroke: var(--series-4); stroke-dasharray: 6 3; }
        .line.series-5 { stroke: var(--series-5); }
        .line.series-6 { stroke: var(--series-6); stroke-dasharray: 6 3; }
        .line.solid { stroke-dasharray: none; }
        .line.dashed { stroke-dasharray: 6 3; }
        .line.slope { stroke-dasharray: 2 3; }
        .line.dots { stroke-width: 5; stroke-linecap: round; stroke-dasharray: none; }
        .reference { stroke: var(--quiet); stroke-width: 1; stroke-dasharray: 2 3; }
        .reference.theory { stroke-dasharray: 9 3 2 3; }
        svg .halo { paint-order: stroke; stroke: var(--panel); stroke-width: 4px; }
        figure[data-seconds] { position: relative; }
        .cursor { position: absolute; top: 0; bottom: 0; width: 1px; background: var(--text);
          opacity: 0.6; pointer-events: none; }
        .cursor[hidden] { display: none; }
        svg.timeline ~ .cursor::before { content: attr(data-time); position: absolute; top: -4px;
          left: 6px; white-space: nowrap; font-size: 12px; background: var(--panel);
          padding: 0 4px; }
        .values { min-height: 1.55em; color: var(--quiet); font-size: 12.5px;
          font-variant-numeric: tabular-nums; }
        .range { display: flex; flex-wrap: wrap; gap: 6px; align-items: center;
          margin-bottom: 10px; }
        .range button { font: inherit; font-size: 13px; color: var(--text);
          background: var(--grey-ground); border: 1px solid var(--line); border-radius: 6px;
          padding: 3px 10px; cursor: pointer; }
        .range output { margin-left: 8px; color: var(--quiet); font-size: 13px; }
        .dygraph-axis-label { color: var(--quiet); font-size: 11.5px; }
        """

    private static let suite = """
        .why { font-weight: 400; color: var(--quiet); font-size: 13px; overflow-wrap: anywhere; }
        .runs p { font-weight: 400; color: var(--quiet); font-size: 13px;
          overflow-wrap: anywhere; }
        .runs tbody th::before { content: "\\2714" / "green"; color: var(--green);
          margin-right: 7px; }
        .runs tbody .red > th::before { content: "\\2718" / "red"; color: var(--red); }
        .why i, .runs code ~ i { font-style: normal; background: var(--grey-ground);
          border-radius: 4px; padding: 1px 5px; margin-left: 4px; }
        .tools { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: end; font-size: 13px; }
        .tools[hidden] { display: none; }
        .tools label { color: var(--quiet); }
        .tools input, .tools select { display: block; font: inherit; font-size: 14px;
          color: var(--text); background: var(--panel); border: 1px solid var(--quiet);
          border-radius: 6px; padding: 4px 8px; }
        .tools input { width: 240px; max-width: 100%; }
        .tools output { margin-left: auto; }
        .folder > summary { padding: 6px 0; color: var(--text); }
        .folder > summary h3 { display: inline; font-size: 15px; }
        h3 { margin: 0; font-size: 15px; line-height: 1.4; overflow-wrap: anywhere; }
        .count { font-weight: 400; color: var(--quiet); white-space: nowrap; }
        .failures { padding-left: 22px; font-size: 14px; }
        .failures li { overflow-wrap: anywhere; }
        .failure > * + * { margin-top: 10px; }
        .failure .fallen > * + * { margin-top: 4px; }
        .trend td { white-space: nowrap; font-variant-numeric: tabular-nums; }
        .trend td:last-child { white-space: normal; }
        .spark circle { fill: var(--red); }
        .delays td { white-space: nowrap; font-variant-numeric: tabular-nums; }
        .delays td:last-child { width: 30%; }
        .delays .bar { height: 12px; background: var(--running); border-radius: 3px; }
        .delays .saved { background: var(--green); }
        .runs td, .slowest td, .coverage td:nth-child(2) { text-align: right;
          font-variant-numeric: tabular-nums; white-space: nowrap; }
        .runs thead th + th, .slowest thead th + th, .coverage thead th:nth-child(2) {
          text-align: right; }
        .runs thead button { font: inherit; color: inherit; background: none; border: 0;
          padding: 0; cursor: pointer; text-decoration: underline dotted; }
        .runs [aria-sort=ascending] button::after { content: " ▲"; }
        .runs [aria-sort=descending] button::after { content: " ▼"; }
        .runs tbody[hidden] { display: none; }
        .runs .single > td { text-align: left; border-top: 0; padding-top: 0; white-space: normal; }
        .strip { display: flex; gap: 10px; align-items: end; max-width: 460px; color: var(--quiet);
          font-size: 12px; font-weight: 400; font-variant-numeric: tabular-nums;
          white-space: nowrap; margin-top: 4px; }
        .dots { position: relative; flex: 1; margin: 0 5px; border-bottom: 1px solid var(--line); }
        .dots a, .dots i { position: absolute; width: 9px; height: 9px; margin-left: -5px;
          border-radius: 50%; background: var(--green); opacity: 0.55; }
        .dots i { opacity: 0.35; }
        .dots .red { background: var(--red); opacity: 1; z-index: 1; border-radius: 0; }
        """

    private static let screens = """
        @media (max-width: 720px) {
          .page { padding: 12px 10px 40px; }
          section, .headline { padding: 16px 14px; border-radius: 10px; }
          h1 { font-size: 22px; }
          .facts { grid-template-columns: repeat(auto-fill, minmax(104px, 1fr)); gap: 10px 10px; }
          .facts dd { font-size: 15px; }
          .expected, .trail { font-size: 13.5px; }
          .trail li { grid-template-columns: 84px 1fr; gap: 8px; }
          svg .wide { display: none; }
          .verdicts thead { display: none; }
          .verdicts tr { display: block; border-top: 1px solid var(--line); padding: 8px 0; }
          .verdicts th, .verdicts td { display: block; border: 0; padding: 1px 0; }
          
          .lying thead { display: none; }
          .lying tr { display: block; padding: 6px 0; border-top: 1px solid var(--line); }
          .lying th, .lying td { border: 0; padding: 1px 0; text-align: left; white-space: normal; }
          .lying th { display: block; }
          .lying td { display: grid; grid-template-columns: 112px 1fr; gap: 12px; }
          .lying td::before { content: attr(data-label); color: var(--quiet); }
          .narrow { display: inline; }
          .runs thead, .slowest thead, .coverage thead { display: none; }
          .runs tr, .slowest tr, .coverage tr { display: block; padding: 6px 0;
            border-top: 1px solid var(--line); }
          .runs .single, .runs .single td { border: 0; padding: 0; }
          .runs th, .slowest th, .coverage th { display: block; border: 0; padding: 1px 0; }
          .runs td, .slowest td, .coverage td, .coverage td:nth-child(2) { display: grid; border: 0;
            padding: 1px 0; text-align: left; white-space: normal;
            grid-template-columns: 112px 1fr; gap: 12px; }
          .runs .single td { display: block; }
          .runs td::before, .slowest td::before, .coverage td::before { color: var(--quiet); }
          .runs td:nth-child(2)::before { content: "Completed in"; }
          .runs td:nth-child(3)::before { content: "Goodput"; }
          .runs td:nth-child(4)::before { content: "Sent again"; }
          .runs td:nth-child(5)::before { content: "Dropped"; }
          .runs td:nth-child(6)::before { content: "Length"; }
          .slowest td:nth-child(2)::before { content: "Real time"; }
          .slowest td:nth-child(3)::before { content: "Share of all"; }
          .slowest td:nth-child(4)::before { content: "Time in the run"; }
          .coverage td:nth-child(2)::before { content: "Count"; }
          .coverage td:nth-child(3)::before { content: "In"; }
          .events th:nth-child(3), .events td:nth-child(3) { display: none; }
          .events th, .events td { padding-right: 10px; }
          .events td:last-child { min-width: 0; }
          .moments li { grid-template-columns: 24px 1fr; gap: 0 10px; }
          .moments .time { grid-column: 2; }
        }
        @media print {
          html { background: #ffffff; }
          body { font-size: 11pt; }
          .page { max-width: none; padding: 0 12px; }
          nav, footer, .range, .values, .back, .tools { display: none; }
          details::details-content { content-visibility: visible; block-size: auto; }
          pre { white-space: pre-wrap; overflow-wrap: anywhere; }
          td, th, .number, .facts dd { white-space: normal; overflow-wrap: anywhere; }
          section, .headline { border-radius: 0; border-width: 0 0 1px; padding: 10px 0;
            overflow-x: visible; }
          .headline { border-top-width: 5px; }
          figure, tr, .moments li, .fallen { break-inside: avoid; }
          .scroll { overflow: visible; }
          .chart.upgraded .live { display: none; }
          .chart.upgraded .still { display: block; }
          * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        }
        """
}
