import Checks
import Quantities
import RunLog
import Testing

/// S16: congestion marks (RFC 3168 §5).
@Suite struct CongestionMarkBooksTests {
    typealias Codepoint = PacketRecord.Codepoint

    @Test func `a queue that may mark what is capable holds`() {
        #expect(log(marks: true, sent: .capable, delivered: .experienced).judged() == .held)
        #expect(log(marks: true, sent: .scalable, delivered: .experienced).judged() == .held)
        #expect(log(marks: false, sent: .capable, delivered: .capable).judged() == .held)
        // A link before this one has marked the packet.
        #expect(log(marks: false, sent: .experienced, delivered: .experienced).judged() == .held)
    }

    @Test(
        arguments: [
            (false, .capable, .experienced), (false, .scalable, .experienced),
            (true, .capable, .scalable), (true, .notCapable, .experienced),
            (true, .experienced, .capable), (true, .capable, .notCapable),
            (true, .notCapable, .capable),
        ] as [(Bool, Codepoint, Codepoint)])
    func `a mark from nowhere falls, and one that gets lost`(
        marks: Bool, sent: Codepoint, delivered: Codepoint
    ) {
        let log = log(marks: marks, sent: sent, delivered: delivered)
        #expect(
            log.judged()
                == log.broken(
                    atMicroseconds: 11_500,
                    expected:
                        "packet 0 of the uplink arrives \(sent), as it was sent, or marked by a "
                        + "queue that marks",
                    seen: "it arrives \(delivered)"))
    }

    /// Two packets of a kind in the wrong order, and two of different kinds.
    @Test(
        arguments: [
            ([.scalable, .scalable], false), ([.capable, .notCapable], false),
            ([.scalable, .experienced], false), ([.capable, .scalable], true),
            ([.scalable, .notCapable], true),
        ] as [([Codepoint], Bool)])
    func `where two kinds have lines of their own, each keeps its order`(
        sent: [Codepoint], mayOvertake: Bool
    ) {
        var terms = LinkLog.terms
        terms.marks = true
        terms.keepsOrder = false
        terms.keepsOrderOfEachMarking = true
        var log = LinkLog(terms: terms)
        log.add(.sent, 0, atMicroseconds: 0, codepoint: sent[0])
        log.add(.sent, 1, atMicroseconds: 0, codepoint: sent[1])
        log.add(.delivered, 1, atMicroseconds: 11_500, codepoint: sent[1])
        log.add(.delivered, 0, atMicroseconds: 13_000, codepoint: sent[0])
        let kind = sent[0] == .scalable ? "ECT(1)" : "no ECT(1)"
        let expected =
            mayOvertake
            ? Verdict.Answer.held
            : log.broken(
                atMicroseconds: 13_000, expected: "packets with \(kind) come in order",
                seen: "packet 0 of the uplink comes after packet 1")
        #expect(log.judged() == expected)
    }

    /// A packet of 1500 bytes needs 1.5 ms, and then 10 ms for the way; this one waits for 2 ms.
    @Test(
        arguments: [
            (.capable, .capable, 1, nil, false), (.scalable, .scalable, 1, nil, false),
            (.scalable, .scalable, 1, true, false), (.capable, .capable, 1, true, true),
            (.notCapable, .notCapable, 1, nil, true), (.capable, .experienced, 1, nil, true),
            (.scalable, .experienced, 1, true, true), (.scalable, .scalable, 2, true, true),
        ] as [(Codepoint, Codepoint, Int64, Bool?, Bool)])
    func `what has waited for longer than a threshold is marked, if it can be`(
        sent: Codepoint, delivered: Codepoint, threshold: Int64, onlyScalable: Bool?, holds: Bool
    ) {
        var terms = LinkLog.terms
        terms.marks = true
        terms.markThreshold = .init(delay: .milliseconds(threshold), onlyScalable: onlyScalable)
        var log = LinkLog(terms: terms)
        log.add(.sent, 0, atMicroseconds: 0, codepoint: sent)
        log.add(.delivered, 0, atMicroseconds: 13_500, codepoint: delivered)
        let broken = log.broken(
            atMicroseconds: 13_500,
            expected: "packet 0 of the uplink is marked, as it has waited for longer than 1 ms",
            seen: "it arrives \(delivered) after 2000000 ns in the queue")
        #expect(log.judged() == (holds ? .held : broken))
    }

    @Test func `books that forget a mark fall`() {
        var log = log(marks: true, sent: .capable, delivered: .experienced)
        log.books.marked = nil
        #expect(
            log.judged()
                == log.brokenByBooks(
                    expected:
                        "the uplink reports 1 packets, 1500 bytes marked, as its records say",
                    seen: "it reports 0 packets, 0 bytes"))
    }

    private func log(marks: Bool, sent: Codepoint, delivered: Codepoint) -> LinkLog {
        var terms = LinkLog.terms
        if marks { terms.marks = true }
        var log = LinkLog(terms: terms)
        log.add(.sent, 0, atMicroseconds: 0, codepoint: sent)
        log.add(.delivered, 0, atMicroseconds: 11_500, codepoint: delivered)
        return log
    }
}
