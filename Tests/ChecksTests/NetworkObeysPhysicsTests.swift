import Checks
import Quantities
import RunLog
import Testing

/// S16 on a link that carries a byte in 1 µs after a delay of 10 ms: 1500 bytes sent at 0 arrive at
/// 11 500 µs.
@Suite struct NetworkObeysPhysicsTests {
    @Test func `packets that keep to the plan, and balanced books, hold`() {
        var log = LinkLog()
        log.add(.sent, 0, atMicroseconds: 0)
        log.add(.sent, 1, atMicroseconds: 0)
        log.add(.dropped, 1, atMicroseconds: 0)
        log.add(.sent, 2, atMicroseconds: 0)
        log.add(.delivered, 0, atMicroseconds: 11_500)
        log.add(.duplicated, 2, atMicroseconds: 12_000)
        log.add(.delivered, 2, atMicroseconds: 13_000)
        log.add(.sent, 3, atMicroseconds: 13_500)
        #expect(log.judged() == .held)
    }

    @Test func `many packets on the way at once, of any size, hold`() {
        var log = LinkLog()
        var arrival: UInt64 = 10_000
        // The second burst outgrows the ring while its oldest packet is not at its first place.
        let size = { (packet: UInt32) in UInt16(9_000 + packet % 7) }
        for burst in [0..<700, 700..<5_000] as [Range<UInt32>] {
            for packet in burst {
                log.add(.sent, packet, atMicroseconds: arrival, size: size(packet))
            }
            arrival += 10_000
            for packet in burst {
                arrival += UInt64(size(packet))
                log.add(.delivered, packet, atMicroseconds: arrival, size: size(packet))
            }
        }
        #expect(log.judged() == .held)
    }

