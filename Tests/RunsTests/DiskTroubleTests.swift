import Foundation
import Quantities
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// Whatever is wrong with a phone's disk, and whenever: nothing breaks, the invariants hold, and
/// after it is whole again all comes to its end.
@Suite struct DiskTroubleTests {
    static let courses: [[(after: UInt64, what: String)]] = [
        [(0, "disk full"), (40, "healing within 5 min")],
        [(0, "disk writes fail"), (40, "healing within 5 min")],
        [(0, "disk reads fail"), (40, "healing within 5 min")],
        [(0, "disk full"), (3, "app killed"), (4, "app launched"), (40, "healing within 5 min")],
        [
            (0, "disk writes fail"), (3, "app killed"), (4, "app launched"), (30, "app launched"),
            (40, "healing within 5 min"),
        ],
        [
            (0, "disk reads fail"), (3, "app killed"), (4, "app launched"),
            (20, "disk reads work again"), (21, "app launched"), (40, "healing within 5 min"),
        ],
        [
            (0, "disk writes fail"), (10, "power lost"), (11, "power back"),
            (12, "disk writes work again"), (43, "app to foreground"),
        ],
        [
            (0, "disk full"), (1, "disk writes fail"), (2, "disk reads fail"), (20, "app crashes"),
            (25, "healing within 5 min"), (26, "app launched"),
        ],
    ]

    /// The expectation that all complete is left out: what was refused never does.
    static func text(_ course: [(after: UInt64, what: String)], from start: UInt64) -> String {
        PhoneLifeTests.text("ios-17", course, from: start)
            .split(separator: "\n").filter { !$0.contains("completes") && $0 != "expect:" }
            .joined(separator: "\n")
    }

    @Test(arguments: courses.indices)
    func `at any moment it ends well`(index: Int) throws {
        for moment in [0, 500_000, 1_500_000] + PhoneLifeTests.moments {
            let text = Self.text(Self.courses[index], from: moment)
            let model: ReportModel
            do {
                model = try SimulatedRun(Scenario.read(text: text, path: "disk.yaml"))
                    .play(into: nil)
            } catch let error as ScenarioError {
                // The app may be running then, or not.
                Issue.record("\(error) in \n\(text)")
                return
            }
            #expect(
                model.judgement.isGreen,
                """
                \(model.judgement.sentence); reproduce with: ./lab run disk.yaml, where that is
                \(text)
                """)
        }
    }

    @Test func `an app whose store cannot be read crashes at its launch, and comes up later`()
        throws
    {
        let text = PhoneLifeTests.text(
            "ios-17",
            [
                (0, "app killed"), (1, "disk reads fail"), (2, "app launched"),
                (3, "disk reads work again"), (4, "app launched"),
            ], from: 200_000_000)
        let played = try PlayedRun(Scenario.read(text: text, path: "disk.yaml"))
        #expect(played.model.judgement.isGreen, "\(played.model.judgement.sentence)")
        let facts = try played.events().map(\.fact)
        #expect(facts.contains(.device(.appKilled(launch: 2, why: .crash))))
        let reasons = facts.compactMap { fact -> String? in
            if case .store(.failed(let reason)) = fact { reason } else { nil }
        }
        #expect(reasons.count == 1)
        #expect(reasons.first?.contains("SQLite code 266") == true)
        let opened = facts.compactMap { fact -> UInt32? in
            if case .store(.opened(let launch, _, _)) = fact { launch } else { nil }
        }
        #expect(opened == [1, 3])
    }

    /// On its first day it has a store to make, and finds no room for it.
    @Test func `an app that cannot make its store does at its next launch what it does first`()
        throws
    {
        let text = Self.text(
            [
                (0, "disk full"), (1, "app data cleared"), (2, "app launched"),
                (3, "disk has space again"), (4, "app launched"),
            ], from: 200_000_000)
        let model = try SimulatedRun(Scenario.read(text: text, path: "disk.yaml")).play(into: nil)
        #expect(model.judgement.isGreen, "\(model.judgement.sentence)")
        #expect(model.figures.launches == 3)
        #expect(model.figures.sessions.suffix(2).allSatisfy { $0.outcome == .completed })
    }

    @Test func `a session that could not be stored is refused, and the run says so`() throws {
        let text = Self.text([(0, "disk writes fail"), (5, "healing within 1 min")], from: 0)
        let played = try PlayedRun(Scenario.read(text: text, path: "disk.yaml"))
        let facts = try played.events().map(\.fact)
        let refused = facts.filter { if case .queue(.refused) = $0 { true } else { false } }
        let accepted = facts.filter { if case .engine(.accepts) = $0 { true } else { false } }
        #expect(!refused.isEmpty)
        #expect(accepted.isEmpty)
        #expect(played.model.judgement.isGreen, "\(played.model.judgement.sentence)")
    }

    @Test func `a phone's room is its apps' together, and the log tells it`() throws {
        let text = PhoneLifeTests.text(
            "ios-17, disk: 550 kB", [(1, "b.bin grows by 1 MB"), (1, "b.bin touched")], from: 0
        )
        let facts = try PlayedRun(Scenario.read(text: text, path: "disk.yaml")).events().map(\.fact)
        let stands = facts.compactMap { fact -> (ByteCount, ByteCount)? in
            guard case .device(.diskStands(let capacity, let used, nil)) = fact else { return nil }
            return (capacity, used)
        }
        #expect(stands.count == 1)
        #expect(stands.first?.0 == ByteCount(550_000))
        #expect(stands.first?.1 == ByteCount(503_000))
        #expect(
            facts.contains(
                .file(.kept(path: "b.bin", because: "the disk has no room for more"))))
        #expect(facts.contains(.file(.touched(path: "b.bin"))))
    }
}
