import Reports
import Scenario
import Testing

@testable import Runs

/// Random scenarios keep all rules, and are the same whoever plays them. The same with 20 000 of
/// them: `./lab test --long chance`.
@Suite struct ChanceRunsTests {
    @Test func `no rule falls in any of 200 random runs of all façades`() throws {
        let table = try ChanceRuns(from: 1, count: 200).play(jobs: 2)
        #expect(table.isGreen, "\(ChanceText(isColoured: false).text(for: table))")
        #expect(table.runs == 200)
        // A generator that reaches little would be green, and prove nothing.
        let reached = table.cellCount - table.cells(below: 1).count
        #expect(reached > 150, "\(reached) of \(table.cellCount) cells")
    }

    @Test(arguments: ChanceFacade.allCases)
    func `of one façade alone there are scenarios, too`(facade: ChanceFacade) throws {
        let table = try ChanceRuns(from: 1_000, count: 8, of: [facade]).play()
        #expect(table.isGreen, "\(ChanceText(isColoured: false).text(for: table))")
        #expect(table.facades == [facade.rawValue])
        #expect(table.cells(below: 1).count < table.cellCount)
    }

    @Test func `the same seeds are the same runs, however many are played at a time`() throws {
        let runs = ChanceRuns(from: 50, count: 12)
        #expect(try runs.play(jobs: 1) == runs.play(jobs: 2))
        #expect(runs.text(seed: 50) == runs.text(seed: 50))
        #expect(runs.text(seed: 50) != runs.text(seed: 51))
    }

    @Test func `what chance makes is a scenario that anybody can play`() throws {
        let runs = ChanceRuns(from: 1, count: 1)
        for seed in 1...500 as ClosedRange<UInt64> {
            let text = runs.text(seed: seed)
            let scenario = try Scenario.read(text: text, path: "chance.yaml")
            #expect(scenario.seed == seed)
        }
        #expect(runs.command(seed: 7) == "./lab chance --play 7")
        let some = ChanceRuns(from: 1, count: 1, of: [.queue, .persistent])
        #expect(some.command(seed: 7) == "./lab chance --play 7 --facade queue,persistent")
    }

    @Test func `a red one becomes as small as it can be and breaks the same rule`() throws {
        let text = """
            name: a handler that nobody calls
            why: what has nothing to do with it is left out
            device: { os: ios-17 }
            links:
              uplink: { rate: 10 Mbit/s, delay: 5 ms }
              downlink: { rate: 10 Mbit/s, delay: 5 ms }
            files: { a.bin: 400 kB, b.bin: 3 kB }
            queue:
              - { upload: b.bin, to: in/b.bin }
            background:
              - { upload: a.bin, to: a.bin }
            app:
              - on woken: do not call the handler
              - on launch: resume task 1
            limit: 5 min
            timeline:
              - 50 ms: app to background
              - 60 ms: low-power mode off
              - 100 ms: app killed
              - 2 min: charger connected

            """
        let scenario = try Scenario.read(text: text, path: "red.yaml")
        let model = try SimulatedRun(scenario).play(into: nil)
        let breach = try #require(RuleBreach.all(in: model).first)
        #expect(breach.rule == "S11")
        var shrink = ChanceShrink(text, path: "red.yaml", breaking: breach)
        let smallest = shrink.shrunk()
        #expect(!smallest.contains("queue:") && !smallest.contains("resume task 1"), "\(smallest)")
        #expect(smallest.contains("do not call the handler") && smallest.contains("app killed"))
        let again = try SimulatedRun(Scenario.read(text: smallest, path: "red.yaml"))
            .play(into: nil)
        #expect(RuleBreach.all(in: again).map(\.rule).contains("S11"))
    }
}
