import Foundation
import Testing

/// Pages without a mouse: everything that can be clicked is reached by Tab, shows that it is, and
/// obeys Enter and Space.
@Suite(.enabled(if: Browser.isInstalled, "./lab test installs chromium"), .serialized)
struct KeyboardTests {
    /// What has the focus, and whether a reader sees that.
    private static let focus = """
        (function (one) {
          var look = getComputedStyle(one);
          var box = one.getBoundingClientRect();
          return [one.tagName + ' ' + (one.name || one.textContent.trim().slice(0, 40)),
            look.outlineStyle === 'solid' && parseFloat(look.outlineWidth) >= 2
              && box.width > 0 && box.top >= 0 && box.bottom <= innerHeight ? 'seen' : 'unseen'];
        }(document.activeElement))
        """

    /// Presses Tab until something has the focus whose name begins with these words, and returns
    /// everything on the way.
    @discardableResult
    private static func go(to words: String, in browser: DevTools) throws -> [String] {
        var way: [String] = []
        for _ in 0..<100 {
            try browser.press("Tab")
            let told = try browser.evaluate(focus, as: [String].self)
            // After the last one comes the page itself.
            #expect(told[1] == "seen" || told[0].hasPrefix("BODY"), "\(told)")
            way.append(told[0])
            if told[0].hasPrefix(words) { return way }
        }
        Issue.record("Tab does not reach “\(words)”: \(way)")
        return way
    }

    @Test func `a suite is searched, filtered, sorted and unfolded by the keyboard`() throws {
        let desk = try Desk()
        try desk.write(Desk.green.replacing("name:", with: "seed: 1 to 3\nname:"), to: "seeds.yaml")
        _ = try desk.lab("run", ".", "--report", "out")
        let browser = try DevTools()
        try browser.open(desk.url.appending(path: "out/index.html"))
        let count = "document.querySelector('#tools output').textContent"
        try Self.go(to: "INPUT words", in: browser)
        for letter in ["s", "e", "e", "d", "s"] { try browser.press(letter) }
        #expect(try browser.evaluate(count, as: String.self) == "1 of 3 files")
        try Self.go(to: "SELECT status", in: browser)
        try browser.press("ArrowDown")
        #expect(try browser.evaluate(count, as: String.self) == "0 of 3 files")
        try browser.press("ArrowUp")
        #expect(try browser.evaluate(count, as: String.self) == "1 of 3 files")
        try Self.go(to: "SELECT rule", in: browser)
        try Self.go(to: "SELECT group", in: browser)

        let isOpen = "document.activeElement.closest('details').open"
        try Self.go(to: "SUMMARY", in: browser)
        let before = try browser.evaluate(isOpen, as: Bool.self)
        try browser.press("Space")
        #expect(try browser.evaluate(isOpen, as: Bool.self) != before)
        try browser.press("Enter")
        #expect(try browser.evaluate(isOpen, as: Bool.self) == before)

        let order = "document.activeElement.closest('th').ariaSort"
        try Self.go(to: "BUTTON Completed in", in: browser)
        try browser.press("Enter")
        #expect(try browser.evaluate(order, as: String.self) == "ascending")
        try browser.press("Space")
        #expect(try browser.evaluate(order, as: String.self) == "descending")
        try Self.go(to: "SUMMARY 3 seeds", in: browser)
    }

    @Test func `a run is zoomed, unfolded and searched by the keyboard`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "out")
        let browser = try DevTools()
        try browser.open(desk.url.appending(path: "out/green/report.html"))
        let range = "document.querySelector('.range output').textContent"
        let whole = try browser.evaluate(range, as: String.self)
        let way = try Self.go(to: "BUTTON Zoom in", in: browser)
        // The way to the suite and to each section comes first.
        #expect(way.first?.hasPrefix("A ←") ?? false, "\(way)")
        #expect(way.contains("A Verdicts"), "\(way)")
        try browser.press("Enter")
        let half = try browser.evaluate(range, as: String.self)
        #expect(half != whole)
        try Self.go(to: "BUTTON Later", in: browser)
        try browser.press("Space")
        #expect(try browser.evaluate(range, as: String.self) != half)
        try Self.go(to: "BUTTON Whole run", in: browser)
        try browser.press("Enter")
        #expect(try browser.evaluate(range, as: String.self) == whole)

        let folds = try (0..<3).map { _ in try Self.go(to: "SUMMARY", in: browser).last ?? "" }
        #expect(folds[0].contains(" rules held") && folds[2].contains(" events"), "\(folds)")
        try browser.press("Enter")
        try Self.go(to: "INPUT words", in: browser)
        for letter in ["p", "u", "b"] { try browser.press(letter) }
        let told = "document.querySelector('#event-tools output').textContent"
        #expect(try browser.evaluate(told, as: String.self).contains(" of "))
        try Self.go(to: "SELECT subject", in: browser)
    }
}
