import Foundation
import Testing

/// 0 all held, 1 something fell short; 2 has a file of its own.
@Suite struct ExitCodeTests {
    @Test func `a green scenario ends with 0, a red one with 1, and both with 1`() throws {
        let desk = try Desk()
        let green = try desk.lab("run", "green.yaml")
        #expect(green.code == 0 && green.errors.isEmpty, "\(green.call): \(green.errors)")
        let red = try desk.lab("run", "red.yaml")
        #expect(red.code == 1 && red.errors.isEmpty, "\(red.call): \(red.errors)")
        let both = try desk.lab("run", ".")
        #expect(both.code == 1 && both.lines.last?.hasPrefix("2 runs: 1 green, ✘ 1 red") == true)
    }

    @Test(arguments: ["--json", "--digests"])
    func `the exit code is the same in every form of output`(form: String) throws {
        let desk = try Desk()
        #expect(try desk.lab("run", "green.yaml", form).code == 0)
        #expect(try desk.lab("run", "red.yaml", form).code == 1)
    }

    @Test func `a replay ends with 0 when it is the same and green, with 1 when it is red`() throws
    {
        let desk = try Desk()
        _ = try desk.lab("run", ".", "--report", "out")
        let green = try desk.lab("replay", "out/green")
        #expect(green.code == 0 && green.output.contains("The same as before"), "\(green.call)")
        let red = try desk.lab("replay", "out/red")
        #expect(red.code == 1 && red.output.contains("The same as before"), "\(red.call)")
        #expect(desk.holds("Reports/replay/red/run.json"))
    }

    @Test func `a replay that comes out otherwise ends with 1, and says how to see where`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "out")
        let text = try desk.text(of: "out/green/run.json")
        try desk.write(
            text.replacing(#""seed" : 1"#, with: #""seed" : 2"#), to: "out/green/run.json")
        let answer = try desk.lab("replay", "out/green", "--report", "again")
        #expect(answer.code == 1, "\(answer.call): \(answer.errors)")
        #expect(answer.output.contains("The run has changed"), "\(answer.call)")
        let command = try #require(answer.lines.last?.components(separatedBy: ": ").last)
        let shown = try desk.shell(command.replacing("./lab", with: "\"$lab\""))
        #expect(shown.code == 1 && shown.output.contains("The runs differ from"), "\(shown.call)")
    }

    @Test func `a comparison ends with 0 for the same run and with 1 for another`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "a")
        _ = try desk.lab("run", "green.yaml", "--report", "b")
        _ = try desk.lab("run", "green.yaml", "--report", "c", "--seed", "2")
        let same = try desk.lab("diff", "a/green", "b/green")
        #expect(same.code == 0 && same.output.hasPrefix("The same: "), "\(same.call)")
        let other = try desk.lab("diff", "a/green", "c/green")
        #expect(other.code == 1 && other.output.contains("Their seeds differ: 1 and 2."))
    }

    @Test func `a simulated run and a live one of a scenario can be compared`() throws {
        let desk = try Desk()
        try desk.write(Desk.green.replacing("80 kB", with: "4 kB"), to: "small.yaml")
        _ = try desk.lab("run", "small.yaml", "--report", "a")
        _ = try desk.lab("live", "small.yaml", "--report", "b")
        let same = try desk.lab("diff", "a/small", "b/small")
        #expect(same.code == 0, "\(same.call): \(same.output)")
        #expect(same.output.contains("Queue: the same "), "\(same.output)")
    }

    @Test func `a check ends with 0 and plays nothing`() throws {
        let desk = try Desk()
        let answer = try desk.lab("check", ".")
        #expect(answer.code == 0 && answer.lines.count == 2, "\(answer.call): \(answer.errors)")
        #expect(!desk.holds("Reports"))
    }

    @Test(arguments: [
        ["help"], ["--help"], ["-h"], ["help", "run"], ["run", "--help"], ["run", "x", "-h"],
        ["help", "check"], ["help", "live"], ["help", "replay"], ["help", "diff"],
        ["help", "bench"], ["help", "compare"],
    ])
    func `help is output, with an example, and ends with 0`(words: [String]) throws {
        let desk = try Desk()
        let answer = try Program.run(words, in: desk.url)
        #expect(answer.code == 0 && answer.errors.isEmpty, "\(answer.call): \(answer.errors)")
        #expect(answer.output.contains("usage: ./lab "), "\(answer.call)")
        #expect(answer.output.contains("Example: ./lab ") || answer.output.contains("Begin with:"))
        #expect(answer.output.contains("Exit codes: "), "\(answer.call)")
    }
}
