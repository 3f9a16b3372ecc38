import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// Whatever bits of a store flip: the invariants hold, and what is not lost arrives.
@Suite struct FlippedBitsTests {
    private static func text(bits: Int, app: String = "") -> String {
        """
        name: flipped bits
        why: what is lost is told, and nothing else is lost
        device: { os: android-14 }
        links:
          uplink: { rate: 10 Mbit/s, delay: 5 ms, queue: 50 kB }
          downlink: { rate: 10 Mbit/s, delay: 5 ms, queue: 50 kB }
        files: { a.bin: 300 kB, b.bin: 300 kB, c.bin: 300 kB }
        queue:
          - { upload: a.bin, to: in/a.bin }
          - { upload: b.bin, to: in/b.bin }
          - { upload: c.bin, to: in/c.bin }
        \(app)
        timeline:
          - 200 ms: app killed
          - 300 ms: disk flips \(bits) bits
          - 400 ms: app launched
          - 900 ms: app killed
          - 1 s: app launched
        """
    }

    @Test(arguments: [1, 5, 20, 80, 400])
    func `the invariants hold, whatever is lost`(bits: Int) throws {
        let scenario = try Scenario.read(
            text: Self.text(
                bits: bits, app: "app: [on store set aside: enqueue session 2]"),
            path: "flips.yaml")
        var seen = (whole: 0, partly: 0, all: 0)
        for seed in 1...40 as ClosedRange<UInt64> {
            let played = try PlayedRun(scenario, seed: seed)
            #expect(
                played.model.judgement.isGreen,
                "\(bits) bits, seed \(seed): \(played.model.judgement.sentence)")
            let kept = try played.events().compactMap { event -> Int? in
                if case .store(.setAside(_, _, let kept, _)) = event.fact {
                    kept.count
                } else {
                    nil
                }
            }
            switch kept.first {
            case nil: seen.whole += 1
            case 0: seen.all += 1
            case _: seen.partly += 1
            }
        }
        if bits == 1 { #expect(seen.whole > 10, "\(seen)") }
        if bits == 20 { #expect(seen.partly > 5, "\(seen)") }
        if bits == 400 { #expect(seen.all > 10, "\(seen)") }
    }
}
