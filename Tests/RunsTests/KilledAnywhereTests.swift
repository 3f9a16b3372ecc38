import Foundation
import Quantities
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

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
        try expectToHold(Self.text + timeline, path: "killed.yaml")
    }
}

/// The app asks much of its queue, and a kill falls on any moment of that: whatever it finds in its
/// store, the invariants hold.
@Suite struct KilledWhileCommandingTests {
    static let setting = """
        name: three uploads and an app that wants much of its queue
        why: what was asked for and is not durable yet may be undone by a kill, and nothing else
        links:
          uplink: { rate: 10 Mbit/s, delay: 5 ms }
          downlink: { rate: 10 Mbit/s, delay: 5 ms }
        files:
          a.bin: 500 kB
          b.bin: 3 kB
          c.bin: 100 kB
        queue:
          - upload: a.bin
            to: in/a.bin
          - upload: b.bin
            to: in/b.bin
          - upload: c.bin
            to: in/c.bin

        """

    static let commands: [(at: UInt64, what: String)] = [
        (100, "run session 2"),
        (250, "pause session 1"),
        (260, "move session 3 to index 0"),
        (300, "resume session 1"),
        (350, "stop session 1"),
        (355, "run session 1"),
        (370, "run session 2"),
        (500, "stop queue"),
        (520, "run session 3"),
        (540, "start queue"),
        (560, "cancel session 3"),
        (570, "run session 3"),
        (900, "run session 1"),
        (1000, "cancel session 1"),
        (1100, "remove session 1"),
    ]

    /// The moments at which the app asks for something, or the store answers, and those just after.
    static let moments: [UInt64] = {
        guard let scenario = try? Scenario.read(text: text(), path: "commands.yaml"),
            let events = try? PlayedRun(scenario).events(),
            let accepted = events.lastIndex(where: { $0.fact.isAcceptance })
        else { return [] }
        let steps = events[accepted...].filter { $0.fact.isDeed }
        let times = Set(steps.map { UInt64($0.at.sinceStart.nanoseconds) })
        return Set(times.flatMap { [$0, $0 + 1, $0 + 500_000] }).sorted()
    }()

    @Test func `there are moments to try`() { #expect(Self.moments.count > 100) }

    @Test(arguments: moments, [0, 100_000_000, 6_000_000_000] as [UInt64])
    func `killed then, and started again so much later`(
        nanoseconds: UInt64, pause: UInt64
    ) throws {
        try expectToHold(
            Self.text(killedAt: nanoseconds, launchedAt: nanoseconds + pause),
            path: "commands.yaml")
    }

    /// In a timeline each entry is as late as the one before it, or later; and an app that does not
    /// run can be asked for nothing.
    private static func text(killedAt kill: UInt64? = nil, launchedAt launch: UInt64? = nil)
        -> String
    {
        var entries = commands.map { (at: $0.at * 1_000_000, what: $0.what) }
        if let kill, let launch {
            entries.removeAll { $0.at > kill && $0.at <= launch }
            for entry in [(at: kill, what: "app killed"), (at: launch, what: "app launched")] {
                let place = entries.firstIndex { $0.at > entry.at } ?? entries.count
                entries.insert(entry, at: place)
            }
        }
        return setting + "timeline:\n"
            + entries.map { "  - \($0.at) ns: \($0.what)\n" }.joined()
    }
}

/// Nothing of upload operations survives a kill (U7), and that nothing must harm nobody.
@Suite struct KilledInOperationsTests {
    static let text = """
        name: two operations, and one that the next launch begins
        why: an operation ends with its process, at whatever moment that is
        links:
          uplink: { rate: 10 Mbit/s, delay: 5 ms }
          downlink: { rate: 10 Mbit/s, delay: 5 ms }
        files:
          a.bin: 300 kB
          b.bin: 3 kB
        operations:
          - upload: a.bin
            to: in/a.bin
          - upload: b.bin
            to: in/b.bin
          - upload: a.bin
            to: in/c.bin
        app:
          - on launch 2: add operation 3
        expect:
          - operation 3 completes within 10 s

        """

    static let moments: [UInt64] = {
        guard let scenario = try? Scenario.read(text: text, path: "operations.yaml"),
            let events = try? PlayedRun(scenario).events()
        else { return [] }
        let steps = events.filter { !$0.fact.isFrequent }
        let times = Set(steps.map { UInt64($0.at.sinceStart.nanoseconds) })
        return Set(times.flatMap { [$0, $0 + 1] }).filter { $0 < 5_000_000_000 }.sorted()
    }()

    @Test func `there are moments to try`() { #expect(Self.moments.count > 30) }

    @Test(arguments: moments, [0, 1_000_000_000] as [UInt64])
    func `killed then, and started again so much later`(
        nanoseconds: UInt64, pause: UInt64
    ) throws {
        let timeline = """
            timeline:
              - \(nanoseconds) ns: app killed
              - \(nanoseconds + pause) ns: app launched
            """
        try expectToHold(Self.text + timeline, path: "operations.yaml")
    }
}

/// What is done to operations hangs on how far they are.
@Suite struct OperationProgressTests {
    @Test(arguments: ["40 %", "120 kB"]) func `the timeline waits until so much has been moved`(
        amount: String
    ) throws {
        let timeline = "timeline:\n  - when operation 1 at \(amount): operation 1 is cancelled\n"
        let text = KilledInOperationsTests.text.replacing(
            "  - operation 3 completes within 10 s", with: "  - operation 1 is cancelled")
        let events = try PlayedRun(
            Scenario.read(text: text + timeline, path: "operations.yaml")
        ).events()
        let operation = ItemName(1, of: .operations)
        let cancelled = try #require(
            events.firstIndex { $0.fact == .operations(.asked(operation, .cancel)) })
        let moved = events[..<cancelled].compactMap { event -> UInt64? in
            guard case .operations(.callback(operation, .progress(let done, _))) = event.fact
            else { return nil }
            return done.bytes
        }
        #expect(moved.last.map { $0 >= 120_000 && $0 < 140_000 } == true, "\(moved)")
        #expect(moved.dropLast().allSatisfy { $0 < 120_000 })
    }
}

private func expectToHold(_ text: String, path: String) throws {
    let model = try SimulatedRun(Scenario.read(text: text, path: path)).play(into: nil)
    #expect(
        model.judgement.isGreen,
        """
        \(model.judgement.sentence); reproduce with: ./lab run \(path), where that is
        \(text)
        """)
}

extension RunEvent.Fact {
    fileprivate var isAcceptance: Bool {
        if case .engine(.accepts) = self { true } else { false }
    }

    /// What the app asks for, what comes of it, and what the store makes of that.
    fileprivate var isDeed: Bool {
        switch self {
        case .store, .engine(.moves), .engine(.attempt): true
        case .queue(let fact):
            if case .callback(_, .progress) = fact { false } else { true }
        default: false
        }
    }

    fileprivate var isFrequent: Bool {
        switch self {
        case .packets, .queue(.callback(_, .progress)): true
        default: false
        }
    }
}
