import LinkModels
import Quantities
import Scenario
import Testing

@Suite struct DisciplineReadingTests {
    typealias Row = (words: String, queue: BottleneckPlan.Queue, clause: String)

    static let rows: [Row] = [
        (
            "{ discipline: drop-tail, limit: 20 packets }", .dropTailPackets(20),
            "takes 20 packets"
        ),
        (
            "{ discipline: drop-tail, limit: 30 kB }", .dropTail(limit: ByteCount(30_000)),
            "takes 30 kB"
        ),
        (
            "{ discipline: drop-head }", .disciplined(.dropHead, limit: ByteCount(24_000)),
            "takes 24 kB and drops the oldest packet for a new one"
        ),
        (
            "{ discipline: codel, limit: 30 kB }",
            .disciplined(.coDel(.init()), limit: ByteCount(30_000)),
            "takes 30 kB and is kept below 5 ms by CoDel"
        ),
        (
            "{ discipline: fq-codel, target: 7 ms, interval: 70 ms }",
            .disciplined(.fairQueueCoDel(slow), limit: ByteCount(24_000)),
            "takes 24 kB and is shared fairly by its flows, each kept below 7 ms by CoDel"
        ),
        (
            "{ discipline: pie }",
            .disciplined(.pie(.init()), limit: ByteCount(24_000)),
            "takes 24 kB and is kept at 15 ms by PIE"
        ),
        (
            "{ discipline: red, limit: 60 kB }",
            .disciplined(
                .red(
                    .init(
                        lower: ByteCount(10_000), upper: ByteCount(30_000),
                        highest: Probability(percent: 10) ?? .never)),
                limit: ByteCount(60_000)),
            "takes 60 kB and drops early from 10 kB on by RED"
        ),
        (
            "{ discipline: codel, mark-threshold: 2 ms }",
            .disciplined(.coDel(threshold), limit: ByteCount(24_000)),
            "takes 24 kB and is kept below 5 ms by CoDel, which marks packets that can be marked"
        ),
        (
            "{ discipline: dualpi2 }",
            .disciplined(.dualPI2(.init()), limit: ByteCount(24_000)),
            "takes 24 kB and is kept at 15 ms by DualPI2, which marks packets that can be marked, "
                + "those with ECT(1) from 1 ms on"
        ),
        (
            "{ discipline: dualpi2, target: 20 ms, update: 20 ms, alpha: 0.2, beta: 3, "
                + "step: 2 ms }",
            .disciplined(.dualPI2(dual), limit: ByteCount(24_000)),
            "takes 24 kB and is kept at 20 ms by DualPI2, which marks packets that can be marked, "
                + "those with ECT(1) from 2 ms on"
        ),
        (
            "{ discipline: cake }", .disciplined(.cake(.init()), limit: ByteCount(24_000)),
            "takes 24 kB and is shared fairly by its hosts, each flow kept below 5 ms by CAKE, "
                + "which marks packets that can be marked"
        ),
        (
            "{ discipline: cake, target: 8 ms, interval: 50 ms, shares: flows }",
            .disciplined(.cake(cake), limit: ByteCount(24_000)),
            "takes 24 kB and is shared fairly by its flows, each flow kept below 8 ms by CAKE, "
                + "which marks packets that can be marked"
        ),
        (
            "{ discipline: codel, ecn: on }",
            .disciplined(.coDel(marking), limit: ByteCount(24_000)),
            "takes 24 kB and is kept below 5 ms by CoDel, which marks packets that can be marked"
        ),
        (
            "{ discipline: fq-codel, flows: 32, quantum: 300 B, ecn: off }",
            .disciplined(.fairQueueCoDel(narrow), limit: ByteCount(24_000)),
            "takes 24 kB and is shared fairly by its flows, each kept below 5 ms by CoDel"
        ),
        (
            "{ discipline: pie, target: 20 ms, update: 30 ms, burst: 0 s, alpha: 0.25, beta: 2.5,"
                + " ecn: on }",
            .disciplined(.pie(brisk), limit: ByteCount(24_000)),
            "takes 24 kB and is kept at 20 ms by PIE, which marks packets that can be marked"
        ),
        (
            "{ discipline: red, min: 5 kB, max: 15 kB, chance: 2 %, weight: 1 %, ecn: on }",
            .disciplined(.red(gentle), limit: ByteCount(24_000)),
            "takes 24 kB and drops early from 5 kB on by RED, which marks packets that can be "
                + "marked"
        ),
    ]

    @Test(arguments: rows) func `a discipline arrives in the plan and in the sentences`(
        row: Row
    ) throws {
        let line = "  uplink: { rate: 1 Mbit/s, delay: 20 ms, queue: \(row.words) }"
        let text = ValidScenario.text(with: 7, replacedBy: line)
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(scenario.uplink.bottleneck.queue == row.queue)
        #expect(
            scenario.sentences.first
                == "The uplink carries 1 Mbit/s with 20 ms of delay; its queue \(row.clause).")
    }

    private static var slow: FairQueueCoDel.Options {
        var options = FairQueueCoDel.Options()
        options.control.target = .milliseconds(7)
        options.control.interval = .milliseconds(70)
        return options
    }

    private static var threshold: CoDel.Options {
        var options = CoDel.Options()
        options.threshold = .milliseconds(2)
        return options
    }

    private static var dual: DualPI2.Options {
        var options = DualPI2.Options()
        options.target = .milliseconds(20)
        options.updatePeriod = .milliseconds(20)
        options.alphaThousandths = 200
        options.betaThousandths = 3_000
        options.step = .milliseconds(2)
        return options
    }

    private static var cake: Cake.Options {
        var options = Cake.Options()
        options.control.target = .milliseconds(8)
        options.control.interval = .milliseconds(50)
        options.sharesByHost = false
        return options
    }

    private static var marking: CoDel.Options {
        var options = CoDel.Options()
        options.marks = true
        return options
    }

    private static var narrow: FairQueueCoDel.Options {
        var options = FairQueueCoDel.Options()
        options.flows = 32
        options.quantum = 300
        return options
    }

    private static var brisk: PIE.Options {
        var options = PIE.Options()
        options.target = .milliseconds(20)
        options.updatePeriod = .milliseconds(30)
        options.burst = .zero
        options.alphaThousandths = 250
        options.betaThousandths = 2_500
        options.marks = true
        return options
    }

    private static var gentle: RED.Options {
        var options = RED.Options(
            lower: ByteCount(5_000), upper: ByteCount(15_000),
            highest: Probability(percent: 2) ?? .never,
            weight: Probability(percent: 1) ?? .never)
        options.marks = true
        return options
    }
}
