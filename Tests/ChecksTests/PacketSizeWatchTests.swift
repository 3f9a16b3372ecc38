import Checks
import Quantities
import RunLog
import Testing

/// S16 on links where large packets do not pass.
@Suite struct PacketSizeWatchTests {
    /// A packet by its link (0 up, 1 down), its size, and whether it arrives. A size of 56 is that
    /// of a router's message.
    private typealias Trip = (link: UInt16, size: UInt16, arrives: Bool)

    private static let known = LinkTerms.LargestPacket(
        size: ByteCount(1_280), isKnown: true, isTold: false)
    private static let told = LinkTerms.LargestPacket(
        size: ByteCount(1_280), isKnown: false, isTold: true)
    private static let silent = LinkTerms.LargestPacket(
        size: ByteCount(1_280), isKnown: false, isTold: false)

    @Test(arguments: [known, told, silent])
    func `packets of exactly the limit hold`(limit: LinkTerms.LargestPacket) {
        let back: UInt16 = limit.isKnown ? 1_280 : 1_500
        #expect(judge(limit, [(0, 1_280, true), (0, 60, true), (1, back, true)]) == .held)
    }

    @Test(arguments: [told, silent])
    func `a packet that is too large vanishes`(limit: LinkTerms.LargestPacket) {
        #expect(judge(limit, [(0, 1_281, false)], tooLarge: 1) == .held)
        #expect(judge(limit, [(0, 1_281, false)], tooLarge: 0) == .held)
        #expect(
            judge(limit, [(0, 1_281, true)]).breach?.expected
                == "packet 0 of the uplink is dropped, because only 1280 B pass")
    }

    @Test func `a link does not drop more packets as too large than were`() {
        let verdict = judge(Self.silent, [(0, 1_281, false), (0, 1_280, false)], tooLarge: 2)
        #expect(
            verdict.breach?.expected == "the uplink drops at most 1 packets as too large")
        #expect(verdict.breach?.seen == "it drops 2")
    }

    @Test func `a host that knows the limit sends nothing larger`() {
        let verdict = judge(Self.known, [(0, 1_280, true), (0, 1_281, false)], tooLarge: 1)
        #expect(
            verdict.breach?.expected
                == "packet 1 of the uplink has at most the 1280 B of which its sender knows")
    }

    @Test func `whoever answers a host that knows the limit sends nothing larger`() {
        let verdict = judge(Self.known, [(0, 1_280, true), (1, 1_281, true)])
        #expect(
            verdict.breach?.expected == "packet 0 against the uplink has at most the 1280 B that "
                + "a SYN has allowed")
    }

    @Test func `other traffic knows nothing`() {
        let trips: [Trip] = [(0, 1_281, false), (1, 1_281, true)]
        #expect(judge(Self.known, trips, tooLarge: 1, isOthers: true) == .held)
    }

    @Test func `a host that was told sends nothing larger, on that connection`() {
        let trips: [Trip] = [(0, 1_500, false), (1, 56, true), (0, 1_280, true)]
        #expect(judge(Self.told, trips, tooLarge: 1) == .held)
        #expect(
            judge(Self.told, trips + [(0, 1_400, false)], tooLarge: 2).breach?.expected
                == "packet 2 of the uplink has at most 1280 B, as a router has told its sender")
        // A message that is lost tells nobody anything.
        let unheard: [Trip] = [(0, 1_500, false), (1, 56, false), (0, 1_400, false)]
        #expect(judge(Self.told, unheard, tooLarge: 2) == .held)
    }

    /// Judges packets of one flow, a second after each other, over two links of 10 ms.
    private func judge(
        _ limit: LinkTerms.LargestPacket, _ trips: [Trip], tooLarge: UInt64 = 0,
        isOthers: Bool = false
    ) -> Verdict.Answer {
        var check = NetworkObeysPhysics()
        for link in 0...1 as ClosedRange<UInt16> {
            var terms = LinkTerms(
                name: link == 0 ? "uplink" : "downlink",
                rate: Bitrate(bitsPerSecond: 8_000_000), delay: .milliseconds(10),
                queueLimit: ByteCount(64_000), loss: .never)
            if link == 0 { terms.largestPackets = [limit] }
            check.read(RunEvent(at: .start, .link(.planned(link: link, terms))))
        }
        if isOthers {
            let terms = SharingTerms(flow: 0, what: "a stream")
            check.read(RunEvent(at: .start, .link(.shared(link: 0, terms))))
        }
        var counts = [LinkCount(), LinkCount()]
        for (second, trip) in trips.enumerated() {
            let place = Int(trip.link)
            let number = UInt32(counts[place].sent.packets)
            let sent = UInt64(second) * 1_000_000_000
            let end: (PacketRecord.Kind, UInt64) =
                trip.arrives ? (.delivered, sent + 20_000_000) : (.dropped, sent)
            let records = [(PacketRecord.Kind.sent, sent), end].map { kind, time in
                PacketRecord(
                    atNanoseconds: time, kind: kind, packet: number, link: trip.link, flow: 0,
                    size: trip.size, payload: trip.size == 56 ? 0 : trip.size - 52, sequence: 0,
                    acknowledgement: 0, flags: trip.size == 56 ? [] : .ack,
                    codepoint: .notCapable)
            }
            records.withUnsafeBufferPointer { check.read(packets: $0) }
            counts[place].sent.add(bytes: Int(trip.size))
            if trip.arrives {
                counts[place].delivered.add(bytes: Int(trip.size))
            } else {
                counts[place].dropped.add(bytes: Int(trip.size))
            }
        }
        if tooLarge > 0 {
            counts[0].drops = LinkCount.Drops()
            counts[0].drops?.tooLarge = tooLarge
        }
        for (link, count) in counts.enumerated() {
            check.read(
                RunEvent(
                    at: .start + .seconds(60), .link(.counted(link: UInt16(link), count))))
        }
        return check.verdict()
    }
}

extension Verdict.Answer {
    fileprivate var breach: Breach? {
        if case .broken(let breach) = self { breach } else { nil }
    }
}
