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
            .disciplined(.pie(target: .milliseconds(15)), limit: ByteCount(24_000)),
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

    private static var slow: CoDel.Options {
        var options = CoDel.Options()
        options.target = .milliseconds(7)
        options.interval = .milliseconds(70)
        return options
    }
}
