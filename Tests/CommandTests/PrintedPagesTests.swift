import Foundation
import Testing

/// Pages on paper: nothing is folded, cut off or left out.
@Suite(
    .enabled(
        if: Browser.isInstalled && PaperReader.isInstalled,
        "./lab test installs chromium and poppler-utils"),
    .serialized)
struct PrintedPagesTests {
    /// The texts that somebody sees in the smallest parts of a page.
    private static let cells = """
        Array.from(document.querySelectorAll('h1, h2, td, th, main dd, main li, main pre'))
          .filter(function (cell) { return cell.getClientRects().length && !cell.closest('svg')
            && !cell.querySelector('td, li'); })
          .map(function (cell) { return cell.innerText; })
        """

    /// What reaches beyond the paper.
    private static let cut = """
        Array.from(document.querySelectorAll('body *')).filter(function (part) {
          var box = part.getBoundingClientRect();
          return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1);
        }).map(function (part) { return part.tagName + ' ' + part.textContent.slice(0, 40); })
        """

    /// Paper as wide as A4 and as Letter, in inches. The margins take 0.4 of them at each side.
    @Test(arguments: [8.27, 8.5]) func `paper shows everything`(width: Double) throws {
        let desk = try Desk()
        try desk.write(Desk.green.replacing("name:", with: "seed: 1 to 5\nname:"), to: "seeds.yaml")
        _ = try desk.lab("run", ".", "--report", "out")
        let browser = try DevTools()
        for page in ["index", "performance", "red/report", "green/report"] {
            try browser.showAsOnScreen()
            try browser.open(desk.url.appending(path: "out/\(page).html"))
            try browser.resize(to: Int((width - 0.8) * 96))
            try browser.showAsPrinted()
            #expect(try browser.evaluate(Self.cut, as: [String].self) == [], "\(page)")
            let cells = try browser.evaluate(Self.cells, as: [String].self).map(Self.letters)
            #expect(cells.count > 10, "\(page)")
            try browser.printed(width: width).write(to: desk.url.appending(path: "page.pdf"))
            let answer = try Program.run(
                ["-raw", "page.pdf", "-"], of: PaperReader.program, in: desk.url, environment: [:])
            let paper = Self.letters(of: answer.output)
            let missing = cells.filter { !paper.contains($0) }
            #expect(missing == [], "\(page): \(missing.count) of \(cells.count); \(answer.errors)")
        }
    }

    @Test func `a page that is zoomed prints the whole run, and its charts as drawings`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "out")
        let browser = try DevTools()
        try browser.open(desk.url.appending(path: "out/green/report.html"))
        let range = "document.querySelector('.range output').textContent"
        let whole = try browser.evaluate(range, as: String.self)
        try browser.evaluate("document.querySelector('.range button').click()", as: Any?.self)
        #expect(try browser.evaluate(range, as: String.self) != whole)
        _ = try browser.printed(width: 8.27)
        #expect(try browser.evaluate(range, as: String.self) == whole)
        try browser.showAsPrinted()
        let shown = """
            ['.live', '.still'].map(function (kind) {
              return Array.from(document.querySelectorAll('.chart ' + kind)).filter(function (one) {
                return one.getBoundingClientRect().height > 0; }).length; })
            """
        let counts = try browser.evaluate(shown, as: [Int].self)
        #expect(counts.first == 0 && counts.last ?? 0 >= 8, "\(counts)")
    }

    private static func letters(of text: String) -> String {
        text.filter { !$0.isWhitespace && !$0.isNewline }
    }
}

/// What tells the text of a PDF.
private enum PaperReader {
    static let program = "/usr/bin/pdftotext"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }
}
