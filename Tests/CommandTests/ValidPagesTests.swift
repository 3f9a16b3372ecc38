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
    /// Prints the mistakes of each page, and at the end where the checker of accessibility is.
    private static let judge = """
        import sys, html5lib, axe_core_python, pathlib
        for path in sys.argv[1:]:
            parser = html5lib.HTMLParser()
            parser.parse(pathlib.Path(path).read_text())
            print(path, parser.errors)
        print(pathlib.Path(axe_core_python.__file__).with_name("axe.min.js"))
        """

    /// Returns the number of checks that held, and the others. The contrast is judged of three rows
    /// with the same elements, classes and styles: of a thousand it takes the checker a minute.
    private static let probe = """
        document.querySelectorAll('details').forEach(function (one) { one.open = true; });
        function removeRowsAlike() {
          document.querySelectorAll('tbody').forEach(function (body) {
            var seen = {};
            Array.from(body.rows).forEach(function (row) {
              var parts = [row].concat(Array.from(row.querySelectorAll('*')));
              var shape = parts.map(function (part) {
                return [part.tagName, part.className, part.getAttribute('style')].join('.');
              }).join(' ');
              seen[shape] = (seen[shape] || 0) + 1;
              if (seen[shape] > 3) { row.remove(); }
            });
          });
        }
        var contrast = 'color-contrast';
        axe.run(document, {rules: {[contrast]: {enabled: false}}}).then(function (most) {
          removeRowsAlike();
          return axe.run(document, {runOnly: [contrast]}).then(function (rest) {
            var faults = most.violations.concat(rest.violations).map(function (fault) {
              return fault.id + ' ' + fault.nodes[0].target;
            });
            return [String(most.passes.length + rest.passes.length)].concat(faults);
          });
        });
        """

    private static func judged(_ pages: [String], at desk: Desk) throws -> (
        mistakes: [String], checker: String
    ) {
        try desk.write(judge, to: "judge.py")
        let answer = try Program.run(
            ["judge.py"] + pages, of: Program.python ?? "", in: desk.url, environment: [:])
        #expect(answer.code == 0, "\(answer.errors)")
        let checker = try #require(answer.lines.last)
        return (answer.lines.dropLast(), try String(contentsOfFile: checker, encoding: .utf8))
    }

    private static func checks(
        of page: String, at desk: Desk, in browser: DevTools, _ checker: String
    ) throws -> (held: Int, faults: [String]) {
        try browser.open(desk.url.appending(path: page))
        try browser.evaluate(checker + "\n;0", as: Int.self)
        let told = try browser.evaluate(probe, as: [String].self)
        return (told.first.flatMap { Int($0) } ?? 0, Array(told.dropFirst()))
    }

    /// A suite with a red run, a run with many seeds and a matrix, and the table of a run's delays.
    private static func desk() throws -> Desk {
        let desk = try Desk()
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
        let (mistakes, checker) = try Self.judged(pages, at: desk)
        #expect(mistakes == pages.map { "\($0) []" })
        for isDark in [false, true] {
            let browser = try DevTools()
            try browser.prefers(dark: isDark)
            for page in pages {
                let checks = try Self.checks(of: page, at: desk, in: browser, checker)
                #expect(checks.faults == [], "\(page), \(isDark ? "dark" : "light")")
                #expect(checks.held > 10, "\(page): \(checks.held)")
            }
        }
    }

    @Test func `a page with mistakes is found out`() throws {
        let desk = try Desk()
        try desk.write(
            "<!DOCTYPE html><html lang=\"en\"><head><title>x</title></head><body>"
                + "<p><div>a</p></div><img src=\"data:\">"
                + "<table>" + String(repeating: "<tr><td>dark</td></tr>", count: 9)
                + "<tr style=\"color:#ccc;background:#fff\"><td>pale</td></tr></table>"
                + "</body></html>", to: "bad.html")
        let (mistakes, checker) = try Self.judged(["bad.html"], at: desk)
        #expect(mistakes.count == 1 && mistakes != ["bad.html []"])
        let checks = try Self.checks(of: "bad.html", at: desk, in: DevTools(), checker)
        #expect(checks.faults.contains { $0.hasPrefix("image-alt") }, "\(checks)")
        #expect(checks.faults.contains { $0.hasPrefix("color-contrast") }, "\(checks)")
    }
}