    @Test func `a log without simulated packets is not applicable`() {
        #expect(
            answer(of: NetworkObeysPhysics(), to: [])
                == .notApplicable(because: "no packet crossed a simulated link"))
        var live = LinkLog(plansLink: false)
        live.add(.captured, 0, atMicroseconds: 0)
        #expect(
            live.judged(closingBooks: false)
                == .notApplicable(
                    because: "captured packets crossed links with unknown terms"))
    }

    @Test func `books that were never closed are not applicable`() {
        var log = LinkLog()
        log.add(.sent, 0, atMicroseconds: 0)
        #expect(
            log.judged(closingBooks: false)
                == .notApplicable(because: "the uplink never reported its counts"))
    }

    @Test(arguments: [0, 2] as [UInt16])
    func `a packet on a link that nobody planned falls`(link: UInt16) {
        var log = LinkLog()
        log.add(.sent, 0, atMicroseconds: 3, link: link)
        #expect(
            log.judged(closingBooks: false)
                == log.broken(
                    atMicroseconds: 3, expected: "packets only on planned links",
                    seen: "a packet on link \(link)"))
    }

    @Test func `a packet on a link that nobody planned falls among packets of planned ones`() {
        var check = NetworkObeysPhysics()
        for link in [0, 1] as [UInt16] {
            check.read(RunEvent(at: .start, .link(.planned(link: link, LinkLog.terms))))
        }
        let records = ([0, 1, 2, 1, 0] as [UInt16]).enumerated().map { place, link in
            PacketRecord(
                atNanoseconds: UInt64(place), kind: .sent, packet: UInt32(place / 3), link: link,
                flow: 0, size: 1_500, payload: 1_448, sequence: 0, acknowledgement: 0, flags: .ack)
        }
        records.withUnsafeBufferPointer { check.read(packets: $0) }
        #expect(
            check.verdict()
                == .broken(
                    Breach(
                        event: 1, at: Instant(nanoseconds: 2),
                        expected: "packets only on planned links",
                        seen: "a packet on link 2")))
    }

    /// Packet 1024 would have the same place in the ring as packet 0, which is on the way.
    @Test(arguments: [PacketRecord.Kind.delivered, .dropped, .duplicated], [1, 1024] as [UInt32])
    func `a packet from nowhere falls`(kind: PacketRecord.Kind, packet: UInt32) {
        var log = LinkLog()
        log.add(.sent, 0, atMicroseconds: 0)
        log.add(kind, packet, atMicroseconds: 50_000)
        #expect(
            log.judged()
                == log.broken(
                    atMicroseconds: 50_000,
                    expected: "a packet that was sent and is still on the way",
                    seen: "packet \(packet) of the uplink is \(kind), but is not on the way"))
    }

    @Test(arguments: [PacketRecord.Kind.delivered, .dropped])
    func `a packet that was delivered or dropped comes no more`(end: PacketRecord.Kind) {
        var log = LinkLog(terms: Self.mixing)
        log.add(.sent, 0, atMicroseconds: 0)
        log.add(.sent, 1, atMicroseconds: 0)
        log.add(end, 1, atMicroseconds: 40_000)
        log.add(.delivered, 1, atMicroseconds: 50_000)
        #expect(
            log.judged()
                == log.broken(
                    atMicroseconds: 50_000,
                    expected: "a packet that was sent and is still on the way",
                    seen: "packet 1 of the uplink is delivered, but is not on the way"))
    }

    @Test(arguments: [LinkLog.terms, Self.mixing])
    func `a packet that was dropped is not dropped again`(terms: LinkTerms) {
        var log = LinkLog(terms: terms)
        for packet in 0...2 as ClosedRange<UInt32> { log.add(.sent, packet, atMicroseconds: 0) }
        log.add(.dropped, 1, atMicroseconds: 1)
        log.add(.dropped, 1, atMicroseconds: 2)
        #expect(
            log.judged()
                == log.broken(
                    atMicroseconds: 2, expected: "a packet that was sent and is still on the way",
                    seen: "packet 1 of the uplink is dropped, but is not on the way"))
    }

    @Test func `packets that are not sent one by one fall`() {
        var log = LinkLog()
        log.add(.sent, 0, atMicroseconds: 0)
        log.add(.sent, 2, atMicroseconds: 1)
        #expect(
            log.judged()
                == log.broken(
                    atMicroseconds: 1, expected: "packet 1 is the next to be sent on the uplink",
                    seen: "packet 2 of the uplink is sent"))
    }

    @Test func `a packet that is there before rate and delay allow it falls`() {
        var log = LinkLog()
        log.add(.sent, 0, atMicroseconds: 100)
        log.add(.delivered, 0, atMicroseconds: 11_599)
        #expect(
            log.judged()
                == log.broken(
                    atMicroseconds: 11_599,
                    expected: "packet 0 of the uplink, sent at 100000 ns, is not delivered before "
                        + "11600000 ns",
                    seen: "it is delivered at 11599000 ns"))
    }

    @Test func `packets that come closer than the rate allows fall`() {
        var log = LinkLog()
        log.add(.sent, 0, atMicroseconds: 0)
        log.add(.sent, 1, atMicroseconds: 0)
        log.add(.delivered, 0, atMicroseconds: 12_000)
        log.add(.delivered, 1, atMicroseconds: 13_499)
        #expect(
            log.judged()
                == log.broken(
                    atMicroseconds: 13_499,
                    expected: "packet 1 of the uplink arrives 1500000 ns or more after the packet "
                        + "before it, which came at 12000000 ns",
                    seen: "it is delivered at 13499000 ns"))
    }

    @Test func `a packet that overtakes another falls, unless the link mixes them`() {
        for terms in [LinkLog.terms, Self.mixing] {
            var log = LinkLog(terms: terms)
            log.add(.sent, 0, atMicroseconds: 0)
            log.add(.sent, 1, atMicroseconds: 0)
            log.add(.delivered, 1, atMicroseconds: 13_000)
            log.add(.delivered, 0, atMicroseconds: 13_100)
            let fall = log.broken(
                atMicroseconds: 13_000,
                expected: "packet 0 of the uplink, which was sent before it, comes before it",
                seen: "packet 1 of the uplink comes at 13000000 ns")
            #expect(log.judged() == (terms == Self.mixing ? .held : fall))
        }
    }

    @Test func `a link that mixes its packets is no faster for that`() {
        var log = LinkLog(terms: Self.mixing)
        log.add(.sent, 0, atMicroseconds: 0)
        log.add(.delivered, 0, atMicroseconds: 11_499)
        #expect(
            log.judged()
                == log.broken(
                    atMicroseconds: 11_499,
                    expected: "packet 0 of the uplink, sent at 0 ns, is not delivered before "
                        + "11500000 ns",
                    seen: "it is delivered at 11499000 ns"))
    }

    @Test func `a packet that leaves while the link carries nothing falls`() {
        var terms = LinkLog.terms
        terms.rateSteps = [
            .init(from: .zero, rate: terms.rate), .init(from: .milliseconds(1), rate: nil),
            .init(from: .milliseconds(3), rate: terms.rate),
        ]
        // The first 1000 bytes have left at 1 ms, the rest by 3.5 ms.
        for (microseconds, holds) in [(13_500, true), (13_499, false)] as [(UInt64, Bool)] {
            var log = LinkLog(terms: terms)
            log.add(.sent, 0, atMicroseconds: 0)
            log.add(.delivered, 0, atMicroseconds: microseconds)
            let fall = log.broken(
                atMicroseconds: microseconds,
                expected: "packet 0 of the uplink, sent at 0 ns, leaves when the link's rate lets "
                    + "it, 10000000 ns before it arrives",
                seen: "it is delivered at 13499000 ns")
            #expect(log.judged() == (holds ? .held : fall))
        }
    }

    @Test func `packets that share what a changing rate has carried only once fall`() {
        var terms = LinkLog.terms
        terms.rateSteps = [
            .init(from: .zero, rate: terms.rate), .init(from: .milliseconds(2), rate: nil),
        ]
        terms.ratePeriod = .milliseconds(10)
        for (microseconds, holds) in [(21_000, true), (20_999, false)] as [(UInt64, Bool)] {
            var log = LinkLog(terms: terms)
            log.add(.sent, 0, atMicroseconds: 0)
            log.add(.sent, 1, atMicroseconds: 0)
            log.add(.delivered, 0, atMicroseconds: 11_500)
            // 500 bytes until 2 ms, 1000 from 10 ms on.
            log.add(.delivered, 1, atMicroseconds: microseconds)
            #expect((log.judged() == .held) == holds)
        }
    }

    @Test(arguments: [
        ([15_000, 15_000], true), ([15_000, 15_000, 15_000], false), ([16_000], false),
        ([15_500], false), ([17_000, 22_000], true),
    ])
    func `packets leave at the chances of a trace, and no more than fit`(
        arrivals: [UInt64], holds: Bool
    ) {
        var terms = LinkLog.terms
        terms.chances = [5, 5, 7]
        var log = LinkLog(terms: terms)
        for packet in arrivals.indices { log.add(.sent, UInt32(packet), atMicroseconds: 0) }
        for (packet, arrival) in arrivals.enumerated() {
            log.add(.delivered, UInt32(packet), atMicroseconds: arrival)
        }
        #expect((log.judged() == .held) == holds)
    }

    private static var mixing: LinkTerms {
        var terms = LinkLog.terms
        terms.keepsOrder = false
        terms.keepsDistance = false
        return terms
    }

    @Test(arguments: [PacketRecord.Kind.delivered, .dropped, .duplicated])
    func `a packet that changes its size on the way falls`(kind: PacketRecord.Kind) {
        var log = LinkLog()
        log.add(.sent, 0, atMicroseconds: 0)
        log.add(kind, 0, atMicroseconds: 20_000, size: 1_499)
        #expect(
            log.judged()
                == log.broken(
                    atMicroseconds: 20_000, expected: "packet 0 of the uplink keeps its 1500 B",
                    seen: "it has 1499 B"))
    }

    @Test(arguments: [PacketRecord.Kind.dropped, .duplicated])
    func `nothing happens to a packet before it is sent`(kind: PacketRecord.Kind) {
        var log = LinkLog()
        log.add(.sent, 0, atMicroseconds: 10)
        log.add(kind, 0, atMicroseconds: 9)
        #expect(
            log.judged()
                == log.broken(
                    atMicroseconds: 9,
                    expected:
                        "packet 0 of the uplink, sent at 10000 ns, is not \(kind) before that",
                    seen: "it is \(kind) at 9000 ns"))
    }
}
