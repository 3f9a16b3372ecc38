import Checks
import Quantities
import RunLog
import Testing

@Suite struct FigureExpectationTests {
    /// A transfer of 100 bytes in 2 ms on a line of 1 Mbit/s: 400 kbit/s.
    private var transfer: [RunEvent.Fact] {
        [
            .link(.planned(link: 0, terms("uplink", 1_000_000))),
            SmallLog.stage(.waiting, .running),
            SmallLog.inspected(modified: 0), SmallLog.completes(), SmallLog.runEnds,
        ]
    }

    @Test func `goodput is compared with a rate, and with a share of the bottleneck`() throws {
        #expect(judge(.goodput(.rate(Bitrate(bitsPerSecond: 400_000))), transfer) == .held)
        #expect(
            judge(.goodput(.rate(Bitrate(bitsPerSecond: 400_001))), transfer)
                == broken(
                    at: 4, expected: "goodput is at least 400.001 kbit/s, 400.001 kbit/s",
                    seen: "it is 400 kbit/s of 1 Mbit/s"))
        let share = try #require(Probability(percent: 40))
        #expect(judge(.goodput(.share(share)), transfer) == .held)
        let more = try #require(Probability(percent: 50))
        #expect(
            judge(.goodput(.share(more)), transfer)
                == broken(
                    at: 4, expected: "goodput is at least 50 % of the bottleneck, 500 kbit/s",
                    seen: "it is 400 kbit/s of 1 Mbit/s"))
    }

    @Test func `a run in which nothing was completed has no goodput`() {
        let floor = ExpectationPlan.goodput(.rate(Bitrate(bitsPerSecond: 1)))
        #expect(
            judge(floor, [SmallLog.runEnds])
                == broken(
                    at: 0, expected: "goodput is at least 1 bit/s", seen: "no transfer completed"))
    }

    @Test func `all that leaves the app counts, and every connection`() {
        let log = [
            opening(1), SmallLog.ended(transmitted: 60), opening(2),
            SmallLog.ended(ConnectionName(launch: 1, number: 2), transmitted: 41),
            SmallLog.runEnds,
        ]
        #expect(judge(.traffic(.sent(.atMost(ByteCount(101)))), log) == .held)
        #expect(
            judge(.traffic(.sent(.atMost(ByteCount(100)))), log)
                == broken(
                    at: 3, expected: "at most 100 B leave the app, requests included",
                    seen: "101 B have left the app, 1 B too many"))
        #expect(judge(.traffic(.connections(.atMost(2))), log) == .held)
        #expect(
            judge(.traffic(.connections(.atMost(1))), log)
                == broken(
                    at: 2, expected: "at most 1 connections are opened",
                    seen: "this is connection number 2"))
        #expect(judge(.traffic(.sent(.atLeast(ByteCount(101)))), log) == .held)
        #expect(
            judge(.traffic(.sent(.atLeast(ByteCount(102)))), log)
                == broken(
                    at: 4, expected: "at least 102 B leave the app, requests included",
                    seen: "101 B have left the app"))
        #expect(judge(.traffic(.connections(.atLeast(2))), log) == .held)
        #expect(
            judge(.traffic(.connections(.atLeast(3))), log)
                == broken(
                    at: 4, expected: "at least 3 connections are opened", seen: "there were 2"))
    }

    @Test func `dropped packets are a share of all that links were given`() throws {
        var count = LinkCount()
        count.sent.packets = 90
        count.duplicated.packets = 10
        count.dropped.packets = 3
        let log = [RunEvent.Fact.link(.counted(link: 0, count)), SmallLog.runEnds]
        let three = try #require(Probability(percent: 3))
        #expect(judge(.traffic(.drops(.atMost(three), on: nil)), log) == .held)
        let two = try #require(Probability(percent: 2))
        #expect(
            judge(.traffic(.drops(.atMost(two), on: nil)), log)
                == broken(
                    at: 1, expected: "at most 2 % of the packets are dropped",
                    seen: "3 of 100 are dropped")
        )
        #expect(judge(.traffic(.drops(.atLeast(three), on: nil)), log) == .held)
        let four = try #require(Probability(percent: 4))
        #expect(judge(.traffic(.drops(.atLeast(four), on: nil)), log) != .held)
        #expect(
            judge(.traffic(.drops(.atMost(two), on: nil)), [SmallLog.runEnds])
                == broken(
                    at: 0, expected: "at most 2 % of the packets are dropped",
                    seen: "no link has counted its packets"))
    }

    private func terms(_ name: String, _ rate: UInt64) -> LinkTerms {
        LinkTerms(
            name: name, rate: Bitrate(bitsPerSecond: rate), delay: .zero,
            queueLimit: ByteCount(1), loss: .never)
    }

    private func opening(_ number: UInt32) -> RunEvent.Fact {
        .connection(
            .opening(ConnectionName(launch: 1, number: number), to: "docroot:80", by: ItemName(1)))
    }

    private func judge(_ plan: ExpectationPlan, _ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: plan.check(words: "so much", place: "a.yaml:1:1"), to: facts)
    }
}
