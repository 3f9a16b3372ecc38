import Checks
import Foundation
import Quantities
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// Whatever lies in `Scenarios/` is played: nobody has to list it anywhere.
@Suite struct EveryScenarioTests {
    @Test func `the folder of scenarios is read whole, in the order of the names`() throws {
        let folder = HouseScenarios.root.appending(path: "Scenarios").path
        var read = try ScenarioFiles.read([folder]).map(\.path)
        // The cases of a matrix stand in one file.
        for index in read.indices.dropFirst().reversed() where read[index] == read[index - 1] {
            read.remove(at: index)
        }
        #expect(read == HouseScenarios.paths.map { HouseScenarios.root.path + "/" + $0 })
        #expect(read.count >= 4)
    }

    /// Asks one play all that holds for every run, as playing takes most of the time.
    @Test(arguments: HouseScenarios.paths)
    func `every scenario is green, its files tell all, and it is the same when played again`(
        path: String
    ) throws {
        let cases = try HouseScenarios.cases(path)
        let run = try PlayedRun(
            cases[0], packets: PacketCapture(at: .both, snapLength: 80))
        expectGreen(run.model)
        for other in cases.dropFirst() {
            try expectGreen(SimulatedRun(other).play(into: nil))
        }
        let events = try run.events()
        expectOrder(of: events, in: run)
        expectEveryRow(of: run, in: events)
        expectSameVerdicts(from: events, of: cases[0], as: run)
        try expectSameRun(whenPlayedAgain: run)
        try expectCaptures(of: run)
    }

    private func expectGreen(_ model: ReportModel) {
        #expect(
            model.judgement.isGreen,
            "\(model.judgement.sentence); reproduce with: \(model.beginning.command)")
        #expect(
            model.ending == .quiet,
            "it does not come to rest; reproduce with: \(model.beginning.command)")
    }

    /// Time never goes back in a log, which begins with the run's beginning and ends with its end.
    private func expectOrder(of events: [RunEvent], in run: PlayedRun) {
        let command = run.model.beginning.command
        for (index, (event, next)) in zip(events, events.dropFirst()).enumerated() {
            #expect(event.at <= next.at, "events \(index) and \(index + 1); \(command)")
        }
        #expect(events.first?.fact == .run(.began(run.model.beginning)), "\(command)")
        #expect(events.last?.fact == .run(.ended(.quiet)), "\(command)")
        #expect(run.model.duration == events.last?.at.sinceStart, "\(command)")
    }

    /// The file holds every event, and the number of a row finds its event there.
    private func expectEveryRow(of run: PlayedRun, in events: [RunEvent]) {
        let names = run.model.beginning.names ?? RunNames()
        #expect(!run.model.events.rows.isEmpty)
        for row in run.model.events.rows {
            let sentence = events[row.event].sentence(names)
            #expect(
                row.sentence == sentence, "event \(row.event); \(run.model.beginning.command)")
        }
    }

    /// The log is the truth: who has only the file judges as those did who were there.
    private func expectSameVerdicts(
        from events: [RunEvent], of scenario: Scenario, as run: PlayedRun
    ) {
        var checks = scenario.checkSet()
        for event in events { checks.read(event) }

        // These need the packets themselves, and they are not in the file.
        func needsPackets(_ verdict: Verdict) -> Bool {
            verdict.rule == "S16" || verdict.rule.contains("queueing delay on ")
                || ["the first lost segment", "flow ", "flows share "]
                    .contains { verdict.rule.hasPrefix($0) }
                || ["over cellular", "over wifi", "packets retransmitted", "outstanding at once"]
                    .contains { verdict.rule.hasSuffix($0) }
        }
        let (found, there) = (checks.verdicts(), run.model.verdicts)
        let command = run.model.beginning.command
        #expect(
            found.filter { !needsPackets($0) } == there.filter { !needsPackets($0) },
            "reproduce with: \(command)")
        #expect(!found.contains { needsPackets($0) && $0.answer == .held }, "\(command)")
        #expect(there.contains { $0.rule == "S16" && $0.answer == .held }, "\(command)")
    }

    /// A run is a pure function of scenario and seed (S15), and its folder holds both; whether it
    /// leaves files changes nothing.
    private func expectSameRun(whenPlayedAgain run: PlayedRun) throws {
        let replay = try Replay(of: run.path)
        var second = SimulatedRun(replay.scenario, seed: replay.seed)
        second.drawsSeries = true
        let again = try second.play(into: nil)
        var first = run.model
        first.captureFiles = nil
        // What led to a breach is read from the file of events.
        if first.causes != again.causes {
            first.causes = again.causes
            first.events = again.events
            first.timeline = again.timeline
        }
        let differing = again == first ? [] : Self.fieldsThatDiffer(again, first)
        #expect(differing == [], "reproduce with: \(run.model.beginning.command)")
        #expect(replay.difference(from: again.digest, in: "x") == nil)
    }

    private static func fieldsThatDiffer(_ left: ReportModel, _ right: ReportModel) -> [String] {
        zip(Mirror(reflecting: left).children, Mirror(reflecting: right).children)
            .filter { "\($0.value)" != "\($1.value)" }.compactMap(\.0.label)
    }

    private func expectCaptures(of run: PlayedRun) throws {
        for name in ["capture.pcap", "capture-server.pcap"] {
            let size = try run.data(of: name).count
            // Where no connection opens, there may be no packet; a refused one has some hundred B.
            #expect(
                size > 500 || run.model.figures.payload == .zero,
                "\(name) has \(size) B; \(run.model.beginning.command)")
        }
    }
}
