import Checks
import Quantities
import RunLog
import Testing

/// S16 on links with a shaper, a policer, losses behind the queue, or slots: each is computed from
/// the terms and the packets. A byte takes a microsecond, the way ten milliseconds.
@Suite struct LinkTermsTests {
    /// Ten microseconds fill a byte, and two full packets fit.
    private static let bucket = LinkTerms.Bucket(
        rate: Bitrate(bitsPerSecond: 800_000), burst: ByteCount(3_000))

    @Test(
        arguments: [
            ([11_500, 13_000, 26_500], true), ([11_500, 13_000, 26_499], false),
            ([30_000, 31_500, 45_000], true), ([30_000, 31_500, 33_000], false),
        ] as [([UInt64], Bool)])
    func `packets leave a shaper with the tokens of its bucket`(
        arrivals: [UInt64], holds: Bool
    ) {
        var terms = LinkLog.terms
        terms.shaper = Self.bucket
        #expect((log(terms, arriving: arrivals).judged() == .held) == holds)
    }

    @Test func `jitter behind a shaper hides when a packet left, but not how early it could have`()
    {
        var terms = LinkLog.terms
        terms.shaper = Self.bucket
        terms.keepsDistance = false
        #expect(log(terms, arriving: [30_000, 31_500, 33_000]).judged() == .held)
        #expect(log(terms, arriving: [11_500, 13_000, 26_500]).judged() == .held)
        #expect(log(terms, arriving: [11_500, 13_000, 26_499]).judged() != .held)
    }

    @Test func `packets that overtake behind a shaper do not tell what its bucket had`() {
        var terms = LinkLog.terms
        terms.shaper = Self.bucket
        (terms.keepsDistance, terms.keepsOrder) = (false, false)
        terms.delaySteps = [.init(from: .zero, delay: .milliseconds(10))]
        var log = LinkLog(terms: terms)
        for packet in 0...1 { log.add(.sent, UInt32(packet), atMicroseconds: 0) }
        // The bucket is full again.
        log.add(.sent, 2, atMicroseconds: 30_000)
        for (packet, arrival) in [(2, 41_500), (0, 42_000), (1, 42_500)] as [(UInt32, UInt64)] {
            log.add(.delivered, packet, atMicroseconds: arrival)
        }
        #expect(log.judged() == .held)
    }

