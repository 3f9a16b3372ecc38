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
          a.bin: 500 kB
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
    /// The first file is larger than what a stack takes: of a smaller one nothing would be left to
    /// resume.
    static let moments: [UInt64] = {
        guard let scenario = try? Scenario.read(text: text, path: "two-short.yaml"),
            let events = try? PlayedRun(scenario).events(),
            let accepted = events.lastIndex(where: { $0.fact.isAcceptance })
        else { return [] }
        let steps = events[accepted...].filter { !$0.fact.isFrequent }
        let times = Set(steps.map { UInt64($0.at.sinceStart.nanoseconds) })
        // A plain upload is silent for most of its time: some moments from that stretch too.
        let stretch = (1...8).map { UInt64($0) * 50_000_000 }
        let moments = times.union(stretch).flatMap { [$0, $0 + 1, $0 + 500_000] }
        return Set(moments).sorted()
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

extension RunEvent.Fact {
    fileprivate var isAcceptance: Bool {
        if case .engine(.accepts) = self { true } else { false }
    }

    fileprivate var isFrequent: Bool {
        switch self {
        case .packets, .queue(.callback(_, .progress)): true
        default: false
        }
    }
}
