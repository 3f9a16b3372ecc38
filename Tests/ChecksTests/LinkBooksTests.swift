import Checks
import Quantities
import RunLog
import Testing

@Suite struct LinkBooksTests {
    @Test(arguments: [
        (\LinkCount.sent.packets, "3 packets sent or duplicated", "2 are"),
        (\LinkCount.sent.bytes, "3001 bytes sent or duplicated", "3000 are"),
        (\LinkCount.duplicated.packets, "3 packets sent or duplicated", "2 are"),
        (\LinkCount.delivered.packets, "2 packets sent or duplicated", "3 are"),
        (\LinkCount.dropped.bytes, "3000 bytes sent or duplicated", "3001 are"),
        (\LinkCount.inFlight.bytes, "3000 bytes sent or duplicated", "3001 are"),
    ])
    func `books that do not balance fall`(
        figure: any WritableKeyPath<LinkCount, UInt64> & Sendable, coming: String, gone: String
    ) {
        var log = Self.log
        log.books[keyPath: figure] += 1
        #expect(
            log.judged()
                == log.brokenByBooks(
                    expected: "\(coming) on the uplink are delivered, dropped or in flight",
                    seen: gone))
    }

    @Test func `books that balance, and yet tell of packets that no record has, fall`() {
        var log = Self.log
        log.books.sent.add(bytes: 40)
        log.books.delivered.add(bytes: 40)
        #expect(
            log.judged()
                == log.brokenByBooks(
                    expected:
                        "the uplink reports 2 packets, 3000 bytes sent, as its records say",
                    seen: "it reports 3 packets, 3040 bytes"))
    }

    @Test func `books that call a packet on the way delivered fall`() {
        var log = Self.log
        log.books.delivered.add(bytes: 1500)
        log.books.inFlight = LinkCount.Tally()
        #expect(
            log.judged()
                == log.brokenByBooks(
                    expected:
                        "the uplink reports 1 packets, 1500 bytes delivered, as its records say",
                    seen: "it reports 2 packets, 3000 bytes"))
    }

    @Test func `books of a link that nobody planned fall`() {
        let facts = [RunEvent.Fact.link(.counted(link: 4, LinkCount()))]
        #expect(
            answer(of: NetworkObeysPhysics(), to: facts)
                == broken(
                    at: 0, expected: "counts only for planned links",
                    seen: "counts of link 4"))
    }

    /// A log with one packet delivered and one on the way.
    private static var log: LinkLog {
        var log = LinkLog()
        log.add(.sent, 0, atMicroseconds: 0)
        log.add(.delivered, 0, atMicroseconds: 11_500)
        log.add(.sent, 1, atMicroseconds: 12_000)
        return log
    }
}
