import Foundation
import Testing

/// Somebody who has only the artifacts of a red run sees its cause on the first screen.
@Suite(.enabled(if: Browser.isInstalled, "./lab test installs chromium"), .serialized)
struct FirstScreenTests {
    /// The height of a small screen.
    private static let height = 800
    /// A narrow screen: as wide as the narrowest window, as high as a phone.
    private static let narrowWidth = 500
    private static let narrowHeight = 844

    /// How far down each text ends on the page; -1 if nobody can see it.
    private static func probe(for texts: [String]) throws -> String {
        let list = String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
        return """
            (function (texts) {
              var all = Array.from(document.querySelectorAll('.page *'));
              function holds(element, text) {
                return element.textContent.replace(/\\s+/g, ' ').includes(text);
              }
              return texts.map(function (text) {
                var inner = all.filter(function (element) {
                  return holds(element, text) && !Array.from(element.children).some(
                    function (child) { return holds(child, text); });
                })[0];
                var box = inner && inner.getBoundingClientRect();
                return box && box.height > 0 ? Math.ceil(box.bottom + window.scrollY) : -1;
              });
            }(\(list)))
            """
    }

    /// Returns how far down each text ends on a page of the desk; with `withScripts` false, on the
    /// page as it is laid out without its scripts.
    private static func ends(
        of texts: [String], on path: String, of desk: Desk, in browser: DevTools,
        withScripts: Bool = true, width: Int = 1280
    ) throws -> [Int] {
        var path = path
        if !withScripts {
            let page = try desk.text(of: path)
                .replacing(/<script>.*?<\/script>/.dotMatchesNewlines(), with: "")
                .replacing(/<\/?noscript>/, with: "")
            path = path.replacing(".html", with: "-without-scripts.html")
            try desk.write(page, to: path)
        }
        let complaints = try complaints(of: path, of: desk, in: browser, width: width)
        #expect(complaints == [], "\(path)")
        return try browser.evaluate(probe(for: texts), as: [Int].self)
    }

    /// Opens a page, and returns what it writes to the console, above all errors, and what it does
    /// not find.
    private static func complaints(
        of path: String, of desk: Desk, in browser: DevTools, width: Int = 1280
    ) throws -> [String] {
        let listener = """
            window.complaints = [];
            window.addEventListener('error', function (event) {
              window.complaints.push(event.message || event.target.outerHTML);
            }, true);
            ['log', 'info', 'warn', 'error'].forEach(function (level) {
              console[level] = function (words) { window.complaints.push(String(words)); };
            });
            """
        try browser.open(desk.url.appending(path: path), width: width, script: listener)
        return try browser.evaluate("window.complaints", as: [String].self)
    }

    private static func desk(of failure: PlantedFailure) throws -> Desk {
        let desk = try Desk()
        try desk.write(failure.scenario, to: "\(failure.name).yaml")
        let answer = try desk.lab("run", "\(failure.name).yaml", "--report", "out")
        #expect(answer.code == 1, "\(answer.call): \(answer.errors)")
        return desk
    }

    @Test(arguments: PlantedFailure.all)
    func `the first screen of a red run and of its suite, wide or narrow, tells the cause`(
        failure: PlantedFailure
    ) throws {
        let desk = try Self.desk(of: failure)
        let browser = try DevTools()
        let pages = ["out/\(failure.name)/report.html", "out/index.html"]
        for (path, withScripts) in pages.flatMap({ [($0, true), ($0, false)] }) {
            let ends = try Self.ends(
                of: failure.telling, on: path, of: desk, in: browser, withScripts: withScripts)
            #expect(ends.count == failure.telling.count && !ends.isEmpty, "\(path)")
            for (text, end) in zip(failure.telling, ends) {
                #expect(end > 0, "\(path) does not show “\(text)”")
                #expect(end <= Self.height, "“\(text)” ends at \(end) px of \(path)")
            }
        }
        let report = "out/\(failure.name)/report.html"
        let ends = try Self.ends(
            of: failure.telling, on: report, of: desk, in: browser, width: Self.narrowWidth)
        #expect(ends.count == failure.telling.count && ends.allSatisfy { $0 > 0 }, "\(ends)")
        #expect(ends.allSatisfy { $0 <= Self.narrowHeight }, "\(failure.telling): \(ends)")
    }

    @Test func `the first screen of a suite with many causes lists them all`() throws {
        let desk = try Desk()
        for failure in PlantedFailure.all {
            try desk.write(failure.scenario, to: "all/\(failure.name).yaml")
        }
        _ = try desk.lab("run", "all", "--report", "out")
        let texts = PlantedFailure.all.compactMap(\.telling.last)
        let ends = try Self.ends(
            of: texts, on: "out/index.html", of: desk, in: DevTools())
        #expect(ends.count == texts.count && ends.allSatisfy { $0 > 0 }, "\(ends)")
        #expect(ends.allSatisfy { $0 <= Self.height }, "\(ends)")
    }

    @Test func `what a page complains of is heard`() throws {
        let desk = try Desk()
        try desk.write(
            "<img src=\"none.png\"><script>console.warn('odd'); missing();</script>", to: "bad.html"
        )
        let heard = try Self.complaints(of: "bad.html", of: desk, in: DevTools())
        #expect(heard.contains("odd") && heard.contains { $0.contains("missing is not defined") })
        #expect(heard.contains { $0.contains("none.png") }, "\(heard)")
    }
}
