import Foundation
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// The files of a suite: a folder for each run, and an index that finds them.
@Suite struct SuiteFolderTests {
    @Test(arguments: [
        ("Scenarios/queue/a.yaml", "Scenarios/queue/a"), ("./a.yml", "a"), ("../x/a.yaml", "x/a"),
        ("/etc/a b.yaml", "etc/a b"), (".yaml", "scenario"), ("a/../b.yaml", "a/b"),
    ])
    func `a run's folder is named by its scenario's path, and stays in the suite's`(
        path: String, folder: String
    ) {
        #expect(RunFolder.name(for: path) == folder)
    }

    @Test func `two files that would share a folder get one each`() throws {
        let scenario = try HouseScenarios.readShort(SeedTests.lossless)
        let scenarios = try ["a.yaml", "../a.yaml", "./a.yaml"].map {
            try Scenario.read(text: scenario.text, path: $0)
        }
        let suite = try SuiteRun(SuiteCase.all(of: scenarios), folder: nil).play()
        #expect(suite.entries.map(\.folder) == ["a", "a-2", "a-3"])
    }

    @Test func `a folder holds the files of one run only`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "one run \(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["run.json", "events.jsonl", "report.html", "capture.pcap", "notes.txt"] {
            try Data().write(to: folder.appending(path: name))
        }
        _ = try RunFolder(creating: folder)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left == ["notes.txt"])
    }

    @Test func `the command that plays a run again survives the shell`() throws {
        let scenario = try HouseScenarios.readShort(SeedTests.lossless)
        let paths = ["a b.yaml", "it's.yaml", "größe.yaml", "-x.yaml", "$(rm).yaml"]
        let commands = try paths.map { path in
            try SimulatedRun(Scenario.read(text: scenario.text, path: path)).play(into: nil)
                .beginning.command
        }
        #expect(
            commands == [
                "./lab run 'a b.yaml' --seed 1", #"./lab run 'it'\''s.yaml' --seed 1"#,
                "./lab run 'größe.yaml' --seed 1", "./lab run ./-x.yaml --seed 1",
                "./lab run '$(rm).yaml' --seed 1",
            ])
    }
}
