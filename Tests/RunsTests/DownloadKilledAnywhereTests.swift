import Quantities
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// Whatever moment the app dies at, or its phone, a download of its queue comes whole (S1, S7).
@Suite struct DownloadKilledAnywhereTests {
    private static let text = """
        name: an upload, and the way back
        why: every moment of a short run can be tried
        device: { os: ios-17 }
        links:
          uplink: { rate: 10 Mbit/s, delay: 5 ms }
          downlink: { rate: 10 Mbit/s, delay: 5 ms }
        files: { a.bin: 300 kB }
        queue:
          - upload: a.bin
            to: in/a.bin
          - download: in/a.bin
            to: back/a.bin
        limit: 1 min
        expect:
          - session 2 completes within 50 s
          - the app keeps back/a.bin
          - in/a.bin is published once

        """

    private static func scenario(_ entries: [String]) throws -> Scenario {
        let timeline = entries.isEmpty ? "" : "timeline:\n"
        return try Scenario.read(
            text: text + timeline + entries.map { "  - \($0)\n" }.joined(), path: "back.yaml")
    }

    /// Of the download: those at which something happens in the run without a kill, those just
    /// after, and some of the silence in which its bytes come.
    static let moments: [UInt64] = {
        guard let scenario = try? scenario([]), let events = try? PlayedRun(scenario).events(),
            let begun = events.firstIndex(where: {
                $0.fact == .queue(.callback(ItemName(2), .willActivate))
            })
        else { return [] }
        let steps = events[begun...].filter {
            switch $0.fact {
            case .packets, .link, .run, .queue(.callback(_, .progress)): false
            default: true
            }
        }
        let times = Set(steps.map { UInt64($0.at.sinceStart.nanoseconds) })
        let stretch = (1...5).map { (times.min() ?? 0) + UInt64($0) * 50_000_000 }
        return Set(times.union(stretch).flatMap { [$0, $0 + 1, $0 + 500_000] }).sorted()
    }()

    @Test func `there are moments to try`() { #expect(Self.moments.count > 40) }

    @Test(arguments: [0, 1_000_000_000] as [UInt64])
    func `killed at any moment and started again, it comes whole`(pause: UInt64) throws {
        for moment in Self.moments {
            try expectGreen(["\(moment) ns: app killed", "\(moment + pause) ns: app launched"])
        }
    }

    @Test func `without power at any moment and with it again, it comes whole`() throws {
        for moment in Self.moments {
            try expectGreen([
                "\(moment) ns: power lost", "\(moment + 1_000_000_000) ns: power back",
                "\(moment + 1_100_000_000) ns: app to foreground",
            ])
        }
    }

    private func expectGreen(_ entries: [String]) throws {
        let model = try SimulatedRun(Self.scenario(entries)).play(into: nil)
        #expect(model.judgement.isGreen, "\(model.judgement.sentence); with \(entries)")
    }
}
