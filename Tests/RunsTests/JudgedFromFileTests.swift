import Checks
import Reports
import RunLog
import Runs
import Scenario
import Testing

/// The log is the truth: who has only the file judges as those did who were there.
@Suite struct JudgedFromFileTests {
    @Test(arguments: HouseScenarios.paths)
    func `the checks find the same in the file of events as during the run`(path: String) throws {
        let scenario = try HouseScenarios.read(path)
        let run = try PlayedRun(scenario)
        var checks = scenario.checkSet()
        for event in try run.events() { checks.read(event) }

        // These need the packets themselves, and they are not in the file.
        func needsPackets(_ verdict: Verdict) -> Bool {
            verdict.rule == "S16" || verdict.rule.hasSuffix("over cellular")
        }
        let (found, there) = (checks.verdicts(), run.model.verdicts)
        let command = run.model.beginning.command
        #expect(
            found.filter { !needsPackets($0) } == there.filter { !needsPackets($0) },
            "reproduce with: \(command)")
        #expect(!found.contains { needsPackets($0) && $0.answer == .held }, "\(command)")
        #expect(there.contains { $0.rule == "S16" && $0.answer == .held }, "\(command)")
    }

    @Test(arguments: HouseScenarios.paths)
    func `the file holds every event, and a breach's number finds its event there`(
        path: String
    ) throws {
        let run = try PlayedRun(HouseScenarios.read(path))
        let events = try run.events()
        let rows = run.model.events.rows
        let names = run.model.beginning.names ?? RunNames()
        #expect(!rows.isEmpty)
        for row in rows {
            let sentence = events[row.event].sentence(names)
            #expect(row.sentence == sentence, "event \(row.event) of \(run.path)")
        }
    }
}
