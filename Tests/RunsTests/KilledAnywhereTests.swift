import Foundation
import Quantities
import Reports
import RunLog
import Runs
import Scenario
import Testing

/// Once a session is accepted, a kill may fall on any moment: the invariants hold, and the upload
/// arrives.
@Suite struct KilledAnywhereTests {
    static let text = """
        name: two short uploads
        why: every moment of a short run can be tried
        links:
          uplink: { rate: 10 Mbit/s, delay: 5 ms }
          downlink: { rate: 10 Mbit/s, delay: 5 ms }
        files:
          a.bin: 40 kB
          b.bin: 3 kB
        queue:
          - upload: a.bin
            to: in/a.bin
          - upload: b.bin
            to: in/b.bin
        expect:
          - session 1 completes within 10 s
          - session 2 completes within 10 s

        """

    /// The moments at which something happens in the run without a kill, and those just after.
    static let moments: [UInt64] = {
        guard let scenario = try? Scenario.read(text: text, path: "two-short.yaml"),
            let events = try? PlayedRun(scenario).events()
        else { return [] }
        let accepted = events.lastIndex {
            if case .queue(.accepted) = $0.fact { true } else { false }
        }
        let times = Set(events[(accepted ?? 0)...].map { UInt64($0.at.sinceStart.nanoseconds) })
        return Set(times.flatMap { [$0, $0 + 1, $0 + 500_000] }).sorted()
    }()

    @Test func `there are moments to try`() { #expect(Self.moments.count > 60) }

    @Test(arguments: moments) func `killed then, and started again a second later`(
        nanoseconds: UInt64
    ) throws {
        try expectGreen(killedAt: nanoseconds, launchedAt: nanoseconds + 1_000_000_000)
    }

    @Test(arguments: moments) func `killed then, and started again at once`(
        nanoseconds: UInt64
    ) throws {
        try expectGreen(killedAt: nanoseconds, launchedAt: nanoseconds)
    }

    private func expectGreen(killedAt kill: UInt64, launchedAt launch: UInt64) throws {
        let timeline = "timeline:\n  - \(kill) ns: app killed\n  - \(launch) ns: app launched\n"
        let text = Self.text + timeline
        let model = try SimulatedRun(Scenario.read(text: text, path: "killed.yaml"))
            .play(into: nil)
        #expect(
            model.judgement.isGreen,
            """
            \(model.judgement.sentence); reproduce with: ./lab run killed.yaml, where that is
            \(text)
            """)
    }
}
