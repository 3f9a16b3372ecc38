import Foundation
import Testing

/// The real report in a real browser, with JavaScript and without.
@Suite(.enabled(if: Browser.isInstalled, "./lab test installs chromium"), .serialized)
struct RenderedReportTests {
    @Test(arguments: [true, false]) func `a report shows its verdicts and its charts`(
        withScripts: Bool
    ) throws {
        let desk = try Desk()
        let path = Desk.houseScenarios + "/queue/app-killed-and-started-again.yaml"
        let answer = try desk.lab("run", path, "--report", "out")
        let folder = "out" + path.replacing(".yaml", with: "")
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        let view = try Browser.open(
            desk.url.appending(path: "\(folder)/report.html"), withScripts: withScripts)

        #expect(view.console == [], "\(view.call)")
        let rows = view.document.components(separatedBy: "✔ held").count - 1
        let held = try desk.text(of: "\(folder)/run.json").components(separatedBy: #""held" : {"#)
        #expect(rows == held.count - 1 && rows >= 12, "\(rows) rules held; \(view.call)")
        #expect(view.document.contains("session 1 resumes once"), "\(view.call)")
        let canvases = view.document.components(separatedBy: "<canvas").count - 1
        #expect((canvases > 0) == withScripts, "\(canvases) canvases; \(view.call)")
        #expect(view.document.contains("<svg"), "\(view.call)")
        try Self.expectPicture(view)
    }

    @Test func `a red report says why on its first screen`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "red.yaml", "--report", "out")
        let page = desk.url.appending(path: "out/red/report.html")
        let view = try Browser.open(page, withScripts: true)
        #expect(view.console == [], "\(view.call)")
        let head = view.document.components(separatedBy: "<nav aria-label=\"Sections\"").first ?? ""
        for words in ["✘ Red", "session 1 completes within 1 ms", "./lab run red.yaml --seed 1"] {
            #expect(head.contains(words), "no “\(words)”; \(view.call)")
        }
        try Self.expectPicture(view)
    }

    @Test func `a lossy link has its theory in the legend, another has none`() throws {
        let desk = try Desk()
        let lossless = Desk.green.replacing(", loss: 1 %", with: "")
        try desk.write(lossless, to: "lossless.yaml")
        let reno = Desk.green.replacing(
            "files:", with: "tcp: { client: { controller: newreno } }\nfiles:")
        try desk.write(reno, to: "reno.yaml")
        let jitter = Desk.green.replacing("loss: 1 %", with: "loss: 1 %, jitter: 1 ms")
        try desk.write(jitter, to: "jitter.yaml")
        _ = try desk.lab("run", ".", "--report", "out")
        for (run, words) in [("green", "cubic"), ("reno", "reno")] {
            let page = try desk.text(of: "out/\(run)/report.html")
            #expect(page.contains("uplink, theory: \(words) at 1 % loss, 40 ms</span>"), "\(run)")
            #expect(!page.contains("downlink, theory"))
        }
        for run in ["lossless", "jitter"] {
            #expect(try !desk.text(of: "out/\(run)/report.html").contains("theory:"), "\(run)")
        }
    }

    @Test func `the figures of several sessions have room at the width of a desk`() throws {
        let desk = try Desk()
        let entry = "  - upload: note.txt\n    to: incoming/note.txt\n"
        let more = (2...4).map { entry.replacing("to: incoming", with: "to: \($0)") }.joined()
        try desk.write(Desk.green.replacing(entry, with: entry + more), to: "four.yaml")
        _ = try desk.lab("run", "four.yaml", "--report", "out")
        let probe = """
            <script>document.body.dataset.cut = Array.from(document.querySelectorAll('.scroll'))
              .filter(room => room.scrollWidth > room.clientWidth).length;</script></body>
            """
        let report = try desk.text(of: "out/four/report.html")
        try desk.write(report.replacing("</body>", with: probe), to: "out/four/probe.html")
        let view = try Browser.open(
            desk.url.appending(path: "out/four/probe.html"), withScripts: true)
        #expect(view.document.contains(#"data-cut="0""#), "\(view.call)")
    }

    @Test func `the second line of a chart is dashed, as its legend says`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "out")
        // How many paths a dashed line is made of: each begins with a dash of its own.
        let probe = """
            <script>
              (function (pen) {
                var begun = 0, most = 0;
                var move = pen.moveTo, begin = pen.beginPath, draw = pen.stroke;
                pen.beginPath = function () { begun = 0; begin.call(this); };
                pen.moveTo = function (x, y) { begun += 1; move.call(this, x, y); };
                pen.stroke = function () {
                  if (this.getLineDash().join() === '6,3') {
                    most = Math.max(most, begun);
                    document.documentElement.dataset.dashed = most;
                  }
                  draw.call(this);
                };
              }(CanvasRenderingContext2D.prototype));
            </script></head>
            """
        let report = try desk.text(of: "out/green/report.html")
        try desk.write(report.replacing("</head>", with: probe), to: "out/green/probe.html")
        let view = try Browser.open(
            desk.url.appending(path: "out/green/probe.html"), withScripts: true)
        #expect(view.document.contains(#"data-dashed="1""#), "\(view.call)")
    }

    @Test func `timeline and charts have one time axis and one cursor`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "out")
        let probe = """
            <script>
              var told = document.body.dataset;
              var figures = Array.from(document.querySelectorAll('figure[data-seconds]'));
              function plots() {
                return figures.map(function (figure) {
                  var box = figure.querySelector('svg.timeline, .live').getBoundingClientRect();
                  return Math.round(box.left) + '+' + Math.round(box.width);
                });
              }
              told.alike = new Set(plots()).size === 1;
              var span = document.querySelector('svg.timeline rect.running');
              var whole = parseFloat(span.getAttribute('width'));
              document.querySelector('.range button').click();
              told.wider = parseFloat(span.getAttribute('width')) > whole;
              told.range = document.querySelector('.range output').textContent;
              var box = figures[0].querySelector('svg.timeline').getBoundingClientRect();
              figures[0].dispatchEvent(new MouseEvent('mousemove',
                { clientX: box.left + box.width / 2, clientY: box.top + 5, bubbles: true }));
              told.cursors = Array.from(document.querySelectorAll('.cursor')).filter(
                function (line) { return !line.hidden; }).length === figures.length;
              told.values = document.querySelectorAll('.values')[0].textContent;
              figures[0].dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
              told.back = parseFloat(span.getAttribute('width')) === whole;
            </script></body>
            """
        let report = try desk.text(of: "out/green/report.html")
        try desk.write(report.replacing("</body>", with: probe), to: "out/green/probe.html")
        let view = try Browser.open(
            desk.url.appending(path: "out/green/probe.html"), withScripts: true)
        #expect(view.console == [], "\(view.call)")
        let told = view.told
        for name in ["alike", "wider", "cursors", "back"] {
            #expect(told[name] == "true", "\(name): \(told); \(view.call)")
        }
        #expect(told["range"]?.hasSuffix("ms") ?? false, "\(told); \(view.call)")
        #expect(told["values"]?.contains("uplink, delivered") ?? false, "\(told); \(view.call)")
    }

    @Test func `events are filtered by subject and text`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "out")
        let probe = """
            <script>
              function shown() {
                return Array.from(document.querySelectorAll('#event-rows tbody tr')).filter(
                  function (row) { return !row.hidden; });
              }
              function choose(name, value) {
                var field = document.getElementById('event-tools').elements[name];
                field.value = value;
                field.dispatchEvent(new Event('input', { bubbles: true }));
              }
              choose('subject', 'server');
              document.body.dataset.subject = shown().length > 0 && shown().every(
                function (row) { return row.cells[2].textContent === 'server'; });
              choose('words', 'IS published');
              document.body.dataset.words = shown().length;
              var output = document.querySelector('#event-tools output');
              document.body.dataset.count = output.textContent;
            </script></body>
            """
        let report = try desk.text(of: "out/green/report.html")
        try desk.write(report.replacing("</body>", with: probe), to: "out/green/probe.html")
        let view = try Browser.open(
            desk.url.appending(path: "out/green/probe.html"), withScripts: true)
        #expect(view.console == [], "\(view.call)")
        #expect(view.told["subject"] == "true" && view.told["words"] == "1", "\(view.call)")
        #expect(view.told["count"]?.hasPrefix("1 of ") ?? false, "\(view.call)")
    }

    @Test func `a red run of a suite leads back to it, and its first screen names the fault`()
        throws
    {
        let desk = try Desk()
        let fault = "slow: { do: stall for 20 min, at: 9 kB received, times: 1 }"
        let stalled = Desk.green.replacing(
            "queue:", with: "server: { faults: { \(fault) } }\nlimit: 60 s\nqueue:")
        try desk.write(stalled, to: "deep/stall.yaml")
        let answer = try desk.lab("run", "deep", "--report", "out")
        #expect(answer.code == 1, "\(answer.call): \(answer.errors)")
        let page = try desk.text(of: "out/deep/stall/report.html")
        let head = page.components(separatedBy: "<nav aria-label=\"Sections\"").first ?? ""
        #expect(head.contains("href=\"../../index.html\""))
        #expect(head.contains("the commands need something quick to play"))
        #expect(head.contains("fault “slow”"))
        #expect(head.contains("no byte of session 1 moved for"))
    }

    @Test func `the index of a suite shows red before green`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", ".", "--report", "out")
        let view = try Browser.open(
            desk.url.appending(path: "out/index.html"), withScripts: true)
        #expect(view.console == [], "\(view.call)")
        let red = try #require(view.document.range(of: "red/report.html"), "\(view.call)")
        let green = try #require(view.document.range(of: "green/report.html"), "\(view.call)")
        #expect(red.lowerBound < green.lowerBound, "\(view.call)")
        try Self.expectPicture(view)
    }

    /// A PNG of the window's size; a blank one of that size has some 15 kB.
    private static func expectPicture(_ view: Browser.View) throws {
        #expect(view.picture.starts(with: [0x89] + Data("PNG".utf8)), "\(view.call)")
        let width = view.picture.dropFirst(16).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        #expect(width == 1200, "\(view.call)")
        #expect(view.picture.count > 40_000, "\(view.picture.count) bytes; \(view.call)")
    }
}
