import Foundation
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// `run.json` is all that is needed to play a run again, and it notices when that is another run.
@Suite struct ReplayTests {
    @Test func `a run is played again from its folder, with the seed that it had`() throws {
        let run = try PlayedRun(HouseScenarios.read(SeedTests.lossy), seed: 3)
        let replay = try Replay(of: run.path)
        let again = try PlayedRun(replay.scenario, seed: replay.seed).model
        #expect(again == run.model, "reproduce with: \(run.model.beginning.command)")
        #expect(replay.difference(from: again.digest, in: "x") == nil)
    }

    @Test func `writing files changes nothing in the run`() throws {
        let scenario = try HouseScenarios.readShort(SeedTests.lossy)
        let silent = try SimulatedRun(scenario).play(into: nil)
        var written = try PlayedRun(scenario).model
        #expect(written.series.links?.isEmpty == false && written.series.flows?.isEmpty == false)
        // Without files nobody draws links and flows.
        (written.series.links, written.series.linksLeftOut) = (nil, nil)
        (written.series.flows, written.series.flowsLeftOut) = (nil, nil)
        #expect(written == silent)
    }

    @Test func `a run may be named by its file, too`() throws {
        let run = try PlayedRun(HouseScenarios.readShort(SeedTests.lossy))
        #expect(try Replay(of: run.path + "/run.json").digest == run.model.digest)
    }

    @Test(arguments: [
        (#""digest" : ""#, #""digest" : "0"#), (#""seed" : 1"#, #""seed" : 2"#),
        ("video.mov: 80 kB", "video.mov: 90 kB"),
    ])
    func `a run that is not what it says is noticed`(written: String, tampered: String) throws {
        let run = try PlayedRun(HouseScenarios.readShort(SeedTests.lossy))
        try run.rewrite("run.json") { $0.replacing(written, with: tampered) }
        let replay = try Replay(of: run.path)
        let again = try SimulatedRun(replay.scenario, seed: replay.seed).play(into: nil)
        let difference = try #require(replay.difference(from: again.digest, in: "the new run"))
        #expect(difference.contains("was \(replay.digest) and is \(again.digest) now"))
        #expect(difference.contains("./lab diff '\(run.path)' 'the new run'"), "\(difference)")
    }

    @Test func `a damaged scenario is pointed at, line by line`() throws {
        let run = try PlayedRun(HouseScenarios.readShort(SeedTests.lossy))
        try run.rewrite("run.json") { $0.replacing("video.mov: 80 kB", with: "video.mov: 8") }
        let failure = #expect(throws: RunFailure.self) { try Replay(of: run.path) }
        let message = failure?.description ?? ""
        #expect(
            message.contains(
                "this version cannot play the scenario in \(run.path)"
            ))
        #expect(message.contains("Scenarios/queue/first-upload-with-loss.yaml:12:14: error:"))
    }

    @Test(arguments: [
        ("", "run.json is not a run: "), ("{ x", "run.json:1:3: error: the file is not a run: "),
        ("{}", "is not a run: “format” is missing"),
        (#"{"format":"transferlab-run/9 x"}"#, "its format is “transferlab-run/9 x”"),
        (#"{"format":"transferlab-run/1 x"}"#, "is not a run: “beginning” is missing"),
    ])
    func `a file that is no run is refused, with its name and a reason`(
        text: String, reason: String
    ) throws {
        let run = try PlayedRun(HouseScenarios.readShort(SeedTests.lossless))
        try run.rewrite("run.json") { _ in text }
        let failure = #expect(throws: RunFailure.self) { try Replay(of: run.path) }
        let message = failure?.description ?? ""
        #expect(message.contains("run.json") && message.contains(reason), "\(message)")
    }

    @Test func `a live run is not played again here, and the way to play it is told`() throws {
        let run = try PlayedRun(HouseScenarios.readShort(SeedTests.lossless))
        try run.rewrite("run.json") { $0.replacing(#": "simulated""#, with: #": "live""#) }
        let failure = #expect(throws: RunFailure.self) { try Replay(of: run.path) }
        let message = failure?.description ?? ""
        #expect(message.contains("is a live run"))
        #expect(message.contains(run.model.beginning.command))
    }

    @Test func `a replay never writes over the run that it plays`() throws {
        let suite = FileManager.default.temporaryDirectory
            .appending(path: "suite \(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: suite) }
        let scenario = try HouseScenarios.readShort(SeedTests.lossless)
        let entry = try SuiteRun(SuiteCase.all(of: [scenario]), folder: suite).play().entries[0]
        let replay = try Replay(of: suite.appending(path: entry.folder).path)
        #expect(throws: RunFailure.self) { try replay.folderInside(suite) }
        let elsewhere = try replay.folderInside(suite.appending(path: "again"))
        #expect(elsewhere.hasSuffix("/again/Scenarios/queue/first-upload"))
    }
}
