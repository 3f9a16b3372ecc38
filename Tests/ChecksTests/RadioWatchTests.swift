import Checks
import Quantities
import RunLog
import Testing

/// S16 on links with a radio: what comes from a phone at rest must have waited.
@Suite struct RadioWatchTests {
    /// A radio that rests after 1 s. It is back after 100 ms, and is paged every 500 ms.
    private static let waits = RadioWaits(
        partner: 0, isUplink: true,
        rests: [
            .init(
                after: .seconds(1), promotion: .milliseconds(100), paging: .milliseconds(500))
        ],
        sleep: .init(
            after: .milliseconds(50), cycle: .milliseconds(40), awake: .milliseconds(4)),
        grant: .init(every: .milliseconds(10), takes: .milliseconds(8)))

    /// A packet by its link (0 up, 1 down), sent and delivered at these milliseconds.
    private typealias Trip = (link: UInt16, sent: UInt64, arrives: UInt64)

    /// Judges trips over two links of 10 ms that send at once.
    private func judge(_ trips: [Trip], downFrom: UInt64? = nil) -> Verdict.Answer {
        var check = NetworkObeysPhysics()
        for link in 0...1 as ClosedRange<UInt16> {
            var terms = LinkTerms(
                name: link == 0 ? "uplink" : "downlink",
                rate: Bitrate(bitsPerSecond: 12_000_000_000), delay: .milliseconds(10),
                queueLimit: ByteCount(64_000), loss: .never)
            terms.waits = Self.waits
            terms.waits?.partner = link ^ 1
            terms.waits?.isUplink = link == 0
            check.read(RunEvent(at: .start, .link(.planned(link: link, terms))))
        }
        var numbers: [UInt32] = [0, 0]
        for trip in trips {
            let number = numbers[Int(trip.link)]
            numbers[Int(trip.link)] += 1
            let moments = [
                (PacketRecord.Kind.sent, trip.sent * 1_000_000),
                (.delivered, trip.arrives * 1_000_000 + 1_000),
            ]
            let records = moments.map { kind, time in
                PacketRecord(
                    atNanoseconds: time, kind: kind, packet: number, link: trip.link, flow: 0,
                    size: 1_500, payload: 1_448, sequence: 0, acknowledgement: 0, flags: .ack,
                    codepoint: .notCapable)
            }
            records.withUnsafeBufferPointer { check.read(packets: $0) }
        }
        for link in 0...1 as ClosedRange<UInt16> {
            var count = LinkCount()
            for _ in trips.filter({ $0.link == link }) {
                count.sent.add(bytes: 1_500)
                count.delivered.add(bytes: 1_500)
            }
            check.read(
                RunEvent(at: .start + .seconds(60), .link(.counted(link: link, count))))
        }
        return check.verdict()
    }

    @Test func `packets that have waited hold`() {
        #expect(
            judge([(0, 0, 110), (1, 115, 125), (0, 131, 158), (1, 910, 930), (0, 3_000, 3_110)])
                == .held)
        #expect(judge([(0, 0, 110), (1, 2_600, 3_110)]) == .held)
    }

    @Test(
        arguments: [
            // The first packet, one after a rest, and one for a phone that is paged only later.
            ([(0, 0, 109)], 1), ([(0, 0, 110), (0, 3_000, 3_109)], 2),
            ([(0, 0, 110), (1, 2_600, 3_109)], 2),
            // A packet without a grant, and one for a phone that sleeps.
            ([(0, 0, 110), (0, 121, 147)], 2), ([(0, 0, 110), (1, 900, 929)], 2),
        ] as [([(UInt16, UInt64, UInt64)], Int)])
    func `a packet that came too early falls`(trips: [(UInt16, UInt64, UInt64)], at place: Int) {
        guard case .broken(let breach) = judge(trips.map { ($0.0, $0.1, $0.2) }) else {
            Issue.record("nothing fell")
            return
        }
        #expect(breach.at.nanoseconds == trips[place - 1].2 * 1_000_000 + 1_000)
        #expect(breach.expected.contains("waits for the radio"))
    }

    @Test func `how deeply the phone rests is not guessed`() {
        // Between a second and the longest wait later, it may have been busy until now.
        #expect(judge([(0, 0, 110), (0, 1_300, 1_310)]) == .held)
    }
}
