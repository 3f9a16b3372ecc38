import Foundation
import Testing

/// `--quiet` leaves nothing but failures.
@Suite struct QuietTests {
    @Test(arguments: [
        "run green.yaml", "live small.yaml", "live small.yaml --compare", "crash green.yaml",
        "crash green.yaml --point 3", "chance --runs 5", "chance --play 1",
    ])
    func `nothing is said when all is green`(call: String) throws {
        let desk = try Desk()
        try desk.write(Desk.green.replacing("80 kB", with: "4 kB"), to: "small.yaml")
        let answer = try desk.shell("\"$lab\" \(call) --quiet --report out")
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        #expect(answer.output.isEmpty && answer.errors.isEmpty, "\(answer.call): \(answer.output)")
        #expect(desk.holds("out"), "\(answer.call)")
    }

    @Test(.enabled(if: TerminalTests.hasTerminal)) func `a terminal shows no progress either`()
        throws
    {
        let answer = try Desk().onTerminal(#""$lab" run green.yaml --quiet"#)
        let shown = answer.output.replacing("\r", with: "").replacing("\u{1B}[K", with: "")
        #expect(answer.code == 0 && shown.isEmpty, "\(answer.call): \(answer.output)")
    }

    @Test func `a red run is told in full, and a green one beside it is not`() throws {
        let desk = try Desk()
        let answer = try desk.lab("run", ".", "--quiet", "--report", "out")
        #expect(answer.code == 1 && answer.errors.isEmpty, "\(answer.call)")
        #expect(answer.lines.first?.hasPrefix("✘ an upload in no time") == true, "\(answer.output)")
        #expect(answer.output.contains("    reproduce  ./lab run ./red.yaml --seed 1"))
        #expect(!answer.output.contains("a small upload"), "\(answer.output)")
        #expect(answer.lines.last?.hasPrefix("2 runs: 1 green, ✘ 1 red; ") == true)
    }

    @Test func `cells that were seldom reached are told, without the tables`() throws {
        let answer = try Desk().lab("chance", "--runs", "3", "--cells", "1000", "--quiet")
        #expect(answer.code == 1 && answer.lines.first?.hasPrefix("✘ queue: ") == true)
        #expect(answer.lines.last?.hasPrefix("3 random runs: ") == true, "\(answer.output)")
    }

    @Test func `all and nothing exclude each other`() throws {
        let answer = try Desk().lab("run", "green.yaml", "--quiet", "--json")
        #expect(answer.code == 2 && answer.errors.contains("--json and --quiet exclude each other"))
    }
}
