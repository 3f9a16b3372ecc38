import Checks
import RunLog
import Testing

/// S16: congestion marks (RFC 3168 §5).
@Suite struct CongestionMarkBooksTests {
    typealias Codepoint = PacketRecord.Codepoint

    @Test func `a queue that may mark what is capable holds`() {
        #expect(log(marks: true, sent: .capable, delivered: .experienced).judged() == .held)
        #expect(log(marks: false, sent: .capable, delivered: .capable).judged() == .held)
        // A link before this one has marked the packet.
        #expect(log(marks: false, sent: .experienced, delivered: .experienced).judged() == .held)
    }

    @Test(
        arguments: [
            (false, .capable, .experienced), (true, .notCapable, .experienced),
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
