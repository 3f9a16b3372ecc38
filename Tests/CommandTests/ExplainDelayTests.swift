import Foundation
import Testing

/// `explain-delay`: of a scenario, and of an earlier run, whose page gets the table.
@Suite struct ExplainDelayTests {
    private static func desk() throws -> Desk {
        let desk = try Desk()
        let killed = Desk.green.replacing("80 kB", with: "2 MB")
            .replacing(
                "expect:", with: "timeline:\n  - 1 s: app killed\n  - 3 s: app launched\nexpect:")
        try desk.write(killed, to: "killed.yaml")
        return desk
    }

    @Test func `the cost of each trouble is told, the greatest first`() throws {
        let desk = try Self.desk()
        let answer = try desk.lab("explain-delay", "killed.yaml")
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        #expect(answer.lines.first?.hasPrefix("“a small upload” completes at") ?? false)
        #expect(answer.output.contains("at 1 s the app is killed"), "\(answer.output)")
        #expect(answer.output.contains("loss and disturbance of uplink"), "\(answer.output)")
        #expect(answer.output.contains("together, beyond the sum"), "\(answer.output)")
        let kill = try #require(answer.output.range(of: "at 1 s the app is killed"))
        let loss = try #require(answer.output.range(of: "loss and disturbance"))
        #expect(loss.lowerBound < kill.lowerBound, "\(answer.output)")
    }

    @Test func `the page of an earlier run gets the table`() throws {
        let desk = try Self.desk()
        _ = try desk.lab("run", "killed.yaml", "--report", "out")
        #expect(try !desk.text(of: "out/killed/report.html").contains("What it cost"))
        let answer = try desk.lab("explain-delay", "out/killed")
        #expect(answer.code == 0, "\(answer.call): \(answer.errors)")
        #expect(answer.lines.last == "the table is in out/killed/report.html, too")
        let page = try desk.text(of: "out/killed/report.html")
        #expect(page.contains("What it cost") && page.contains("at 1 s the app is killed"))
        #expect(page.contains("href=\"../index.html\""))
        #expect(try desk.text(of: "out/killed/run.json").contains("\"delays\" : {"))
    }

    @Test func `a run has its own seed, and a folder of scenarios is too much`() throws {
        let desk = try Self.desk()
        _ = try desk.lab("run", "killed.yaml", "--report", "out")
        let seeded = try desk.lab("explain-delay", "out/killed", "--seed", "2")
        #expect(seeded.code == 2 && seeded.errors.contains("it takes no --seed"))
        let many = try desk.lab("explain-delay", ".")
        #expect(many.code == 2 && many.errors.contains("explain-delay takes one scenario"))
    }
}
