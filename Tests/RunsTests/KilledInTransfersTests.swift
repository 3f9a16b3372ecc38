import Quantities
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// A process with resumable transfers may die at any event and at any write of its store, and so
/// may its phone: the next launch finds them suspended, and they come to their end (K4, S7, S8).
@Suite struct KilledInTransfersTests {
    enum Kind: CaseIterable { case upload, download }

    /// Two chunks and a bit, after which something is left to be found.
    private static func text(_ kind: Kind) -> String {
        """
        name: a resumable \(kind)
        why: every moment of a short run can be tried
        device: { os: android-14 }
        links:
          uplink: { rate: 10 Mbit/s, delay: 5 ms }
          downlink: { rate: 10 Mbit/s, delay: 5 ms }
        files:
          a.bin: 1100 kB
        \(kind == .upload ? "" : queue)resumable:
          - { \(kind): a.bin, to: \(kind == .upload ? "a.bin" : "b.bin"), bucket: films }
        app:
          - on launch 2: resume transfer 1
        \(kind == .upload ? "" : "  - on completed session 1: start transfer 1\n")
        expect:
          - transfer 1 completes within 60 s
          - lab/buckets/films/objects/a.bin is published once
          \(kind == .upload ? "" : "- the app keeps b.bin")

        """
    }

    private static let queue = """
        queue:
          - { upload: a.bin, to: lab/buckets/films/objects/a.bin }

        """

    struct Moment: CustomTestStringConvertible, Sendable {
        var kind: Kind
        var nanoseconds: UInt64
        var testDescription: String { "\(kind) at \(nanoseconds) ns" }
    }

    /// From behind the promise to keep it: what is not accepted yet nobody owes anything.
    static let moments: [Moment] = Kind.allCases.flatMap { kind -> [Moment] in
        guard let scenario = try? Scenario.read(text: text(kind), path: "transfers.yaml"),
            let events = try? PlayedRun(scenario).events(),
            let accepted = events.firstIndex(where: { $0.fact.isAcceptanceOfTransfer })
        else { return [] }
        let times = Set(
            events[accepted...].filter { !$0.fact.isPackets }
                .map { UInt64($0.at.sinceStart.nanoseconds) })
        let promise = UInt64(events[accepted].at.sinceStart.nanoseconds)
        let moments = Set(times.flatMap { [$0, $0 + 1, $0 + 500_000] })
        return moments.sorted().filter { $0 > promise }.map {
            Moment(kind: kind, nanoseconds: $0)
        }
    }

    @Test func `there are moments to try`() {
        for kind in Kind.allCases { #expect(Self.moments.count { $0.kind == kind } > 40) }
    }

    @Test(arguments: moments, [0, 1_000_000_000] as [UInt64])
    func `killed then, and started again so much later`(moment: Moment, pause: UInt64) throws {
        try expectGreen(
            moment,
            """
            timeline:
              - \(moment.nanoseconds) ns: app killed
              - \(moment.nanoseconds + pause) ns: app launched
            """)
    }

    @Test(arguments: moments)
    func `the power is lost then`(moment: Moment) throws {
        try expectGreen(
            moment,
            """
            timeline:
              - \(moment.nanoseconds) ns: power lost
              - \(moment.nanoseconds + 1_000_000_000) ns: power back
              - \(moment.nanoseconds + 40_000_000_000) ns: app launched
            """)
    }

    private func expectGreen(_ moment: Moment, _ timeline: String) throws {
        let text = Self.text(moment.kind) + timeline
        let scenario = try Scenario.read(text: text, path: "transfers.yaml")
        let model = try SimulatedRun(scenario).play(into: nil)
        #expect(
            model.judgement.isGreen,
            """
            \(model.judgement.sentence); reproduce with: ./lab run transfers.yaml, where that is
            \(text)
            """)
    }
}

extension RunEvent.Fact {
    fileprivate var isAcceptanceOfTransfer: Bool {
        if case .engine(.accepts(let item, _, _)) = self { item.facade == .bucket } else { false }
    }

    fileprivate var isPackets: Bool { if case .packets = self { true } else { false } }
}
