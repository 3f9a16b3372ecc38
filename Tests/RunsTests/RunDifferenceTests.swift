import Foundation
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// `diff`: the first event in which two runs differ, or why they cannot be compared.
@Suite struct RunDifferenceTests {
    @Test func `the same run is the same, wherever it was played and its file stood`() throws {
        let scenario = try HouseScenarios.readShort(SeedTests.lossy)
        let elsewhere = try Scenario.read(text: scenario.text, path: "elsewhere/a b.yaml")
        let (one, other) = (try PlayedRun(scenario), try PlayedRun(elsewhere))
        #expect(one.model.digest == other.model.digest)
        let comparison = try RunDifference(of: one.path, with: other.path)
        #expect(comparison.isEqual, "\(comparison)")
        let count = try one.events().count
        #expect(comparison.description == "The same: \(count) events, digest \(one.model.digest).")
    }

    @Test func `a run may be named by its file, too`() throws {
        let run = try PlayedRun(HouseScenarios.readShort(SeedTests.lossless))
        #expect(try RunDifference(of: run.path + "/run.json", with: run.path).isEqual)
    }

    @Test func `two seeds are named, and then the first event in which they led elsewhere`() throws
    {
        let scenario = try HouseScenarios.readShort(SeedTests.lossy)
        let (one, other) = (try PlayedRun(scenario), try PlayedRun(scenario, seed: 2))
        let comparison = try RunDifference(of: one.path, with: other.path)
        #expect(!comparison.isEqual)
        let events = try (one.events(), other.events())
        let common = zip(events.0, events.1).dropFirst().prefix { $0 == $1 }.count + 1
        let said = comparison.description
        #expect(said.hasPrefix("The runs differ from event \(common) on.\n"), "\(said)")
        #expect(said.contains("Their seeds differ: 1 and 2."), "\(said)")
        #expect(said.contains("  < \(common)  \(events.0[common])"), "\(said)")
        #expect(said.contains("  > \(common)  \(events.1[common])"), "\(said)")
        #expect(said.contains("    \(common - 1)  \(events.0[common - 1])"), "\(said)")
    }

    @Test func `two scenarios are named by the first line in which they differ`() throws {
        let scenario = try HouseScenarios.readShort(SeedTests.lossless)
        let text = scenario.text.replacing("80 kB\n", with: "90 kB\n")
        let larger = try Scenario.read(text: text, path: scenario.path)
        let (one, other) = (try PlayedRun(scenario), try PlayedRun(larger))
        let comparison = try RunDifference(of: one.path, with: other.path)
        #expect(!comparison.isEqual)
        let said = comparison.description
        #expect(said.contains("Their scenarios differ from line 10 on:\n"), "\(said)")
        #expect(said.contains("  < 10  |   video.mov: 80 kB\n"), "\(said)")
        #expect(said.contains("  > 10  |   video.mov: 90 kB\n"), "\(said)")
    }

