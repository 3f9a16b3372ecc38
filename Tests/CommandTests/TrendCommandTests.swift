import Foundation
import Testing

/// `--history` and `trend`: figures over builds.
@Suite struct TrendCommandTests {
    @Test func `a slower build is a step in the trend`() throws {
        let desk = try Desk()
        let history = ["--history", "history.jsonl", "--report", "out"]
        for _ in 0..<2 {
            let answer = try Program.run(["run", "green.yaml"] + history, in: desk.url)
            #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        }
        try desk.write(Desk.green.replacing("10 Mbit/s", with: "1 Mbit/s"), to: "green.yaml")
        _ = try Program.run(["run", "green.yaml"] + history, in: desk.url)
        #expect(try desk.text(of: "history.jsonl").split(separator: "\n").count == 3)
        let answer = try desk.lab("trend", "history.jsonl", "--report", "trend")
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        #expect(answer.output.contains("figures changed in 3 builds; trend/trend.html"))
        let page = try desk.text(of: "trend/trend.html")
        let changed = try #require(page.components(separatedBy: "<h2>Unchanged</h2>").first)
        #expect(changed.contains("green.yaml<p class=\"why\">completion</p>"), "\(changed)")
        #expect(!changed.contains("all runs"), "\(changed)")
    }

    @Test func `a benchmark adds its case`() throws {
        let desk = try Desk()
        let answer = try desk.lab(
            "bench", "queue/cancel", "--repeat", "1", "--history", "history.jsonl")
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        #expect(try desk.text(of: "history.jsonl").contains("\"queue/cancel\""))
    }

    @Test func `a history that is none is refused with its place`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--history", "history.jsonl", "--report", "out")
        let good = try desk.text(of: "history.jsonl")
        try desk.write(good + "{\"format\": 3}\n", to: "history.jsonl")
        let broken = try desk.lab("trend", "history.jsonl")
        #expect(broken.code == 2, "\(broken.call)")
        #expect(broken.errors.contains("history.jsonl:2:1: error: not a line of a history"))
        let missing = try desk.lab("trend", "nowhere.jsonl")
        #expect(
            missing.code == 2 && missing.errors.contains("there is no history at nowhere.jsonl"))
    }
}
