import Reports
import Scenario
import Testing

@testable import Runs

/// Many runs: several at a time, in the suite's order, and until the first that is not green.
@Suite struct SuiteRunTests {
    @Test(arguments: [2, 3, 100])
    func `several at a time are the same runs, told in the same order`(jobs: Int) throws {
        let cases = try SuiteCase.all(
            of: [HouseScenarios.readShort(SeedTests.lossy)], seeds: Array(1...12))
        let alone = try SuiteRun(cases, folder: nil).play()
        var told: [UInt64] = []
        var begun: [Int] = []
        let together = try SuiteRun(cases, folder: nil).play(jobs: jobs) { moment in
            switch moment {
            case .began(_, let number, let count):
                begun.append(number)
                #expect(count == 12)
            case .reached: break
            case .finished(let entry): told.append(entry.seed)
            case .trapped(let run): Issue.record("\(run.scenario) trapped")
            }
        }
        #expect(together.entries.map(\.digest) == alone.entries.map(\.digest))
        #expect(Set(alone.entries.map(\.digest)).count == 12)
        #expect(told == Array(1...12))
        #expect(begun == Array(1...12))
    }

    @Test func `each of several seeds has a folder of its own`() throws {
        let cases = try SuiteCase.all(
            of: [HouseScenarios.readShort(SeedTests.lossless)], seeds: [3, 9])
        let suite = try SuiteRun(cases, folder: nil).play()
        let folder = "Scenarios/queue/first-upload"
        #expect(suite.entries.map(\.folder) == ["\(folder)/seed-3", "\(folder)/seed-9"])
    }

    @Test func `a scenario with several seeds is as many runs, and other seeds take their place`()
        throws
    {
        let scenario = try HouseScenarios.readShort(SeedTests.lossless)
        let text = scenario.text.replacing("name:", with: "seed: [7, 2 to 4]\nname:")
        let several = try Scenario.read(text: text, path: "several.yaml")
        #expect(SuiteCase.all(of: [several]).map(\.seed) == [7, 2, 3, 4])
        #expect(SuiteCase.all(of: [several], seeds: [5]).map(\.seed) == [5])
        #expect(several.seed == 7)
    }

    @Test func `after the first that is red, no other begins if that is wished`() throws {
        let scenarios = try [Self.green("a"), Self.red("b"), Self.green("c"), Self.green("d")]
        let cases = SuiteCase.all(of: scenarios)
        let suite = try SuiteRun(cases, folder: nil).play(failingFast: true)
        #expect(suite.entries.map(\.path) == ["a.yaml", "b.yaml"])
        #expect(suite.leftOut.map(\.path) == ["c.yaml", "d.yaml"])
        #expect(suite.leftOut.allSatisfy { $0.reason == "an earlier run was red" })
        #expect(!suite.isGreen && suite.notPlayed.isEmpty)
        let whole = try SuiteRun(cases, folder: nil).play()
        #expect(whole.entries.count == 4 && whole.leftOut.isEmpty)
    }

    @Test func `several at a time end soon after the first that is red`() throws {
        let scenarios = try [Self.red("a")] + (1...40).map { try Self.green("\($0)") }
        let suite = try SuiteRun(SuiteCase.all(of: scenarios), folder: nil)
            .play(jobs: 2, failingFast: true)
        #expect(suite.entries.count + suite.leftOut.count == 41)
        #expect(suite.entries.contains { $0.path == "a.yaml" })
        #expect(suite.leftOut.count > 20)
    }

    @Test(arguments: [1, 2])
    func `a suite of nothing is over at once`(jobs: Int) throws {
        #expect(try SuiteRun([], folder: nil).play(jobs: jobs).count == 0)
    }

    private static func green(_ name: String) throws -> Scenario {
        let text = try HouseScenarios.readShort(SeedTests.lossless).text
        return try Scenario.read(text: text, path: "\(name).yaml")
    }

    /// Nothing is uploaded in so short a time.
    private static func red(_ name: String) throws -> Scenario {
        let text = try HouseScenarios.readShort(SeedTests.lossless).text
        let expectation = try #require(text.firstMatch(of: /session 1 completes within [^\n]*/))
        return try Scenario.read(
            text: text.replacing(
                expectation.output, with: "session 1 completes within 1 ms"),
            path: "\(name).yaml")
    }
}
