import Foundation
import Testing

@testable import Runs
@testable import Scenario

/// The mutants of this project fit its sources as they stand.
@Suite struct PlantedProjectTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) -> String? {
        try? String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test func `every mutant can be planted`() throws {
        let field = try MutantField(of: Self.root)
        let planted = try MutantPlanting(field) { Self.text($0) }
        #expect(planted.texts.count > 1)
    }

    @Test func `every mutant cites statements that exist, and a scenario that is there`() throws {
        let known = Set(Statement.all.map(\.number))
        for mutant in try MutantField(of: Self.root).mutants {
            let unknown = mutant.cites.filter { !known.contains($0) }
            #expect(unknown == [], "\(mutant.place)")
            if let scenario = mutant.scenario {
                #expect(Self.text("Scenarios/\(scenario).yaml") != nil, "\(mutant.place)")
            }
        }
    }
}
