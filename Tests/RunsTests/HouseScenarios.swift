import Foundation
import Scenario

@testable import Runs

/// The scenario files of this house: found, not listed, so that a new one is tested as it comes.
enum HouseScenarios {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static let paths: [String] = {
        let folder = root.appending(path: "Scenarios").path
        let inside = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
        return (inside ?? []).filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
            .filter { !$0.hasSuffix(FaultScripts.ending) && !$0.hasSuffix(Scenario.partEnding) }
            .filter { !$0.hasSuffix(SuiteFile.name) }
            .sorted().map { "Scenarios/\($0)" }
    }()

    /// The first of its cases, if it has several.
    static func read(_ path: String) throws -> Scenario { try cases(path)[0] }

    static func cases(_ path: String) throws -> [Scenario] {
        let bytes = try Data(contentsOf: root.appending(path: path))
        return try Scenario.cases(
            [UInt8](bytes), path: path,
            parts: { part in
                (try? Data(contentsOf: root.appending(path: part))).map { [UInt8]($0) }
            },
            traces: TraceShelf { TraceFile.read(root.appending(path: $0).path, $1) })
    }

    /// The same with a hundredth of the file: for tests to which the course of the run is nothing.
    static func readShort(_ path: String) throws -> Scenario {
        let text = try read(path).text.replacing("video.mov: 8 MB", with: "video.mov: 80 kB")
        return try Scenario.read(text: text, path: path)
    }
}
