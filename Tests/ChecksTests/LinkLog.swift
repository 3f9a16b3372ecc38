import Checks
import Quantities
import RunLog

/// The log of one link, number 1, with a plan, packet records, and the books that belong to them.
struct LinkLog {
    var books = LinkCount()
    private let plansLink: Bool
    private let terms: LinkTerms
    private let traces: [IncludedTrace]
    private var records: [PacketRecord] = []

    /// Terms of a link: 1 µs for a byte, and a delay of 10 ms.
    static let terms = LinkTerms(
        name: "uplink", rate: Bitrate(bitsPerSecond: 8_000_000), delay: .milliseconds(10),
        queueLimit: ByteCount(64_000), loss: .never)

    /// The moment at which the books are closed, long after the last packet.
    private static let closing = Instant.start + .seconds(60)

    init(
        plansLink: Bool = true, terms: LinkTerms = Self.terms, traces: [IncludedTrace] = []
    ) {
        self.plansLink = plansLink
        self.terms = terms
        self.traces = traces
    }

    mutating func add(
        _ kind: PacketRecord.Kind, _ packet: UInt32, atMicroseconds: UInt64, size: UInt16 = 1_500,
        link: UInt16 = 1, codepoint: PacketRecord.Codepoint = .notCapable
    ) {
        records.append(
            PacketRecord(
                atNanoseconds: atMicroseconds * 1_000, kind: kind, packet: packet, link: link,
                flow: 0, size: size, payload: size - 40, sequence: 0, acknowledgement: 0,
                flags: .ack, codepoint: codepoint))
        switch kind {
        case .sent: books.sent.add(bytes: Int(size))
        case .delivered: books.delivered.add(bytes: Int(size))
        case .dropped: books.dropped.add(bytes: Int(size))
        case .duplicated: books.duplicated.add(bytes: Int(size))
        case .captured: return
        }
        if kind == .delivered, codepoint == .experienced {
            books.marked = books.marked ?? LinkCount.Tally()
            books.marked?.add(bytes: Int(size))
        }
        for unit in [\LinkCount.Tally.packets, \.bytes] {
            let coming = books.sent[keyPath: unit] + books.duplicated[keyPath: unit]
            let gone = books.delivered[keyPath: unit] + books.dropped[keyPath: unit]
            books.inFlight[keyPath: unit] = coming >= gone ? coming - gone : 0
        }
    }

    /// Returns the verdict on this log: the plan is event 0, the books are event 1, and the packets
    /// are between them.
    func judged(closingBooks: Bool = true) -> Verdict.Answer {
        var check = NetworkObeysPhysics()
        if !traces.isEmpty { check.read(RunEvent(at: .start, .run(.began(beginning)))) }
        if plansLink {
            check.read(RunEvent(at: .start, .link(.planned(link: 1, terms))))
        }
        records.withUnsafeBufferPointer { check.read(packets: $0) }
        if closingBooks {
            check.read(
                RunEvent(at: Self.closing, .link(.counted(link: 1, books))))
        }
        return check.verdict()
    }

    private var beginning: RunBeginning {
        RunBeginning(
            scenario: "links", world: .simulated, seed: 1, text: "", path: "x.yaml",
            traces: traces, sentences: [], sessions: 0, command: "")
    }

    /// Returns a breach by the packet at this moment, after the event of the plan.
    func broken(atMicroseconds: UInt64, expected: String, seen: String) -> Verdict.Answer {
        let at = Instant(nanoseconds: atMicroseconds * 1_000)
        return .broken(Breach(event: 0, at: at, expected: expected, seen: seen))
    }

    /// Returns a breach by the books.
    func brokenByBooks(expected: String, seen: String) -> Verdict.Answer {
        .broken(Breach(event: 1, at: Self.closing, expected: expected, seen: seen))
    }
}