    @Test func `a value that was changed by hand is the first difference`() throws {
        let scenario = try HouseScenarios.readShort(SeedTests.lossless)
        let (one, other) = (try PlayedRun(scenario), try PlayedRun(scenario))
        try other.rewrite("events.jsonl") { $0.replacing(#""launch":1"#, with: #""launch":2"#) }
        let comparison = try RunDifference(of: one.path, with: other.path)
        let events = try one.events()
        let first = try #require(
            events.firstIndex { $0.fact == .device(.appLaunched(launch: 1)) })
        #expect(comparison.description.contains("  < \(first)  "), "\(comparison)")
    }

    @Test func `equal events under unequal digests are not called the same`() throws {
        let scenario = try HouseScenarios.readShort(SeedTests.lossless)
        let (one, other) = (try PlayedRun(scenario), try PlayedRun(scenario))
        try other.rewrite("run.json") { $0.replacing(one.model.digest, with: "0123456789abcdef") }
        let comparison = try RunDifference(of: one.path, with: other.path)
        #expect(!comparison.isEqual)
        #expect(comparison.description.contains("but the digests differ"), "\(comparison)")
    }

    @Test func `runs of two worlds are compared by what was told and done, without times`() throws {
        let scenario = try HouseScenarios.readShort(SeedTests.lossless)
        let (one, other) = (try PlayedRun(scenario), try PlayedRun(scenario))
        try other.rewrite("run.json") { $0.replacing(#""simulated""#, with: #""live""#) }
        // A live run takes its time, and has appends that begin elsewhere.
        try other.rewrite("events.jsonl") { text in
            text.replacing("\n{\"at\":", with: "\n{\"at\":1")
                .replacing(#""staged":"#, with: #""staged":7"#)
        }
        let comparison = try RunDifference(of: one.path, with: other.path)
        #expect(comparison.isEqual, "\(comparison)")
        let said = comparison.description
        #expect(said.hasPrefix("The runs come from different worlds, simulated and live: "))
        #expect(said.contains("\nServer: the same "), "\(said)")
        #expect(said.contains("\nQueue: the same "), "\(said)")
        #expect(said.hasSuffix("  <  is \(one.path)\n  >  is \(other.path)"))
    }

    @Test func `runs of two worlds differ from the first thing that only one has`() throws {
        let scenario = try HouseScenarios.readShort(SeedTests.lossless)
        let (one, other) = (try PlayedRun(scenario), try PlayedRun(scenario))
        try other.rewrite("run.json") { $0.replacing(#""simulated""#, with: #""live""#) }
        try other.rewrite("events.jsonl") { text in
            text.split(separator: "\n").filter { !$0.contains("willStopRunning") }
                .joined(separator: "\n") + "\n"
        }
        let comparison = try RunDifference(of: one.path, with: other.path)
        #expect(!comparison.isEqual)
        let said = comparison.description
        #expect(said.contains("Queue: the first "), "\(said)")
        #expect(said.contains(": session 1 will stop running\n  > "), "\(said)")
        #expect(said.contains("\nServer: the same "), "\(said)")
    }

    @Test func `of tasks each is compared by itself, by what its app was told without amounts`()
        throws
    {
        let path = "Scenarios/background/nothing-to-download.yaml"
        let (one, other) = (
            try PlayedRun(HouseScenarios.read(path)), try PlayedRun(HouseScenarios.read(path))
        )
        try other.rewrite("run.json") { $0.replacing(#""simulated""#, with: #""live""#) }
        try other.rewrite("events.jsonl") { text in
            text.split(separator: "\n").filter { !$0.contains("didSendBodyData") }
                .joined(separator: "\n") + "\n"
        }
        let same = try RunDifference(of: one.path, with: other.path)
        #expect(same.isEqual, "\(same)")
        #expect(same.description.contains("\nTask 1: the same 2 events."), "\(same)")
        try other.rewrite("events.jsonl") { $0.replacing(#""status":404"#, with: #""status":405"#) }
        let said = try RunDifference(of: one.path, with: other.path).description
        #expect(said.contains("\nTask 1: the first 0 events are the same, then"), "\(said)")
        #expect(said.contains("\nTask 2: the same 1 events."), "\(said)")
    }

    @Test func `a damaged line is named`() throws {
        let run = try PlayedRun(HouseScenarios.readShort(SeedTests.lossless))
        try run.rewrite("events.jsonl") { text in
            var lines = text.split(separator: "\n").map(String.init)
            lines[4] = String(lines[4].dropLast())
            return lines.joined(separator: "\n") + "\n"
        }
        let failure = #expect(throws: RunFailure.self) {
            try RunDifference(of: run.path, with: run.path)
        }
        let message = failure?.description ?? ""
        #expect(message.hasPrefix("\(run.path)/events.jsonl:5:1: error: "), "\(message)")
    }

    @Test(arguments: [1, 20]) func `a file that breaks off is named, with its last line`(
        missing: Int
    ) throws {
        let run = try PlayedRun(HouseScenarios.readShort(SeedTests.lossless))
        let count = try run.events().count
        try run.rewrite("events.jsonl") { text in
            let whole = text.split(separator: "\n").dropLast(missing)
            return whole.joined(separator: "\n") + "\n" + #"{"at":7"#
        }
        let failure = #expect(throws: RunFailure.self) {
            try RunDifference(of: run.path, with: run.path)
        }
        let message = failure?.description ?? ""
        let place = "\(run.path)/events.jsonl:\(count - missing):1: error: the log ends here"
        #expect(message.hasPrefix(place), "\(message)")
        #expect(message.contains(run.model.beginning.command), "\(message)")
    }

    @Test func `a run without its events is told from no run at all`() throws {
        let run = try PlayedRun(HouseScenarios.readShort(SeedTests.lossless))
        try FileManager.default.removeItem(atPath: run.path + "/events.jsonl")
        let failure = #expect(throws: RunFailure.self) {
            try RunDifference(of: run.path, with: run.path)
        }
        #expect(failure?.description.contains("there is no events.jsonl in \(run.path)") ?? false)
        let nowhere = #expect(throws: RunFailure.self) {
            try RunDifference(of: run.path, with: run.path + "/nowhere")
        }
        #expect(nowhere?.description.contains("there is no run at \(run.path)/nowhere") ?? false)
    }
}
