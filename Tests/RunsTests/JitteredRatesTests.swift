import Checks
import Reports
import Scenario
import Testing

@testable import Runs

/// Ways that jitter behind rates that change, with others on the line: S16 knows when each packet
/// can have left at the earliest, and no run of ours is earlier.
@Suite struct JitteredRatesTests {
    static let rates = [
        "10 Mbit/s",
        "{ 0 s: 10 Mbit/s, 1 s: 500 kbit/s, 2500 ms: none, 3 s: 6 Mbit/s }",
        "{ trace: [1, 1, 2, 5, 5, 5, 9, 20, 21, 21, 40] }",
    ]
    static let queues = ["64 kB", "{ discipline: codel }", "{ discipline: pie }"]

    @Test(arguments: rates, queues) func `nothing is faster than physics allows`(
        rate: String, queue: String
    ) throws {
        let text = """
            name: jitter behind a rate that changes
            why: a check must not fall for what may be
            links:
              uplink:
                rate: \(rate)
                delay: 10 ms
                queue: \(queue)
                stages: [jitter: 8 ms, duplicate: 1 %, loss: 0.5 %, jitter: { pareto: 1 ms }]
                cross-traffic: { rate: 300 kbit/s, on: 300 ms, off: 200 ms, periods: exponential }
                competing: { flows: 1, from: 500 ms }
              downlink: { rate: 10 Mbit/s, delay: 10 ms, jitter: 3 ms }
            files:
              a.bin: 2 MB
            queue:
              - upload: a.bin
                to: in/a.bin

            """
        let scenario = try Scenario.read(text: text, path: "jittered.yaml")
        for seed in 1...5 as ClosedRange<UInt64> {
            let model = try SimulatedRun(scenario, seed: seed).play(into: nil)
            #expect(model.judgement.isGreen, "seed \(seed): \(model.judgement.sentence)")
            #expect(model.verdicts.contains { $0.rule == "S16" && $0.answer == .held })
        }
    }
}
