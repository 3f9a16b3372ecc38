import Foundation
import Testing

/// The figures of reports, recomputed from the log by programs that share no code with this one.
@Suite(.enabled(if: Program.python != nil, "./lab test makes a Python"))
struct RecomputedFiguresTests {
    /// Compares the report in a folder with what a script finds in the log beside it.
    static func recompute(
        _ script: String, _ run: String, in folder: URL
    ) throws -> Program.Answer {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Recomputed/\(script)").path
        // Without -B, Python would write a folder beside its scripts.
        return try Program.run(
            ["-B", path, run], of: Program.python ?? "", in: folder, environment: [:])
    }

    /// Plays a scenario of the house, and returns the folder of its report.
    private static func play(
        _ scenario: String, _ options: [String] = [], at desk: Desk
    ) throws -> String {
        let path = "\(Desk.houseScenarios)/\(scenario).yaml"
        _ = try Program.run(["run", path, "--report", "out"] + options, in: desk.url)
        return try #require(try desk.shell("dirname \"$(find out -name run.json)\"").lines.first)
    }

    @Test(arguments: [
        "queue/app-killed-and-started-again", "background/a-day-in-the-life-of-a-phone",
        "operations/cancelled-at-half", "resumable/changed-while-suspended",
        "persistent/files-that-fail", "background/disk-full-then-space",
    ]) func `the log has the figures, the lanes and the moments`(scenario: String) throws {
        let desk = try Desk()
        let run = try Self.play(scenario, at: desk)
        let answer = try Self.recompute("figures.py", run, in: desk.url)
        #expect(answer.code == 0, "\(answer.call): \(answer.output)\(answer.errors)")
        #expect(answer.output.contains("are the same"), "\(answer.output)")
    }

    @Test(arguments: [
        "background/a-day-in-the-life-of-a-phone", "network/hand-over-in-the-middle",
        "network/two-phones-two-networks", "network/airplane-mode", "background/home-from-a-cell",
    ]) func `the packets have the traffic and the energy of each interface`(
        scenario: String
    ) throws {
        let desk = try Desk()
        let run = try Self.play(scenario, ["--packets", "both"], at: desk)
        let answer = try Self.recompute("packets.py", run, in: desk.url)
        #expect(answer.code == 0, "\(answer.call): \(answer.output)\(answer.errors)")
        #expect(answer.output.contains(" agree"), "\(answer.output)")
    }

    @Test func `a figure that is wrong is found`() throws {
        let desk = try Desk()
        _ = try desk.lab("run", "green.yaml", "--report", "out")
        let model = try desk.text(of: "out/green/run.json")
        for (figure, wrong) in [
            ("launches", "2"), ("sentAgain", "1"), ("waited", "7"), ("floor", "7"),
            ("duration", "7"), ("queueLimit", "7"), ("to", "7"),
        ] {
            try desk.write(try Self.change(figure, to: wrong, in: model), to: "out/green/run.json")
            let answer = try Self.recompute("figures.py", "out/green", in: desk.url)
            #expect(answer.code == 1, "\(figure): \(answer.output)\(answer.errors)")
        }
        let phone = try Desk()
        let run = try Self.play("background/home-from-a-cell", ["--packets", "both"], at: phone)
        let energy = try phone.text(of: "\(run)/run.json")
        for figure in ["promotions", "tail", "millijoules"] {
            try phone.write(try Self.change(figure, to: "7", in: energy), to: "\(run)/run.json")
            let answer = try Self.recompute("packets.py", run, in: phone.url)
            #expect(answer.code == 1, "\(figure): \(answer.output)\(answer.errors)")
        }
    }

    private static func change(
        _ figure: String, to value: String, in model: String
    ) throws -> String {
        model.replacing(try Regex("\"\(figure)\" : \\d+"), with: "\"\(figure)\" : \(value)")
    }
}
