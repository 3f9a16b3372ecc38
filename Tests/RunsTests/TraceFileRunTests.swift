import Foundation
import Quantities
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// Scenarios whose links follow trace files, from the files to the run and back from its log.
@Suite struct TraceFileRunTests {
    private static let path = "Scenarios/network/a-trace-in-a-file.yaml"

    @Test func `a run is played again from its folder, without the traces`() throws {
        let run = try PlayedRun(HouseScenarios.read(Self.path), seed: 1)
        #expect(run.model.beginning.traces?.map(\.kind) == [.chances, .delays])
        // The replay reads nothing but the run's own files.
        let replay = try Replay(of: run.path)
        let again = try PlayedRun(replay.scenario, seed: replay.seed).model
        #expect(again == run.model)
    }

    @Test func `another trace is another run, and the difference is told`() throws {
        let scenario = try HouseScenarios.read(Self.path)
        let run = try PlayedRun(scenario, seed: 1)
        var traces = scenario.traces
        var steps = traces[0].steps
        steps.append(after: 500, 3)
        traces[0].steps = steps
        let changed = try Scenario.read(
            text: scenario.text, path: scenario.path, traces: traces)
        let other = try PlayedRun(changed, seed: 1)
        #expect(other.model.digest != run.model.digest)
        let difference = try RunDifference(of: run.path, with: other.path)
        #expect(!difference.isEqual)
        #expect(
            difference.description.contains(
                "The trace Scenarios/network/traces/made-up-lte.trace has changed."),
            "\(difference)")
    }

    @Test func `what cannot be read is told in words`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bytes = Data("5\n7\n".utf8)
        try bytes.write(to: folder.appending(path: "good.trace"))
        var seen: [UInt8] = []
        let answer = TraceFile.read(folder.appending(path: "good.trace").path) { block in
            seen += block
            return true
        }
        #expect(answer == nil && Data(seen) == bytes)
        #expect(TraceFile.read(folder.path) { _ in true } == "it is a folder")
        #expect(
            TraceFile.read(folder.appending(path: "no.trace").path) { _ in true }
                == "there is no such file")
    }

    @Test func `the log of a link in a file names the trace and does not repeat it`() throws {
        let scenario = try HouseScenarios.read(Self.path)
        let model = try SimulatedRun(scenario).play(into: nil)
        let terms = model.figures.links.compactMap(\.terms)
        #expect(terms.map(\.trace) == [0, nil] && terms.map(\.delayTrace) == [nil, 1])
        #expect(terms.allSatisfy { $0.chances == nil && $0.delaySteps == nil })
        let uses = model.figures.links.compactMap(\.use)
        #expect(uses.count == 2 && uses.allSatisfy { $0 > 0 && $0 <= 1 })
    }
}
