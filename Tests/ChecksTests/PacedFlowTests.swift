import Quantities
import RunLog
import Testing

@testable import Checks

/// Flows of the paced transport on doctored logs: what comes through is what arrives for the first
/// time, in whatever order.
@Suite struct PacedFlowTests {
    @Test func `content that arrives counts once`() {
        var content = ArrivedContent()
        let pieces: [(Range<UInt64>, UInt64)] = [
            (0..<10, 10), (20..<30, 10), (5..<12, 2), (12..<12, 0), (40..<50, 10), (25..<45, 10),
            (0..<60, 18), (0..<60, 0), (60..<61, 1),
        ]
        for (range, new) in pieces {
            let added = content.add(range)
            #expect(added == new, "\(range)")
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `content in random order counts as a set does`(seed: UInt64) {
        var random = RandomStream(seed: seed, name: "pieces")
        var content = ArrivedContent()
        var known: Set<UInt64> = []
        for _ in 0..<300 {
            let begin = random.below(2_000)
            let range = begin..<begin + random.below(40)
            let added = content.add(range)
            let before = known.count
            known.formUnion(range)
            #expect(added == UInt64(known.count - before))
        }
    }

    @Test func `a flow reaches what arrives for the first time within its time`() {
        // Packets have 1000 bytes of content after 55 of headers. The third is lost, and sent
        // again.
        let log = PacedLog([
            .init(0, at: 0), .init(1_000, at: 100), .init(2_000, at: 200, isLost: true),
            .init(3_000, at: 300), .init(2_000, at: 900), .init(4_000, at: 1_500),
        ])
        // 4000 bytes in a second; the fifth piece comes too late.
        #expect(log.verdict(.reaches(Bitrate(bitsPerSecond: 32_000))) == .held)
        #expect(log.verdict(.reaches(Bitrate(bitsPerSecond: 32_001))) != .held)
        #expect(log.verdict(.sendsAgain(PacedLog.percent(17))) == .held)
        #expect(log.verdict(.sendsAgain(PacedLog.percent(16))) != .held)
        #expect(log.verdict(.sendsInVain(.never)) == .held)
    }

    @Test func `what arrives twice was sent in vain`() {
        let log = PacedLog([
            .init(0, at: 0), .init(1_000, at: 100), .init(0, at: 200), .init(2_000, at: 300),
        ])
        #expect(log.verdict(.sendsInVain(PacedLog.percent(25))) == .held)
        guard case .broken(let breach) = log.verdict(.sendsInVain(PacedLog.percent(24))) else {
            Issue.record("it held")
            return
        }
        #expect(breach.expected == "flow a sends at most 24 % of its bytes in vain")
        #expect(
            breach.seen
                == "1 kB of 4 kB that it sent had arrived before, which is 25.0 %, on the uplink")
    }

    @Test func `a flow with a length ends when all of it has arrived`() {
        let packets: [PacedLog.Sent] = [
            .init(0, at: 0), .init(2_000, at: 100), .init(1_000, at: 700),
        ]
        let log = PacedLog(packets, length: 3_000)
        #expect(log.verdict(.ends(within: .milliseconds(710))) == .held)
        #expect(log.verdict(.ends(within: .milliseconds(709))) != .held)
        #expect(PacedLog(packets, length: 3_001).verdict(.ends(within: .seconds(9))) != .held)
    }

    @Test func `empty packets carry nothing`() {
        let log = PacedLog([.init(0, at: 0), .init(0, at: 100, content: -10)])
        #expect(log.verdict(.sendsAgain(.never)) == .held)
    }
}

/// Packets of a flow that need 10 ms each.
private struct PacedLog {
    struct Sent {
        var offset: UInt32
        var milliseconds: UInt64
        var isLost: Bool
        var content: Int

        init(
            _ offset: UInt32, at milliseconds: UInt64, isLost: Bool = false, content: Int = 1_000
        ) {
            self.offset = offset
            self.milliseconds = milliseconds
            self.isLost = isLost
            self.content = content
        }
    }

    private let terms: SharingTerms
    private let packets: [PacketRecord]

    init(_ sent: [Sent], length: UInt64? = nil) {
        let flow = NamedFlow(
            name: "a", from: .zero, until: length == nil ? .seconds(1) : nil,
            length: length.map { ByteCount($0) }, overhead: ByteCount(55))
        terms = SharingTerms(flow: .max, what: "the paced transport", named: flow)
        packets = sent.enumerated().flatMap { number, packet in
            let kinds: [(PacketRecord.Kind, UInt64)] = [
                (.sent, packet.milliseconds),
                (packet.isLost ? .dropped : .delivered, packet.milliseconds + 10),
            ]
            let payload = UInt16(packet.content + 55)
            return kinds.map { kind, time in
                PacketRecord(
                    atNanoseconds: time * 1_000_000, kind: kind, packet: UInt32(number), link: 0,
                    flow: .max, size: payload + 28, payload: payload, sequence: packet.offset,
                    acknowledgement: UInt32(number), flags: [])
            }
        }
    }

    func verdict(_ demand: ExpectationPlan.FlowDemand) -> Verdict.Answer {
        var check = ExpectationPlan.flow("a", demand, during: nil)
            .check(words: "so much", place: "a.yaml:1:1")
        let link = LinkTerms(
            name: "uplink", rate: Bitrate(bitsPerSecond: 8_000_000), delay: .milliseconds(1),
            queueLimit: ByteCount(9_000), loss: .never)
        check.read(RunEvent(at: .start, .link(.planned(link: 0, link))))
        check.read(RunEvent(at: .start, .link(.shared(link: 0, terms))))
        packets.withUnsafeBufferPointer { check.read(packets: $0) }
        check.read(RunEvent(at: .start + .seconds(2), SmallLog.runEnds))
        return check.verdict()
    }

    static func percent(_ number: Double) -> Probability { Probability(percent: number) ?? .never }
}
