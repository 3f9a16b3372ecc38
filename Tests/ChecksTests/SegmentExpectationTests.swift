import Checks
import Quantities
import RunLog
import Testing

/// Expectations of TCP: link 0 carries the segments of a flow, link 1 their acknowledgements.
@Suite struct SegmentExpectationTests {
    /// Four segments of 100 bytes; the second is lost, and sent again after 1 s and 2 s more.
    private static let course = [
        segment(0, at: .zero, flags: .syn, payload: 0),
        segment(1, at: .milliseconds(10)), acknowledgement(101, at: .milliseconds(20)),
        segment(101, at: .milliseconds(20)), segment(201, at: .milliseconds(21)),
        segment(101, at: .milliseconds(1_020)), segment(101, at: .milliseconds(3_020)),
        acknowledgement(301, at: .milliseconds(3_030)),
    ]

    @Test func `segments that hold nothing new are retransmitted`() {
        #expect(verdict(.packetsRetransmitted(.atMost(2))) == .held)
        #expect(
            verdict(.packetsRetransmitted(.atMost(1)))
                == broken(
                    at: .milliseconds(3_020), expected: "TCP retransmits at most 1 packets",
                    seen: "it retransmits 2"))
        #expect(verdict(.packetsRetransmitted(.atLeast(2))) == .held)
        #expect(verdict(.packetsRetransmitted(.atLeast(3))) != .held)
    }

    @Test func `a connection that has an old flow's number repeats nothing`() {
        let next = [
            Self.segment(50, at: .seconds(4), flags: .syn, payload: 0),
            Self.segment(51, at: .seconds(4)),
        ]
        #expect(verdict(.packetsRetransmitted(.atMost(2)), Self.course + next) == .held)
    }

    @Test func `what is not acknowledged is outstanding`() {
        #expect(verdict(.outstanding(.atMost(ByteCount(200)))) == .held)
        #expect(
            verdict(.outstanding(.atMost(ByteCount(199))))
                == broken(
                    at: .milliseconds(21), expected: "at most 199 B are outstanding at once",
                    seen: "the most is 200 B"))
        #expect(verdict(.outstanding(.atLeast(ByteCount(200)))) == .held)
        #expect(verdict(.outstanding(.atLeast(ByteCount(201)))) != .held)
    }

    @Test func `an acknowledgement counts when it has arrived`() {
        let late = [
            Self.segment(0, at: .zero, flags: .syn, payload: 0),
            Self.acknowledgement(1, at: .milliseconds(5)), Self.segment(1, at: .milliseconds(10)),
            Self.acknowledgement(101, at: .milliseconds(11), as: .sent),
            Self.segment(101, at: .milliseconds(12)),
        ]
        #expect(verdict(.outstanding(.atLeast(ByteCount(200))), late) == .held)
    }

    @Test func `pauses of the first segment that is repeated are counted from one to the next`() {
        #expect(verdict(.repeats(after: [.seconds(1), .seconds(2)])) == .held)
        #expect(verdict(.repeats(after: [.seconds(1)])) == .held)
        #expect(
            verdict(.repeats(after: [.seconds(1), .seconds(3)]))
                == broken(
                    by: 1, at: .seconds(9),
                    expected: "the first segment that TCP repeats comes after 1 s, 3 s",
                    seen: "it comes after 1 s, 2 s"))
        #expect(verdict(.repeats(after: [.seconds(1), .seconds(2), .seconds(4)])) != .held)
    }

    @Test func `a connection request is repeated, too`() {
        let knocks = [
            Self.segment(0, at: .zero, flags: .syn, payload: 0),
            Self.segment(0, at: .seconds(1), flags: .syn, payload: 0),
            Self.segment(0, at: .seconds(3), flags: .syn, payload: 0),
        ]
        #expect(verdict(.repeats(after: [.seconds(1), .seconds(2)]), knocks) == .held)
        #expect(verdict(.packetsRetransmitted(.atMost(1)), knocks) != .held)
    }

    @Test func `where nobody saw packets, nobody knows`() {
        let nothing = Verdict.Answer.notApplicable(because: "no packet was seen")
        #expect(verdict(.packetsRetransmitted(.atMost(0)), []) == nothing)
        #expect(verdict(.outstanding(.atMost(.zero)), []) == nothing)
        #expect(verdict(.packetsRetransmitted(.atLeast(1)), []) == nothing)
        #expect(verdict(.outstanding(.atLeast(ByteCount(1))), []) == nothing)
        #expect(verdict(.repeats(after: [.seconds(1)]), []) == nothing)
    }

    @Test func `other traffic does not count`() {
        let foreign = Self.course.map { record in
            var other = record
            other.flow = 40_000
            return other
        }
        #expect(verdict(.packetsRetransmitted(.atMost(0)), foreign) == .held)
        #expect(verdict(.outstanding(.atMost(.zero)), foreign) == .held)
    }

    private func verdict(
        _ plan: ExpectationPlan, _ packets: [PacketRecord] = course
    ) -> Verdict.Answer {
        var check = plan.check(words: "so much", place: "a.yaml:1:1")
        let shared = SharingTerms(flow: 40_000, what: "somebody else")
        check.read(RunEvent(at: .start, .link(.shared(link: 0, shared))))
        packets.withUnsafeBufferPointer { check.read(packets: $0) }
        check.read(RunEvent(at: .start + .seconds(9), SmallLog.runEnds))
        return check.verdict()
    }

    private func broken(
        by event: Int = 0, at: TimeSpan, expected: String, seen: String
    ) -> Verdict.Answer {
        .broken(Breach(event: event, at: .start + at, expected: expected, seen: seen))
    }

    private static func segment(
        _ sequence: UInt32, at time: TimeSpan, flags: PacketRecord.Flags = .ack,
        payload: UInt16 = 100
    ) -> PacketRecord {
        PacketRecord(
            atNanoseconds: UInt64(time.nanoseconds), kind: .sent, packet: 0, link: 0, flow: 1,
            size: 40 + payload, payload: payload, sequence: sequence, acknowledgement: 0,
            flags: flags)
    }

    private static func acknowledgement(
        _ number: UInt32, at time: TimeSpan, as kind: PacketRecord.Kind = .delivered
    ) -> PacketRecord {
        var records = PacketRecord(
            atNanoseconds: UInt64(time.nanoseconds), kind: kind, packet: 0, link: 1, flow: 1,
            size: 40, payload: 0, sequence: 0, acknowledgement: number, flags: .ack)
        records.flow = 1
        return records
    }
}
