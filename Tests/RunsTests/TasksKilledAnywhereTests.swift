import Quantities
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// Whatever moment the app dies at, its tasks come to their ends and it hears of them (S9, L1).
@Suite struct TasksKilledAnywhereTests {
    private static let text = """
        name: an upload and a download
        why: every moment of a short run can be tried
        device: { os: ios-17 }
        links:
          uplink: { rate: 10 Mbit/s, delay: 5 ms }
          downlink: { rate: 10 Mbit/s, delay: 5 ms }
        files: { a.bin: 100 kB }
        background:
          - upload: a.bin
            to: a.bin
          - download: a.bin
        app:
          - on completed task 1: make task 2
        limit: 5 min
        """

    private static func scenario(_ entries: [String]) throws -> Scenario {
        let timeline = entries.isEmpty ? "" : "\ntimeline:\n"
        return try Scenario.read(
            text: text + timeline + entries.map { "  - \($0)\n" }.joined(), path: "tasks.yaml")
    }

    /// Since the first task is in the store: those at which something happens in the run without a
    /// kill, and those just after.
    private static let moments: [UInt64] = {
        guard let scenario = try? scenario([]), let events = try? PlayedRun(scenario).events(),
            let accepted = events.firstIndex(where: {
                if case .engine(.accepts) = $0.fact { true } else { false }
            })
        else { return [] }
        let steps = events[(accepted + 1)...].filter {
            switch $0.fact {
            case .packets, .link: false
            default: true
            }
        }
        let times = Set(steps.map { UInt64($0.at.sinceStart.nanoseconds) })
        return Set(times.flatMap { [$0, $0 + 1, $0 + 500_000] }).sorted()
    }()

    @Test func `there are moments to try`() { #expect(Self.moments.count > 40) }

    @Test func `killed at any moment and launched again a second later, all ends well`() throws {
        for moment in Self.moments {
            let later = moment + 1_000_000_000
            try expectEnds(["\(moment) ns: app killed", "\(later) ns: app launched"])
        }
    }

    /// What the app had asked for and no store had kept is gone with the power: then its task waits
    /// to be resumed.
    @Test func `without power at any moment and with it again a second later, nothing falls`()
        throws
    {
        for moment in Self.moments {
            let later = moment + 1_000_000_000
            let entries = [
                "\(moment) ns: power lost", "\(later) ns: power back",
                "\(later + 100_000_000) ns: app to foreground",
            ]
            let model = try SimulatedRun(Self.scenario(entries)).play(into: nil)
            #expect(model.judgement.isGreen, "\(model.judgement.sentence); with \(entries)")
        }
    }

    private func expectEnds(_ entries: [String]) throws {
        let model = try SimulatedRun(Self.scenario(entries)).play(into: nil)
        #expect(model.judgement.isGreen, "\(model.judgement.sentence); with \(entries)")
        #expect(model.figures.tasks.first?.outcome == .completed, "with \(entries)")
    }
}
