import LinkModels
import Quantities
import Scenario
import Testing

/// What stands in a direction of the link, and what it becomes.
@Suite struct FilterReadingTests {
    typealias Row = (words: String, filters: [FilterPlan], clause: String)

    static let rows: [Row] = [
        (
            "loss: { gilbert-elliott: { p: 1 %, r: 25 %, bad: 80 % } }", [.burstLoss(bursts)],
            "packets are lost in bursts, which begin with 1 % and end with 25 %; "
                + "a packet is lost with 0 % outside them and 80 % inside"
        ),
        (
            "loss: { four-state: { p13: 1 %, p31: 20 %, p14: 2 % } }",
            [
                .fourStateLoss(
                    .init(
                        p13: percent(1), p31: percent(20), p32: .never, p23: .always,
                        p14: percent(2)))
            ],
            "packets are lost in bursts, which begin with 1 % and end with 20 %, and alone with 2 %"
        ),
        ("loss: { every: 100 }", [.periodicLoss(period: 100)], "every packet number 100 is lost"),
        (
            "loss: { packets: [3, 4, 9] }", [.listedLoss([3, 4, 9])],
            "the packets 3, 4, 9 are lost, counted from 0"
        ),
        (
            "loss: { data-packets: [3, 9] }", [.listedDataLoss([3, 9])],
            "of the packets that carry data, 3, 9 are lost, counted from 0"
        ),
        (
            "loss: { netem: { loss: 10 %, correlation: 25 % } }",
            [.correlatedLoss(.init(chance: percent(10), correlation: percent(25)))],
            "packets are lost as netem does with 10 % and 25 % of correlation"
        ),
        (
            "loss: [1 %, { every: 50 }]",
            [.independentLoss(percent(1)), .periodicLoss(period: 50)],
            "1 % of the packets are lost; every packet number 50 is lost"
        ),
        (
            "duplicate: 1 %, corrupt: 2 %, mtu: 1280 B",
            [
                .sizeLimit(SizeLimit(ByteCount(1_280))), .corruption(percent(2)),
                .duplication(percent(1)),
            ],
            "packets have at most 1.28 kB; 2 % of the packets arrive damaged; "
                + "1 % of the packets come twice"
        ),
        (
            "jitter: 5 ms", [.jitter(.uniform(.milliseconds(5)))],
            "the way takes up to 5 ms longer"
        ),
        (
            "jitter: { normal: { mean: 10 ms, deviation: 3 ms } }",
            [.jitter(.normal(mean: .milliseconds(10), deviation: .milliseconds(3)))],
            "the way takes 10 ms longer, give or take 3 ms"
        ),
        (
            "jitter: { pareto: 4 ms }, reorder: { chance: 2 %, by: 7 ms }",
            [
                .reordering(.init(chance: percent(2), hold: .milliseconds(7))),
                .jitter(.pareto(mean: .milliseconds(4))),
            ],
            "2 % of the packets are overtaken for 7 ms; "
                + "the way takes 4 ms longer on average, now and then far more"
        ),
        (
            "reorder: { gap: 5, chance: 25 %, correlation: 50 %, by: 10 ms }",
            [
                .gapReordering(
                    .init(
                        gap: 5, chance: percent(25), correlation: percent(50),
                        lead: .milliseconds(10)))
            ],
            "packets take 10 ms longer, but every packet number 5 jumps ahead with 25 % and 50 % "
                + "of correlation"
        ),
        (
            "satellites: { every: 15 s, outage: 60 ms, detour: 20 ms }",
            [
                .satelliteHandOver(
                    .init(
                        every: .seconds(15), outage: .milliseconds(60),
                        longestDetour: .milliseconds(20)))
            ],
            "every 15 s another satellite takes over: for 60 ms everything is lost, and then the "
                + "way takes up to 20 ms longer"
        ),
        (
            "loss: 1 %, policer: { rate: 500 kbit/s, burst: 20 kB }",
            [
                .policer(.init(rate: Bitrate(bitsPerSecond: 500_000), burst: ByteCount(20_000))),
                .independentLoss(percent(1)),
            ],
            "packets beyond 500 kbit/s and bursts of 20 kB are dropped; 1 % of the packets are lost"
        ),
        (
            "mtu: { size: 1400 B, told: by-router }",
            [.sizeLimit(SizeLimit(ByteCount(1_400), told: .byRouter))],
            "a router drops packets above 1.4 kB and says so"
        ),
        (
            "mtu: { told: never, size: 1400 B }",
            [.sizeLimit(SizeLimit(ByteCount(1_400), told: .never))],
            "packets above 1.4 kB vanish without a word"
        ),
        (
            "stages: [jitter: 5 ms, loss: 1 %, mtu: 1280 B, loss: { every: 50 }, loss: 2 %]",
            [
                .jitter(.uniform(.milliseconds(5))), .independentLoss(percent(1)),
                .sizeLimit(SizeLimit(ByteCount(1_280))), .periodicLoss(period: 50),
                .independentLoss(percent(2)),
            ],
            "the way takes up to 5 ms longer; 1 % of the packets are lost; "
                + "packets have at most 1.28 kB; every packet number 50 is lost; "
                + "2 % of the packets are lost"
        ),
        (
            "corrupt: 2 %, stages: [loss: 1 %, duplicate: 1 %]",
            [.corruption(percent(2)), .independentLoss(percent(1)), .duplication(percent(1))],
            "2 % of the packets arrive damaged; 1 % of the packets are lost; "
                + "1 % of the packets come twice"
        ),
    ]

    @Test(arguments: rows) func `a stage arrives in the plan and in the sentences`(
        row: Row
    ) throws {
        let line = "  uplink: { rate: 1 Mbit/s, delay: 20 ms, \(row.words) }"
        let text = ValidScenario.text(with: 7, replacedBy: line)
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(scenario.uplink.filters == row.filters)
        #expect(
            scenario.sentences.first
                == "The uplink carries 1 Mbit/s with 20 ms of delay; its queue takes 24 kB; "
                + "\(row.clause).")
    }

    @Test(arguments: [
        ("{ told: never }", "7:46", "“mtu” needs the key “size”"),
        ("{ size: 1280 B, told: perhaps }", "7:68", "there is no way to learn “perhaps”"),
        ("{ size: 500 B }", "7:54", "an MTU of 500 B"),
    ])
    func `a mistake in a limit has its place`(words: String, at: String, message: String) {
        let line = "  uplink: { rate: 1 Mbit/s, delay: 2 s, mtu: \(words) }"
        let seen = ValidScenario.diagnostics(of: ValidScenario.text(with: 7, replacedBy: line))
        #expect(seen.map { "\($0.line):\($0.column) \($0.message)" } == ["\(at) \(message)"])
    }

    private static var bursts: GilbertElliottLoss.Options {
        var options = GilbertElliottLoss.Options(goodToBad: percent(1), badToGood: percent(25))
        options.lossInBad = percent(80)
        return options
    }

    private static func percent(_ percent: Double) -> Probability {
        Probability(percent: percent) ?? .never
    }
}
