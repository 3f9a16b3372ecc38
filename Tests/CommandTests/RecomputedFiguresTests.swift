import Foundation
import Testing

/// The figures of reports, recomputed from the log by a program that shares no code with this one.
@Suite(.enabled(if: Program.python != nil, "./lab test makes a Python"))
struct RecomputedFiguresTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Recomputed/figures.py").path

    @Test(arguments: [
        "queue/app-killed-and-started-again", "background/a-day-in-the-life-of-a-phone",
        "operations/cancelled-at-half", "resumable/changed-while-suspended",
        "persistent/files-that-fail",
    ]) func `the log has every figure of sessions and connections`(scenario: String) throws {
        let desk = try Desk()
        let path = "\(Desk.houseScenarios)/\(scenario).yaml"
        _ = try desk.lab("run", path, "--report", "out")
        let model = try #require(
            try desk.shell("dirname \"$(find out -name run.json)\"").lines.first)
        let answer = try Program.run(
            [Self.script, model], of: Program.python ?? "", in: desk.url, environment: [:])
        #expect(answer.code == 0, "\(answer.call): \(answer.output)\(answer.errors)")
        #expect(answer.output.contains("are the same"), "\(answer.output)")
    }

    @Test func `a figure that is wrong is found`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "out")
        let model = try desk.text(of: "out/green/run.json")
        for (figure, wrong) in [("launches", "2"), ("sentAgain", "1"), ("waited", "7")] {
            let changed = model.replacing(
                try Regex("\"\(figure)\" : \\d+"), with: "\"\(figure)\" : \(wrong)")
            try desk.write(changed, to: "out/green/run.json")
            let answer = try Program.run(
                [Self.script, "out/green"], of: Program.python ?? "", in: desk.url,
                environment: [:])
            #expect(answer.code == 1, "\(figure): \(answer.output)\(answer.errors)")
        }
    }
}
