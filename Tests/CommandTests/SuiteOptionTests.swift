import Foundation
import Testing

/// `run`'s options for many runs.
@Suite struct SuiteOptionTests {
    @Test func `seeds from the command line are a run each, in order, however many play at a time`()
        throws
    {
        let desk = try Desk()
        let alone = try desk.lab(
            "run", "green.yaml", "--seeds", "3...6", "--digests", "--jobs", "1")
        let together = try desk.lab(
            "run", "green.yaml", "--seeds=3...6", "--digests", "--jobs", "3")
        #expect(alone.code == 0 && alone.lines.count == 4, "\(alone.call): \(alone.errors)")
        #expect(alone.lines.map { $0.prefix(12) } == (3...6).map { "green/seed-\($0)" })
        #expect(together.output == alone.output)
        let usual = try desk.lab("run", "green.yaml", "--seeds", "3...6", "--report", "out")
        let total = usual.lines.last ?? ""
        #expect(
            total.wholeMatch(
                of: /4 runs: ✔ all green; took \d+\.\d s; reports in out\/index\.html/)
                != nil, "\(total)")
        #expect(desk.holds("out/green/seed-5/report.html"))
        let index = try desk.text(of: "out/index.html")
        #expect(index.contains("href=\"green/seed-5/report.html\""))
    }

    @Test func `who fails fast says what was left out, in every file`() throws {
        let desk = try Desk()
        let text = try desk.text(of: "red.yaml")
        try desk.write(text, to: "suite/a.yaml")
        try desk.write(text, to: "suite/b.yaml")
        let answer = try desk.lab("run", "suite", "--fail-fast", "--jobs", "1", "--report", "out")
        #expect(answer.code == 1)
        #expect(
            answer.lines.last?.hasPrefix("1 run: 0 green, ✘ 1 red, 1 left out; took ") == true,
            "\(answer.call)")
        #expect(try desk.text(of: "out/junit.xml").contains("<skipped message=\"an earlier run"))
        #expect(try desk.text(of: "out/summary.json").contains("\"leftOut\" : [\n    {"))
        #expect(try desk.text(of: "out/index.html").contains("<h2>Left out</h2>"))
    }

    @Test func `what is tagged long is left out of a folder, and played when asked for`() throws {
        let desk = try Desk()
        let text = try desk.text(of: "green.yaml")
        try desk.write(text, to: "suite/a.yaml")
        try desk.write("tags: [long]\n" + text, to: "suite/b.yaml")
        let usual = try desk.lab("run", "suite")
        #expect(usual.code == 0)
        #expect(usual.lines.last?.hasPrefix("1 run: ✔ all green, 1 left out;") == true)
        let asked = try desk.lab("run", "suite", "--filter", "long")
        #expect(asked.code == 0 && asked.lines.last?.hasPrefix("1 run: ✔ all green;") == true)
        let named = try desk.lab("run", "suite/b.yaml")
        #expect(named.code == 0 && named.lines.last?.hasPrefix("1 run: ✔ all green;") == true)
    }

    @Test(arguments: [
        (["--jobs", "0"], "--jobs takes a whole number from 1 to 1024, not “0”"),
        (["--jobs", "two"], "--jobs takes a whole number from 1 to 1024, not “two”"),
        (["--seeds", "5"], "such as 1...20, not “5”"),
        (["--seeds", "5...2"], "the lower first, such as 1...20, not “5...2”"),
        (["--seeds", "1..2"], "such as 1...20, not “1..2”"),
        (["--seeds", "1....2"], "such as 1...20, not “1....2”"),
        (["--seeds", "0...18446744073709551615"], "--seeds names more than 100000 seeds"),
        (["--seeds", "1...2", "--seed", "1"], "--seed and --seeds exclude each other"),
        (["--filter", ","], "--filter takes tags separated by commas, not “,”"),
        (["--filter", "lnog"], "no scenario here has the tag “lnog”; no scenario has tags"),
    ])
    func `a value that means nothing ends with 2 and says what would`(
        words: [String], complaint: String
    ) throws {
        let desk = try Desk()
        let call = (["run", "green.yaml"] + words).map { "'\($0)'" }.joined(separator: " ")
        let answer = try desk.shell("\"$lab\" \(call)")
        #expect(answer.code == 2 && answer.errors.contains(complaint), "\(answer.errors)")
    }
}
