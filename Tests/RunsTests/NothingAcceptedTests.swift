import Checks
import Reports
import Scenario
import Testing

@testable import Runs

/// A run whose uploads never came into being must not look as if nothing had been asked for.
@Suite struct NothingAcceptedTests {
    @Test(arguments: ["", "  - 5 s: app launched\n"])
    func `an app that is killed before it adds its session falls, also if it comes back`(
        later: String
    ) throws {
        let text = """
            name: killed before it begins
            why: nothing is green that did nothing
            links:
              uplink: { rate: 10 Mbit/s, delay: 5 ms }
              downlink: { rate: 10 Mbit/s, delay: 5 ms }
            files:
              a.bin: 5 kB
            queue:
              - upload: a.bin
                to: in/a.bin
            timeline:
              - 0 s: app killed
            \(later)
            """
        let scenario = try Scenario.read(text: text, path: "killed-at-once.yaml")
        let model = try SimulatedRun(scenario).play(into: nil)
        let verdict = try #require(model.verdicts.first { $0.rule == "L1" })
        guard case .broken(let breach) = verdict.answer else {
            Issue.record("L1 says \(verdict.answer)")
            return
        }
        #expect(breach.expected == "sessions accepted: 1, as planned")
    }
}
