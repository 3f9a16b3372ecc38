import Foundation
import Testing

/// Random scenarios as a user has them.
@Suite struct ChanceCommandTests {
    @Test func `--words lists how many scenarios use each word of the language`() throws {
        let desk = try Desk()
        let answer = try desk.lab("chance", "--words", "--runs", "20")
        #expect(answer.code == 0 && answer.errors.isEmpty, "\(answer.errors)")
        let lines = answer.output.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.contains("20  a scenario: name"))
        #expect(lines.contains("0  a scenario: expect"))
        let mixed = try desk.lab("chance", "--words", "--cells", "3")
        #expect(mixed.code == 2)
        #expect(mixed.errors.contains("--words plays nothing, so --cells has no use"))
    }

    @Test func `so many are played, and a table says which cells they reached`() throws {
        let desk = try Desk()
        let answer = try desk.lab("chance", "--runs", "12", "--report", "out")
        #expect(answer.code == 0, "\(answer.errors)\(answer.output)")
        #expect(answer.lines.first?.hasPrefix("queue  ") == true, "\(answer.output)")
        #expect(answer.output.contains("12 random runs: ✔ all green; "), "\(answer.output)")
        let json = try desk.lab("chance", "--runs", "12", "--report", "again", "--json")
        #expect(try json.output == desk.text(of: "out/chance.json"))
    }

    @Test func `one digest stands for all runs`() throws {
        let desk = try Desk()
        func digest(_ words: String...) throws -> String {
            let answer = try Program.run(["chance", "--report", "out"] + words, in: desk.url)
            return String(try #require(answer.lines.last?.split(separator: ";").dropLast().last))
        }
        let some = try digest("--runs", "3")
        #expect(some.hasPrefix(" digest "), "\(some)")
        #expect(try digest("--runs", "3", "--jobs", "1") == some)
        #expect(try digest("--runs", "4") != some)
        #expect(try digest("--runs", "3", "--seed", "2") != some)
    }

    @Test func `one is played alone, and its scenario lies beside its reports`() throws {
        let desk = try Desk()
        let answer = try desk.lab("chance", "--play", "7", "--report", "out")
        #expect(answer.code == 0, "\(answer.errors)")
        #expect(answer.output.contains("✔ seed 7"), "\(answer.output)")
        #expect(try desk.text(of: "out/run.json").contains("./lab chance --play 7"))
        let again = try desk.lab("run", "out/scenario.yaml", "--report", "again")
        #expect(again.code == 0, "\(again.errors)\(again.output)")
    }

    @Test func `cells that are reached too seldom fall short`() throws {
        let desk = try Desk()
        let answer = try desk.lab(
            "chance", "--runs", "2", "--facade", "queue", "--cells", "1000", "--report", "out")
        #expect(answer.code == 1)
        #expect(answer.output.contains("✘ queue: waiting × itsTurn, "), "\(answer.output)")
        #expect(!answer.output.contains("operations"))
    }

    @Test(arguments: [
        (["--runs", "0"], "--runs takes a whole number from 1"),
        (["--facade", "queu"], "there is no façade “queu”, did you mean “queue”?"),
        (["a.yaml"], "chance takes no file"),
        (
            ["--play", "7", "--runs", "5"],
            "--runs and --play exclude each other, because --play plays one run"
        ),
        (
            ["--play", "7", "--json"],
            "--json and --play exclude each other, because --play plays one run"
        ),
    ])
    func `what cannot be played is said`(words: [String], complaint: String) throws {
        let desk = try Desk()
        let answer = try Program.run(["chance"] + words, in: desk.url)
        #expect(answer.code == 2)
        #expect(answer.errors.contains(complaint), "\(answer.errors)")
    }
}
