import Checks
import Quantities
import RunLog
import Testing

/// S16 on a link whose delay changes, in steps or by a trace of the run: a packet of 1500 bytes
/// takes 1.5 ms, then 60 ms, and 10 ms from 30 ms on.
@Suite struct ChangingDelayTests {
    @Test(arguments: [steps, trace]) func `packets that take the delay of their moment hold`(
        terms: LinkTerms
    ) {
        #expect(log(terms, sentAt: [0, 20_000], arriving: [61_500, 81_500]).judged() == .held)
        #expect(log(terms, sentAt: [40_000], arriving: [51_500]).judged() == .held)
        // They may have waited in the queue until the delay was short.
        #expect(
            log(terms, sentAt: [0, 0, 0], arriving: [45_000, 50_000, 60_000]).judged() == .held)
    }

    @Test(arguments: [steps, trace]) func `a packet that is faster than any delay since falls`(
        terms: LinkTerms
    ) {
        // The least delay is 10 ms, but from 30 ms on.
        for (sent, arrival) in [(0, 39_999), (20_000, 39_000), (40_000, 51_499)] {
            let log = log(terms, sentAt: [UInt64(sent)], arriving: [UInt64(arrival)])
            guard case .broken(let breach) = log.judged() else {
                Issue.record("nothing fell for \(arrival)")
                continue
            }
            #expect(breach.at == Instant(nanoseconds: UInt64(arrival) * 1_000))
        }
        // The second packet cannot have left before the first had.
        let late = log(terms, sentAt: [29_000, 29_000], arriving: [40_500, 41_999])
        #expect(late.judged() != .held)
    }

    @Test(arguments: [steps, trace]) func `packets that overtake fall`(terms: LinkTerms) {
        var log = LinkLog(terms: terms, traces: Self.traces)
        log.add(.sent, 0, atMicroseconds: 0)
        log.add(.sent, 1, atMicroseconds: 40_000)
        log.add(.delivered, 1, atMicroseconds: 51_500)
        log.add(.delivered, 0, atMicroseconds: 61_500)
        #expect(log.judged() != .held)
    }

    @Test func `a trace goes round after round`() {
        // The second round begins at 100 ms, and is slow again.
        let good = log(Self.trace, sentAt: [110_000], arriving: [140_000])
        #expect(good.judged() == .held)
        let fast = log(Self.trace, sentAt: [110_000], arriving: [139_999])
        #expect(fast.judged() != .held)
    }

    @Test func `chances of a trace in a file are judged as those in the terms`() {
        for (arrivals, holds) in [
            ([15_000, 15_000], true), ([15_000, 15_000, 15_000], false), ([16_000], false),
            ([17_000, 22_000], true),
        ] as [([UInt64], Bool)] {
            let log = log(
                Self.chances, sentAt: arrivals.map { _ in 0 }, arriving: arrivals)
            #expect((log.judged() == .held) == holds)
        }
    }

    @Test func `without its trace a link is not judged`() {
        for terms in [Self.chances, Self.trace] {
            let log = log(terms, sentAt: [0], arriving: [61_500], traces: [])
            #expect(
                log.judged()
                    == .notApplicable(
                        because: "the uplink follows a trace that the log does not have"))
        }
    }

    private func log(
        _ terms: LinkTerms, sentAt: [UInt64], arriving arrivals: [UInt64],
        traces: [IncludedTrace] = Self.traces
    ) -> LinkLog {
        var log = LinkLog(terms: terms, traces: traces)
        for (packet, moment) in sentAt.enumerated() {
            log.add(.sent, UInt32(packet), atMicroseconds: moment)
        }
        for (packet, moment) in arrivals.enumerated() {
            log.add(.delivered, UInt32(packet), atMicroseconds: moment)
        }
        return log
    }

    private static var steps: LinkTerms {
        var terms = LinkLog.terms
        terms.delaySteps = [
            .init(from: .zero, delay: .milliseconds(60)),
            .init(from: .milliseconds(30), delay: .milliseconds(10)),
        ]
        return terms
    }

    private static var trace: LinkTerms {
        var terms = LinkLog.terms
        terms.delayTrace = 0
        return terms
    }

    /// Two chances after 5 ms, and one after 7 ms.
    private static var chances: LinkTerms {
        var terms = LinkLog.terms
        terms.trace = 1
        return terms
    }

    private static let traces: [IncludedTrace] = [
        trace(.delays, [(0, 60_000_000), (30_000_000, 10_000_000), (70_000_000, 0)]),
        trace(.chances, [(5, 2), (2, 1)]),
    ]

    private static func trace(
        _ kind: IncludedTrace.Kind, _ steps: [(UInt64, UInt64)]
    ) -> IncludedTrace {
        var series = StepSeries()
        for (distance, value) in steps { series.append(after: distance, value) }
        return IncludedTrace(kind: kind, path: "x.trace", steps: series)
    }
}