    @Test func `what exceeds a policer falls if it is delivered`() {
        var terms = LinkLog.terms
        terms.policer = Self.bucket
        let seen = log(terms, arriving: [11_500, 13_000, 14_500])
        #expect(
            seen.judged()
                == seen.broken(
                    atMicroseconds: 14_500,
                    expected: "packet 2 of the uplink, sent at 0 ns, is dropped by the "
                        + "policer or between two satellites",
                    seen: "it is delivered at 14500000 ns"))
    }

    @Test(arguments: [(1, true), (0, false), (2, false)] as [(UInt64, Bool)])
    func `a policer reports what exceeded it, no more and no less`(policed: UInt64, holds: Bool) {
        var terms = LinkLog.terms
        terms.policer = Self.bucket
        var log = self.log(terms, arriving: [11_500, 13_000])
        log.add(.sent, 2, atMicroseconds: 0)
        log.add(.dropped, 2, atMicroseconds: 0)
        log.books.drops = LinkCount.Drops()
        log.books.drops?.policed = policed
        #expect((log.judged() == .held) == holds)
    }

    @Test(
        arguments: [
            (11_500, 13_000, true), (11_499, 13_000, false), (11_500, 12_999, false),
            (0, 11_500, true),
        ] as [(UInt64, UInt64, Bool)])
    func `a packet lost behind the queue has taken its time on the link`(
        dropped: UInt64, delivered: UInt64, holds: Bool
    ) {
        var terms = LinkLog.terms
        terms.losesOnWay = true
        var log = LinkLog(terms: terms)
        log.add(.sent, 0, atMicroseconds: 0)
        log.add(.sent, 1, atMicroseconds: 0)
        log.add(.dropped, 0, atMicroseconds: dropped)
        log.add(.delivered, 1, atMicroseconds: delivered)
        #expect((log.judged() == .held) == holds)
    }

    @Test(
        arguments: [
            ([20_000, 20_000, 25_000], true), ([20_000, 20_000, 20_000], false),
            ([20_000, 20_000, 24_999], false), ([20_000, 26_000, 26_000], true),
        ] as [([UInt64], Bool)])
    func `packets come in bursts of two, five milliseconds apart`(
        arrivals: [UInt64], holds: Bool
    ) {
        var terms = LinkLog.terms
        terms.keepsDistance = false
        terms.slots = .init(
            shortest: .milliseconds(5), longest: .milliseconds(9), packets: 2, bytes: nil)
        #expect((log(terms, arriving: arrivals).judged() == .held) == holds)
    }

    @Test func `a burst ends with the packet that reaches its bytes`() {
        var terms = LinkLog.terms
        terms.keepsDistance = false
        terms.slots = .init(
            shortest: .milliseconds(5), longest: .milliseconds(9), packets: nil,
            bytes: ByteCount(1_600))
        #expect(log(terms, arriving: [20_000, 20_000]).judged() == .held)
        #expect(log(terms, arriving: [20_000, 20_000, 20_000]).judged() != .held)
    }

    @Test func `a burst cannot bring what the rate has not carried yet`() {
        var terms = LinkLog.terms
        terms.keepsDistance = false
        terms.slots = .init(
            shortest: .milliseconds(1), longest: .milliseconds(1), packets: nil, bytes: nil)
        #expect(log(terms, arriving: [14_500, 14_500, 14_500]).judged() == .held)
        #expect(log(terms, arriving: [14_499, 14_499, 14_499]).judged() != .held)
    }

    /// A packet takes 1542 µs with its framing, and an access 122 µs.
    @Test(
        arguments: [
            ([11_542, 13_084, 14_748], true),
            // The third is in the aggregate of the others, or comes too early for one of its own.
            ([11_542, 13_084, 14_747], false),
            ([11_541, 13_084, 14_748], false),
            ([11_542, 13_083, 14_748], false),
            ([20_000, 30_000, 40_000], true),
        ] as [([UInt64], Bool)]) func `aggregates of two packets cost an access each`(
            arrivals: [UInt64], holds: Bool
        )
    {
        #expect((log(Self.air, arriving: arrivals).judged() == .held) == holds)
    }

    @Test func `a packet sent when an aggregate was on the air already cannot be in it`() {
        for (sent, holds) in [(0, true), (1, false)] as [(UInt64, Bool)] {
            var log = LinkLog(terms: Self.air)
            log.add(.sent, 0, atMicroseconds: 0)
            log.add(.sent, 1, atMicroseconds: sent)
            log.add(.delivered, 0, atMicroseconds: 11_542)
            log.add(.delivered, 1, atMicroseconds: 13_084)
            #expect((log.judged() == .held) == holds)
        }
    }

    private static var air: LinkTerms {
        var terms = LinkLog.terms
        terms.air = .init(
            packets: 2, bytes: ByteCount(65_535), framing: 42, overhead: .microseconds(122))
        return terms
    }

    @Test(
        arguments: [
            (999_999, true), (1_000_000, false), (1_009_999, false), (1_010_000, true),
        ] as [(UInt64, Bool)])
    func `what is sent between two satellites cannot arrive`(sent: UInt64, holds: Bool) {
        var terms = LinkLog.terms
        terms.satellites = .init(every: .seconds(1), outage: .milliseconds(10))
        var log = LinkLog(terms: terms)
        log.add(.sent, 0, atMicroseconds: sent)
        log.add(.delivered, 0, atMicroseconds: sent + 11_500)
        #expect((log.judged() == .held) == holds)
    }

    /// Full packets, all sent at once.
    private func log(_ terms: LinkTerms, arriving arrivals: [UInt64]) -> LinkLog {
        var log = LinkLog(terms: terms)
        for packet in arrivals.indices { log.add(.sent, UInt32(packet), atMicroseconds: 0) }
        for (packet, moment) in arrivals.enumerated() {
            log.add(.delivered, UInt32(packet), atMicroseconds: moment)
        }
        return log
    }
}
