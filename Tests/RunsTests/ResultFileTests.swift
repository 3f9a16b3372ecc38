import Foundation
import Quantities
import Reports
import RunLog
import Testing

@testable import Runs

/// Files of results, read for a comparison.
@Suite struct ResultFileTests {
    @Test func `a run is its own figures, its sessions and its links`() throws {
        let run = try PlayedRun(HouseScenarios.readShort(SeedTests.lossy))
        let sheet = try ResultFile.read(run.path)
        #expect(
            sheet.subjects.map(\.name) == ["the run", "session 1", "the uplink", "the downlink"])
        #expect(sheet.subjects[0].exact["digest"] == .text(run.model.digest))
        let completion = try #require(run.model.figures.completion)
        #expect(
            sheet.subjects[1].exact["completionNanoseconds"]
                == .whole(UInt64(completion.nanoseconds)))
        #expect(
            sheet.subjects[2...3].map { $0.exact["droppedPackets"] }
                == run.model.figures.links.map { .whole($0.count.dropped.packets) })
        #expect(sheet == (try ResultFile.read(run.path + "/run.json")))
        #expect(FigureComparison(of: sheet, with: sheet).isHeld)
    }

    @Test func `a live run's figures are measured, and have no digest`() throws {
        let run = try PlayedRun(HouseScenarios.readShort(SeedTests.lossless))
        try run.rewrite("run.json") {
            $0.replacing(#""world" : "simulated""#, with: #""world" : "live""#)
        }
        let sheet = try ResultFile.read(run.path)
        #expect(sheet.subjects.allSatisfy { $0.exact.isEmpty && !$0.measured.isEmpty })
    }

    @Test func `a suite has a subject a run`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "results \(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let scenario = try HouseScenarios.readShort(SeedTests.lossy)
        let suite = try SuiteRun(SuiteCase.all(of: [scenario, scenario]), folder: folder)
            .play()
        let sheet = try ResultFile.read(folder.path)
        #expect(sheet.subjects.map(\.name) == suite.entries.map(\.folder))
        #expect(sheet.subjects[0].exact["digest"] == .text(suite.entries[0].digest))
        #expect(sheet.subjects[0].exact["judgement"] == .text("green"))
    }

    @Test func `the fidelity grid has a subject a cell, simulated and measured`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let path = root.appending(path: "Reports/baselines/fidelity.json").path
        let sheet = try ResultFile.read(path)
        let cell = try #require(sheet.subject(named: "cubic-40ms-1%"))
        #expect(cell.exact.keys.contains("simulatedPattern1BitsPerSecond"))
        #expect(cell.measured.keys.contains("kernelPattern1BitsPerSecond"))
        #expect(FigureComparison(of: sheet, with: sheet, tolerance: 0).isHeld)
    }

    @Test func `figures come back as they were written`() throws {
        var sheet = FigureSheet(subjects: [
            FigureSubject(
                name: "a", about: "one", exact: ["x": .whole(.max), "y": .text("z")],
                measured: ["w": MeasuredFigure([3, 1, 2], better: .less)])
        ])
        sheet.machine = MeasuringMachine(
            processor: "p", cores: 2, build: "debug", repetitions: 3, loadBefore: 0.5, loadAfter: 4)
        #expect(try Self.reading(String(decoding: SheetJSON.data(sheet), as: UTF8.self)) == sheet)
    }

    @Test(arguments: [
        ("", "holds no results: it is not JSON, or it is cut off"),
        ("{\n  \"a\": x }", "results.json:2:8: error: the file holds no results: it is not JSON"),
        ("[]", "holds no results: "),
        ("{}", "holds no results: “format” is missing"),
        (
            #"{"format": "other/1"}"#,
            "holds no results: its format “other/1” is unknown; known formats are "
        ),
        (#"{"format": "transferlab-figures/1"}"#, "holds no results: “subjects” is missing"),
        (
            #"{"format": "transferlab-figures/1", "subjects": [{"name": "a", "measured": {}, "#
                + #""exact": {"b": 1.5}}]}"#,
            "a whole number of at least 0, or a text in subjects[0].exact.b"
        ),
        (
            #"{"format": "transferlab-figures/1", "subjects": [{"name": "a", "measured": {}, "#
                + #""exact": {}}, {"name": "a", "measured": {}, "exact": {}}]}"#,
            "two subjects have the name “a”"
        ),
        (#"{"format": "transferlab-suite/1 x"}"#, "holds no results: “green” is missing"),
        (#"{"format": "transferlab-run/1 x"}"#, "holds no results: “beginning” is missing"),
    ])
    func `a file without results is named, with what is wrong with it`(
        text: String, words: String
    ) {
        let error = #expect(throws: RunFailure.self) { try Self.reading(text) }
        #expect(error?.description.contains(words) == true, "\(error as Any)")
    }

    private static func reading(_ text: String) throws -> FigureSheet {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "results \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "results.json")
        try Data(text.utf8).write(to: file)
        return try ResultFile.read(file.path)
    }
}
