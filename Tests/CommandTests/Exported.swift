import Foundation
import Testing

/// Runs to export, and judges of exports that share no code with the program.
enum Exported {
    static let scenarios = [
        "queue/app-killed-and-started-again", "background/a-day-in-the-life-of-a-phone",
        "persistent/files-that-fail", "resumable/two-phones-one-object", "green.yaml",
    ]

    /// Plays a scenario of the house or the desk, and returns the folder of its run.
    static func play(_ path: String, at desk: Desk) throws -> String {
        let name = path.contains("/") ? "\(Desk.houseScenarios)/\(path).yaml" : path
        _ = try desk.lab("run", name, "--packets", "both", "--report", "out")
        return try #require(
            try desk.shell("dirname \"$(find out -name run.json | sort | head -n 1)\"").lines.first)
    }

    /// Calls a judge of `Recomputed` with these files.
    static func judge(_ name: String, _ files: [String], at desk: Desk) throws -> Program.Answer {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Recomputed/\(name).py").path
        return try Program.run(
            [script] + files, of: Program.python ?? "", in: desk.url, environment: [:])
    }
}
