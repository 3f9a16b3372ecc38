import Foundation
import Testing

/// Pages before judges that nobody here wrote: a parser of HTML that counts mistakes, and a checker
/// of accessibility in a real browser.
@Suite(
    .enabled(
        if: Program.python != nil && Browser.isInstalled,
        "./lab test installs html5lib, axe and chromium"),
    .serialized)
struct ValidPagesTests {
    /// Prints the mistakes of a page, and writes a copy that judges itself.
    private static let judge = #"""
        import sys, html5lib, axe_core_python, pathlib
        page = pathlib.Path(sys.argv[1]).read_text()
        parser = html5lib.HTMLParser()
        parser.parse(page)
        print(parser.errors)
        axe = pathlib.Path(axe_core_python.__file__).with_name("axe.min.js").read_text()
        probe = "<script>" + axe.replace("</script", "<\\/script") + """</script><script>
          document.querySelectorAll('details').forEach(function (one) { one.open = true; });
          axe.run(document).then(function (result) {
            document.body.dataset.checks = result.passes.length;
            document.body.dataset.faults = result.violations.map(function (fault) {
              return fault.id + ' ' + fault.nodes[0].target;
            }).join(', ').replace(/"/g, "'");
          });
        </script></body>"""
        pathlib.Path(sys.argv[2]).write_text(page.replace("</body>", probe))
        """#

    /// A suite with a red run, a run with many seeds and a matrix, and the table of a run's delays.
    private static func desk() throws -> Desk {
        let desk = try Desk()
        try desk.write(judge, to: "judge.py")
        try desk.write(Desk.green.replacing("name:", with: "seed: 1 to 5\nname:"), to: "seeds.yaml")
        _ = try desk.lab("run", ".", "--report", "out", "--history", "history.jsonl")
        _ = try desk.lab("explain-delay", "out/red")
        _ = try desk.lab("crash", "green.yaml", "--report", "crashes")
        _ = try desk.lab("trend", "history.jsonl", "--report", "trend")
        return desk
    }

    @Test func `pages are valid and accessible, in light and dark`() throws {
        let desk = try Self.desk()
        let pages = [
            "out/index.html", "out/performance.html", "out/red/report.html",
            "out/green/report.html", "crashes/index.html", "trend/trend.html",
        ]
        for page in pages {
            let answer = try Program.run(
                ["judge.py", page, page + ".html"], of: Program.python ?? "", in: desk.url,
                environment: [:])
            #expect(answer.output == "[]\n", "\(page): \(answer.output)\(answer.errors)")
            for mode in [[], ["--blink-settings=preferredColorScheme=0"]] {
                let view = try Browser.open(
                    desk.url.appending(path: page + ".html"), withScripts: true,
                    arguments: ["--virtual-time-budget=30000"] + mode)
                let told = view.told
                #expect(told["faults"] == "", "\(page) \(mode): \(told); \(view.call)")
                #expect(told["checks"].flatMap { Int($0) } ?? 0 > 10, "\(page): \(told)")
            }
        }
    }

    @Test func `a page with mistakes is found out`() throws {
        let desk = try Desk()
        try desk.write(Self.judge, to: "judge.py")
        try desk.write(
            "<!DOCTYPE html><html lang=\"en\"><head><title>x</title></head><body>"
                + "<p><div>a</p></div><img src=\"data:\"></body></html>", to: "bad.html")
        let answer = try Program.run(
            ["judge.py", "bad.html", "copy.html"], of: Program.python ?? "", in: desk.url,
            environment: [:])
        #expect(answer.output != "[]\n", "\(answer.call): \(answer.errors)")
        let view = try Browser.open(
            desk.url.appending(path: "copy.html"), withScripts: true,
            arguments: ["--virtual-time-budget=30000"])
        #expect(view.told["faults"]?.contains("image-alt") ?? false, "\(view.told); \(view.call)")
    }
}
