import Checks
import Quantities
import RunLog
import Testing

/// S16 on a link with a changing rate and jitter: the departure of a packet is hidden, but earlier
/// packets must have left before.
@Suite struct JitteredScheduleTests {
    @Test func `packets that come after all before them could leave hold`() {
        #expect(log(Self.steps, arriving: [25_000, 40_000, 55_000]).judged() == .held)
        #expect(log(Self.steps, arriving: [70_000, 71_500, 73_000]).judged() == .held)
        #expect(log(Self.trace, arriving: [15_000, 30_000, 40_000]).judged() == .held)
        #expect(log(Self.trace, arriving: [40_000, 40_000, 40_000]).judged() == .held)
    }

    @Test(
        arguments: [
            (steps, [25_000, 39_999, 55_000], 1), (steps, [25_000, 40_000, 54_999], 2),
            (steps, [54_000, 56_000, 57_499], 2), (trace, [15_000, 29_999, 40_000], 1),
            (trace, [30_000, 30_000, 39_999], 2),
        ] as [(LinkTerms, [UInt64], UInt32)])
    func `a packet that comes before they could have left falls`(
        terms: LinkTerms, arrivals: [UInt64], packet: UInt32
    ) {
        guard case .broken(let breach) = log(terms, arriving: arrivals).judged() else {
            Issue.record("nothing fell")
            return
        }
        #expect(breach.at == Instant(nanoseconds: arrivals[Int(packet)] * 1_000))
    }

    /// Three full packets at once.
    private func log(_ terms: LinkTerms, arriving arrivals: [UInt64]) -> LinkLog {
        var log = LinkLog(terms: terms)
        for packet in arrivals.indices { log.add(.sent, UInt32(packet), atMicroseconds: 0) }
        for (packet, moment) in arrivals.enumerated() {
            log.add(.delivered, UInt32(packet), atMicroseconds: moment)
        }
        return log
    }

    /// A packet takes 15 ms in the first tenth of a second, and 1.5 ms later.
    private static var steps: LinkTerms {
        var terms = LinkLog.terms
        terms.keepsDistance = false
        terms.rateSteps = [
            .init(from: .zero, rate: Bitrate(bitsPerSecond: 800_000)),
            .init(from: .milliseconds(100), rate: Bitrate(bitsPerSecond: 8_000_000)),
        ]
        return terms
    }

    /// Chances after 5, 20 and 30 ms.
    private static var trace: LinkTerms {
        var terms = LinkLog.terms
        terms.keepsDistance = false
        terms.chances = [5, 20, 30]
        return terms
    }
}
