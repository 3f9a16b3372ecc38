import Foundation
import Testing

/// The page of a suite in a real browser: searched, filtered, sorted and regrouped.
@Suite(.enabled(if: Browser.isInstalled, "./lab test installs chromium"), .serialized)
struct SuitePageTests {
    /// Writes what a reader sees into the page: the names of the visible files, in order.
    private static let shown = """
        function shown() {
          return Array.from(document.querySelectorAll('tbody[data-s]')).filter(function (file) {
            return file.offsetParent !== null;
          }).map(function (file) {
            return file.querySelector('code').textContent.replace('.yaml', '');
          }).join(' ');
        }
        function choose(name, value) {
          var field = document.getElementById('tools').elements[name];
          field.value = value;
          field.dispatchEvent(new Event('input', { bubbles: true }));
        }
        function tell(name) { document.body.dataset[name] = shown(); }
        """

    private static func suite() throws -> Desk {
        let desk = try Desk()
        let large = Desk.green.replacing("80 kB", with: "900 kB")
            .replacing("a small upload", with: "Z large")
            .replacing("why: the", with: "tags: [slow]\nwhy: a large one for those who wait; the")
        try desk.write(large, to: "big/large.yaml")
        let small = Desk.green.replacing("80 kB", with: "1 kB")
            .replacing("a small upload", with: "an upload")
        try desk.write(small, to: "big/small.yaml")
        _ = try desk.lab("run", ".", "--report", "out")
        return desk
    }

    private static func view(
        of desk: Desk, doing script: String, width: Int = 1200
    ) throws -> Browser.View {
        let page = try desk.text(of: "out/index.html")
        let probe = "<script>\(shown)\(script)</script></body>"
        try desk.write(page.replacing("</body>", with: probe), to: "out/probe.html")
        return try Browser.open(
            desk.url.appending(path: "out/probe.html"), withScripts: true, width: width)
    }

    @Test func `runs are searched, filtered by status, tag and rule, and counted`() throws {
        let view = try Self.view(
            of: Self.suite(),
            doing: """
                tell('all');
                choose('words', 'those who WAIT'); tell('words');
                document.body.dataset.count = document.querySelector('output').textContent;
                choose('words', 'big/'); tell('folder');
                choose('words', ''); choose('status', 'red'); tell('red');
                choose('status', ''); choose('tag', 'slow'); tell('tag');
                choose('tag', ''); choose('rule', 'S1'); tell('rule');
                choose('rule', 'S2'); tell('never');
                """)
        #expect(view.console == [], "\(view.call)")
        let expected = [
            "all": "large small green red", "words": "large", "count": "1 of 4 files",
            "folder": "large small", "red": "red", "tag": "large",
            "rule": "large small green red", "never": "",
        ]
        #expect(view.told == expected, "\(view.call)")
    }

    @Test func `runs are sorted by any column, and regrouped by tag`() throws {
        let view = try Self.view(
            of: Self.suite(),
            doing: """
                choose('group', 'nothing');
                var heads = document.querySelectorAll('thead button');
                function press(name) {
                  Array.from(document.querySelectorAll('thead button')).filter(function (button) {
                    return button.textContent === name && button.offsetParent !== null;
                  })[0].click();
                }
                press('Completed in'); tell('fast');
                press('Completed in'); tell('slow');
                press('Scenario'); tell('name');
                choose('group', 'tag'); tell('tags');
                choose('group', 'folder'); tell('back');
                """)
        #expect(view.console == [], "\(view.call)")
        let told = view.told
        #expect(told["fast"]?.hasPrefix("small") ?? false, "\(told); \(view.call)")
        #expect(told["fast"]?.hasSuffix("large") ?? false, "\(told); \(view.call)")
        #expect(told["slow"]?.hasPrefix("large") ?? false, "\(told); \(view.call)")
        #expect(told["slow"]?.hasSuffix("small") ?? false, "\(told); \(view.call)")
        #expect(told["name"] == "green small red large", "\(view.call)")
        #expect(told["tags"] == "small green red large", "\(view.call)")
        #expect(told["back"] == "small large green red", "\(view.call)")
    }

    @Test(arguments: [1200, 700, 500]) func `no screen is too narrow for the page`(
        width: Int
    ) throws {
        let view = try Self.view(
            of: Self.suite(),
            doing: """
                document.body.dataset.over =
                  document.documentElement.scrollWidth - window.innerWidth > 0;
                """, width: width)
        #expect(view.told == ["over": "false"], "\(view.call)")
    }

    @Test func `without scripts all runs are there, and no control that does nothing`() throws {
        let desk = try Self.suite()
        let view = try Browser.open(
            desk.url.appending(path: "out/index.html"), withScripts: false)
        #expect(view.document.contains("hidden=\"hidden\""), "\(view.call)")
        for name in ["large", "small", "green"] {
            #expect(view.document.contains("<code>\(name).yaml</code>"), "\(view.call)")
        }
    }
}
