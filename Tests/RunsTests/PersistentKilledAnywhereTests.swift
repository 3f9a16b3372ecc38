import Quantities
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// Whatever moment the app dies at, or its phone, a persistent session is in the queue afterwards
/// and empty, and takes its paths anew (P4, S7).
@Suite struct PersistentKilledAnywhereTests {
    private static let setting = """
        name: three files over a session that stays open
        why: every moment of a short run can be tried
        device: { os: ios-17 }
        links:
          uplink: { rate: 10 Mbit/s, delay: 5 ms }
          downlink: { rate: 10 Mbit/s, delay: 5 ms }
        files:
          a.bin: 300 kB
          b.bin: 3 kB
          c.bin: 0 B
        queue:
          - persistent: { a.bin: in/a.bin, b.bin: in/b.bin, c.bin: in/c.bin }
          - upload: b.bin
            to: in/d.bin
        app:
          - on session 1 can accept paths: add all files to session 1
        limit: 1 min
        expect:

        """

    private static let arrivals = """
          - in/a.bin is published at least once
          - in/b.bin is published at least once
          - in/c.bin is published at least once
          - session 1 is running at the end
          - session 1 resumes never
          - session 2 is waiting at the end

        """

    private static let commands: [(at: UInt64, what: String)] = [
        (150, "pause session 1"), (180, "resume session 1"), (260, "run session 2"),
        (400, "stop session 1"), (430, "run session 1"), (500, "stop queue"),
        (530, "start queue"), (600, "cancel session 1"), (640, "run session 1"),
        (900, "cancel session 1"),
    ]

    private static func text(_ expectations: String, _ entries: [(at: UInt64, what: String)])
        -> String
    {
        setting + expectations
            + (entries.isEmpty
                ? "" : "timeline:\n" + entries.map { "  - \($0.at) ns: \($0.what)\n" }.joined())
    }

    /// Those at which something happens in the run without a kill, and those just after.
    private static func moments(of text: String) -> [UInt64] {
        guard let scenario = try? Scenario.read(text: text, path: "persistent.yaml"),
            let events = try? PlayedRun(scenario).events(),
            let accepted = events.lastIndex(where: {
                if case .engine(.accepts) = $0.fact { true } else { false }
            })
        else { return [] }
        let steps = events[(accepted + 1)...].filter {
            switch $0.fact {
            case .packets, .link, .run, .queue(.callback(_, .progress)): false
            default: true
            }
        }
        let times = Set(steps.map { UInt64($0.at.sinceStart.nanoseconds) })
        return Set(times.flatMap { [$0, $0 + 1, $0 + 500_000] }).sorted()
    }

    static let plain = moments(of: text(arrivals, []))

    @Test func `there are moments to try`() {
        #expect(Self.plain.count > 50)
        #expect(Self.busy.count > 150)
    }

    @Test(arguments: [0, 1_000_000_000] as [UInt64])
    func `killed at any moment and started again, it takes the same files anew`(
        pause: UInt64
    ) throws {
        for moment in Self.plain {
            try expectGreen(
                Self.text(
                    Self.arrivals,
                    [(moment, "app killed"), (moment + pause, "app launched")]))
        }
    }

    @Test func `without power at any moment and with it again, it takes the same files anew`()
        throws
    {
        for moment in Self.plain {
            try expectGreen(
                Self.text(
                    Self.arrivals,
                    [
                        (moment, "power lost"), (moment + 1_000_000_000, "power back"),
                        (moment + 1_100_000_000, "app to foreground"),
                    ]))
        }
    }

    static let busy = moments(
        of: text("  - session 1 is cancelled once\n", inNanoseconds(commands)))

    private static func inNanoseconds(
        _ entries: [(at: UInt64, what: String)]
    ) -> [(at: UInt64, what: String)] {
        entries.map { (at: $0.at * 1_000_000, what: $0.what) }
    }

    /// In a timeline each entry is as late as the one before it, or later; and an app that does not
    /// run can be asked for nothing.
    @Test func `killed while the app asks much of it, nothing falls`() throws {
        for moment in Self.busy {
            let launch = moment + 100_000_000
            var entries = Self.inNanoseconds(Self.commands).filter {
                $0.at <= moment || $0.at > launch
            }
            entries += [(moment, "app killed"), (launch, "app launched")]
            entries.sort { $0.at < $1.at }
            try expectGreen(Self.text("  - session 1 resumes never\n", entries))
        }
    }

    private func expectGreen(_ text: String) throws {
        let model = try SimulatedRun(Scenario.read(text: text, path: "persistent.yaml"))
            .play(into: nil)
        #expect(
            model.judgement.isGreen,
            """
            \(model.judgement.sentence); reproduce with: ./lab run persistent.yaml, where that is
            \(text)
            """)
    }
}
