import Foundation
import Testing

/// Names in Hebrew and Arabic, names that look like markup, and names that are too long for a line:
/// none of them disturbs what stands beside it.
@Suite(.enabled(if: Browser.isInstalled, "./lab test installs chromium"), .serialized)
struct RightToLeftTests {
    private static let hebrew = "תמונה ישנה"
    private static let arabic = "صورة"

    /// Letters and digits that are not to the right of what is before them in their line. A
    /// right-to-left word counts as a whole.
    private static let strays = """
        (function () {
          var right = /[\\u0590-\\u08ff]/;
          function isBlock(part) {
            return !/^inline$|^contents$/.test(getComputedStyle(part).display);
          }
          function boxes(block) {
            var list = [];
            if (block.namespaceURI.endsWith('svg')) {
              for (var n = 0; n < block.getNumberOfChars(); n += 1) {
                var box = block.getExtentOfChar(n);
                list.push([block.textContent[n], box.x, box.x + box.width, box.y,
                  box.y + box.height]);
              }
              return list;
            }
            var walk = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
            while (walk.nextNode()) {
              var near = walk.currentNode.parentElement;
              while (!isBlock(near)) near = near.parentElement;
              if (near !== block) continue;
              for (var i = 0; i < walk.currentNode.length; i += 1) {
                var range = document.createRange();
                range.setStart(walk.currentNode, i);
                range.setEnd(walk.currentNode, i + 1);
                var at = range.getClientRects()[0];
                if (!at || !at.width) continue;
                list.push([range.toString(), at.left, at.right, at.top, at.bottom]);
              }
            }
            return list;
          }
          document.querySelectorAll('details').forEach(function (one) { one.open = true; });
          var found = [];
          var count = 0;
          document.querySelectorAll('body *').forEach(function (block) {
            if (!right.test(block.textContent)) return;
            if (block.matches('script, style, option, select')) return;
            var isDrawn = block.namespaceURI.endsWith('svg');
            if (isDrawn ? block.nodeName !== 'text' : !isBlock(block)) return;
            var units = [];
            boxes(block).forEach(function (box) {
              var last = units[units.length - 1];
              var isRight = right.test(box[0]);
              if (isRight) count += 1;
              if (!isRight && !/[\\p{L}\\p{N}]/u.test(box[0])) {
                if (last && box[0] !== ' ') last.isOver = true;
                return;
              }
              if (isRight && last && last.isRight && !last.isOver && box[3] < last.bottom) {
                last.from = Math.min(last.from, box[1]);
                last.to = Math.max(last.to, box[2]);
              } else {
                units.push({ isRight: isRight, from: box[1], to: box[2], top: box[3],
                  bottom: box[4] });
              }
            });
            units.forEach(function (unit, place) {
              var last = units[place - 1];
              var isLine = last && unit.top < last.bottom && last.top < unit.bottom;
              if (!isLine || unit.from >= last.to - 1) return;
              found.push(block.textContent.trim().slice(0, 60));
            });
          });
          return [String(count)].concat(found);
        }())
        """

    /// Isolated words that are items of a grid or a flexible box, apart from their neighbours.
    private static let alone = """
        Array.from(document.querySelectorAll('bdi'))
          .map(function (one) { return one.parentElement; })
          .filter(function (one) { return /grid|flex/.test(getComputedStyle(one).display); })
          .map(function (one) { return one.outerHTML; })
        """

    private static func desk() throws -> Desk {
        let desk = try Desk()
        let named = Desk.green.replacing("a small upload", with: "\(hebrew) 12 and \(hebrew) 13")
            .replacing("the commands need", with: "\(arabic) 3 km; the commands need")
            .replacing("note.txt", with: arabic)
            .replacing("name:", with: "seed: 1 to 5\nname:")
        try desk.write(named, to: "\(arabic).yaml")
        let red = named.replacing("30 s", with: "1 ms").replacing("seed: 1 to 5", with: "seed: 1")
        try desk.write(red, to: "\(arabic) 7.yaml")
        try FileManager.default.removeItem(at: desk.url.appending(path: "red.yaml"))
        _ = try desk.lab("run", ".", "--report", "out", "--history", "history.jsonl")
        try desk.write(named.replacing("80 kB", with: "90 kB"), to: "\(arabic).yaml")
        _ = try desk.lab("run", ".", "--report", "other", "--history", "history.jsonl")
        _ = try desk.lab("trend", "history.jsonl", "--report", "trend")
        _ = try desk.lab("compare", "out", "other", "--slower-than", "1%", "--report", "change")
        return desk
    }

    @Test func `right-to-left names do not reorder their neighbours`() throws {
        let desk = try Self.desk()
        let pages = [
            "out/index.html", "out/performance.html", "out/\(Self.arabic) 7/report.html",
            "change/performance.html", "trend/trend.html",
        ]
        let browser = try DevTools()
        for page in pages {
            for width in [1200, 400] {
                try browser.open(desk.url.appending(path: page), width: width)
                let told = try browser.evaluate(Self.strays, as: [String].self)
                #expect(told.count == 1, "\(page) at \(width): \(told)")
                #expect(Int(told[0]) ?? 0 > 4, "\(page): \(told)")
                let alone = try browser.evaluate(Self.alone, as: [String].self)
                #expect(alone == [], "\(page) at \(width)")
            }
            // Without the isolation, the same look finds them.
            let bare = try desk.text(of: page).replacing(/<\/?bdi>|[\u{2068}\u{2069}]/, with: "")
            try desk.write(bare, to: "bare.html")
            try browser.open(desk.url.appending(path: "bare.html"))
            let told = try browser.evaluate(Self.strays, as: [String].self)
            #expect(told.count > 1, "\(page): \(told)")
        }
    }

    @Test(.enabled(if: TerminalTests.hasTerminal))
    func `a terminal isolates names, but not in a command`() throws {
        let desk = try Self.desk()
        let shown = try desk.onTerminal(#""$lab" run . --report out"#).output
        #expect(shown.contains("\u{2068}\(Self.hebrew)\u{2069} 12 and"), "\(shown)")
        let command = shown.split(whereSeparator: \.isNewline).first {
            $0.contains("./lab run")
        }
        #expect(command?.contains(Self.arabic) ?? false, "\(shown)")
        #expect(command?.contains("\u{2068}") == false, "\(shown)")
        let piped = try desk.lab("run", ".", "--report", "out").output
        #expect(piped.contains(Self.hebrew) && !piped.contains("\u{2068}"), "\(piped)")
    }

    @Test func `names like markup are shown as they are, and long ones stay in the page`() throws {
        let desk = try Desk()
        let long = String(repeating: "x", count: 240)
        let sharp = #"<b>&amp; "q" 'a'</b>"#
        let named = Desk.green
            .replacing("name: a small upload", with: "name: |-\n  \(sharp) \(long.prefix(75))")
            .replacing("note.txt", with: long).replacing("name:", with: "seed: 1 to 5\nname:")
        try desk.write(named, to: "named.yaml")
        try desk.write(named.replacing("seed: 1 to 5", with: "seed: 1"), to: "single.yaml")
        _ = try desk.lab("run", ".", "--report", "out")
        let browser = try DevTools()
        for page in ["out/index.html", "out/performance.html", "out/single/report.html"] {
            for width in [1200, 400] {
                try browser.open(desk.url.appending(path: page), width: width)
                let told = try browser.evaluate(
                    "[document.documentElement.scrollWidth <= innerWidth, "
                        + "document.body.textContent.includes(\(sharp.debugDescription))]",
                    as: [Bool].self)
                #expect(told == [true, true], "\(page) at \(width)")
            }
        }
    }
}
