import Foundation
import Testing

/// Somebody who has only the artifacts of a red run sees its cause on the first screen.
@Suite(.enabled(if: Browser.isInstalled, "./lab test installs chromium"), .serialized)
struct FirstScreenTests {
    /// The height of a small screen.
    private static let height = 800
    /// The height of a phone's screen.
    private static let phoneHeight = 844

    /// Writes into the page how far down each text ends; -1 if nobody can see it.
    private static func probe(for texts: [String]) throws -> String {
        let list = String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
        return """
            <script>
              (function (texts) {
                var all = Array.from(document.querySelectorAll('.page *'));
                function holds(element, text) {
                  return element.textContent.replace(/\\s+/g, ' ').includes(text);
                }
                document.body.dataset.ends = texts.map(function (text) {
                  var inner = all.filter(function (element) {
                    return holds(element, text) && !Array.from(element.children).some(
                      function (child) { return holds(child, text); });
                  })[0];
                  var box = inner && inner.getBoundingClientRect();
                  return box && box.height > 0 ? Math.ceil(box.bottom + window.scrollY) : -1;
                }).join(' ');
              }(\(list)));
            </script></body>
            """
    }

    /// Returns how far down each text ends on a page of the desk; with `withScripts` false, on the
    /// page as it is laid out without its scripts.
    private static func ends(
        of texts: [String], on path: String, of desk: Desk, withScripts: Bool, width: Int
    ) throws -> [Int] {
        var page = try desk.text(of: path)
        if !withScripts {
            page = page.replacing(/<script>.*?<\/script>/.dotMatchesNewlines(), with: "")
                .replacing(/<\/?noscript>/, with: "")
        }
        let copy = path.replacing(".html", with: "-probe.html")
        try desk.write(page.replacing("</body>", with: try probe(for: texts)), to: copy)
        let view = try Browser.open(
            desk.url.appending(path: copy), withScripts: true, width: width)
        #expect(view.console == [], "\(view.call)")
        return (view.told["ends"] ?? "").split(separator: " ").compactMap { Int($0) }
    }

    private static func desk(of failure: PlantedFailure) throws -> Desk {
        let desk = try Desk()
        try desk.write(failure.scenario, to: "\(failure.name).yaml")
        let answer = try desk.lab("run", "\(failure.name).yaml", "--report", "out")
        #expect(answer.code == 1, "\(answer.call): \(answer.errors)")
        return desk
    }

    @Test(arguments: PlantedFailure.all, [true, false])
    func `the first screen of a red run, and of its suite, tells the cause`(
        failure: PlantedFailure, withScripts: Bool
    ) throws {
        let desk = try Self.desk(of: failure)
        for path in ["out/\(failure.name)/report.html", "out/index.html"] {
            let ends = try Self.ends(
                of: failure.telling, on: path, of: desk, withScripts: withScripts, width: 1280)
            #expect(ends.count == failure.telling.count && !ends.isEmpty, "\(path)")
            for (text, end) in zip(failure.telling, ends) {
                #expect(end > 0, "\(path) does not show “\(text)”")
                #expect(end <= Self.height, "“\(text)” ends at \(end) px of \(path)")
            }
        }
    }

    @Test func `the first screen of a suite with many causes lists them all`() throws {
        let desk = try Desk()
        for failure in PlantedFailure.all {
            try desk.write(failure.scenario, to: "all/\(failure.name).yaml")
        }
        _ = try desk.lab("run", "all", "--report", "out")
        let texts = PlantedFailure.all.compactMap(\.telling.last)
        let ends = try Self.ends(
            of: texts, on: "out/index.html", of: desk, withScripts: true, width: 1280)
        #expect(ends.count == texts.count && ends.allSatisfy { $0 > 0 }, "\(ends)")
        #expect(ends.allSatisfy { $0 <= Self.height }, "\(ends)")
    }

    @Test(arguments: PlantedFailure.all)
    func `the first screen of a phone tells the cause, too`(failure: PlantedFailure) throws {
        let desk = try Self.desk(of: failure)
        let path = "out/\(failure.name)/report.html"
        let ends = try Self.ends(
            of: failure.telling, on: path, of: desk, withScripts: true, width: 500)
        #expect(ends.count == failure.telling.count && ends.allSatisfy { $0 > 0 }, "\(ends)")
        #expect(ends.allSatisfy { $0 <= Self.phoneHeight }, "\(failure.telling): \(ends)")
    }
}
