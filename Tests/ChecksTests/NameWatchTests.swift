import Checks
import Quantities
import RunLog
import Testing

/// S16 on connections by name: an attempt has an answer before it and a SYN of its own, and leaves
/// the time that RFC 8305 asks for.
@Suite struct NameWatchTests {
    private static let connection = ConnectionName(launch: 1, number: 1)
    private static let flow: UInt16 = 0xc000

    /// A log of one interface whose packets take 10 ms, by the millisecond.
    private struct NameLog {
        private var entries: [(at: UInt64, what: What)] = []
        private var counts = [LinkCount(), LinkCount()]

        enum What {
            case fact(RunEvent.Fact)
            case packet(PacketRecord)
        }

        mutating func fact(_ at: UInt64, _ fact: RunEvent.Fact) {
            entries.append((at, .fact(fact)))
        }

        /// A packet that is sent ten milliseconds before it is delivered.
        mutating func packet(
            flow: UInt16, _ flags: PacketRecord.Flags, on link: UInt16, sent: UInt64,
            size: UInt16 = 60
        ) {
            let number = UInt32(counts[Int(link)].sent.packets)
            for (kind, at) in [(PacketRecord.Kind.sent, sent), (.delivered, sent + 10)] {
                let record = PacketRecord(
                    atNanoseconds: at * 1_000_000, kind: kind, packet: number, link: link,
                    flow: flow, size: size, payload: 0, sequence: 0, acknowledgement: 0,
                    flags: flags, codepoint: .notCapable)
                entries.append((at, .packet(record)))
            }
            counts[Int(link)].sent.add(bytes: Int(size))
            counts[Int(link)].delivered.add(bytes: Int(size))
        }

        /// An answer that arrives at this moment.
        mutating func answer(_ family: AddressFamily, _ answer: NameAnswer, at: UInt64) {
            packet(flow: NameWatchTests.flow, [], on: 1, sent: at - 10)
            fact(
                at, .network(.nameAnswered(NameQuestion(interface: 0, family: family), answer)))
        }

        /// An attempt with its SYN; `lateBy` shifts the SYN, and `size` is another one than usual.
        mutating func attempt(
            _ family: AddressFamily, flow: UInt16, at: UInt64, lateBy: UInt64 = 0,
            number: UInt32 = 1, size: UInt16? = nil
        ) {
            let connection = ConnectionName(launch: 1, number: number)
            fact(
                at, .connection(.attempt(connection, over: family, interface: 0, flow: flow)))
            packet(
                flow: flow, .syn, on: 0, sent: at + lateBy,
                size: size ?? (family == .ipv6 ? 80 : 60))
        }

        func judged() -> Verdict.Answer {
            var check = NetworkObeysPhysics()
            let terms = NameTerms(
                host: "docroot", addresses: [.ipv6, .ipv4], keep: .seconds(5),
                flow: NameWatchTests.flow)
            check.read(RunEvent(at: .start, .network(.names(terms))))
            for link in 0...1 as ClosedRange<UInt16> {
                let terms = LinkTerms(
                    name: link == 0 ? "uplink" : "downlink",
                    rate: Bitrate(bitsPerSecond: 12_000_000_000), delay: .milliseconds(9),
                    queueLimit: ByteCount(64_000), loss: .never)
                check.read(RunEvent(at: .start, .link(.planned(link: link, terms))))
            }
            for (at, what) in entries.sorted(by: { $0.at < $1.at }) {
                switch what {
                case .fact(let fact):
                    check.read(RunEvent(at: .start + .milliseconds(Int64(at)), fact))
                case .packet(let record):
                    withUnsafePointer(to: record) {
                        check.read(packets: UnsafeBufferPointer(start: $0, count: 1))
                    }
                }
            }
            let end = Instant.start + .seconds(60)
            for link in 0...1 as ClosedRange<UInt16> {
                check.read(RunEvent(at: end, .link(.counted(link: link, counts[Int(link)]))))
            }
            check.read(RunEvent(at: end, .run(.ended(.quiet))))
            return check.verdict()
        }
    }

    private static func log(_ change: (inout NameLog) -> Void) -> Verdict.Answer {
        var log = NameLog()
        log.fact(0, .connection(.opening(connection, to: "docroot:80")))
        change(&log)
        return log.judged()
    }

    private static func expectation(_ answer: Verdict.Answer) -> String? {
        if case .broken(let breach) = answer { breach.expected } else { nil }
    }

    @Test func `an attempt after its answer holds`() {
        #expect(
            Self.log { log in
                log.answer(.ipv6, .address, at: 60)
                log.attempt(.ipv6, flow: 0, at: 60)
            } == .held)
    }

    @Test(arguments: [
        [(AddressFamily.ipv6, NameAnswer.noAddress)], [(.ipv4, .address)], [(.ipv6, .notFound)],
    ])
    func `an attempt without an answer that names the address fails`(
        answers: [(AddressFamily, NameAnswer)]
    ) {
        let answer = Self.log { log in
            for (family, answer) in answers { log.answer(family, answer, at: 60) }
            log.attempt(.ipv6, flow: 0, at: 120)
        }
        #expect(
            Self.expectation(answer) == "an IPv6 address that an answer of the last 5 s has named")
    }

    @Test(arguments: [(4_999, true), (5_061, false)] as [(UInt64, Bool)])
    func `an answer grows old`(opened: UInt64, holds: Bool) {
        let second = ConnectionName(launch: 1, number: 2)
        let answer = Self.log { log in
            log.answer(.ipv6, .address, at: 60)
            log.attempt(.ipv6, flow: 0, at: 60)
            log.fact(opened, .connection(.opening(second, to: "docroot:80")))
            log.attempt(.ipv6, flow: 1, at: opened, number: 2)
        }
        #expect((answer == .held) == holds)
    }

    @Test func `an answer goes with its network`() {
        let second = ConnectionName(launch: 1, number: 2)
        let answer = Self.log { log in
            log.answer(.ipv6, .address, at: 60)
            log.attempt(.ipv6, flow: 0, at: 60)
            log.fact(500, .link(.down(link: 0)))
            log.fact(600, .link(.up(link: 0)))
            log.fact(700, .connection(.opening(second, to: "docroot:80")))
            log.attempt(.ipv6, flow: 1, at: 700, number: 2)
        }
        #expect(Self.expectation(answer) != nil)
    }

    @Test func `an answer without a packet fails`() {
        let answer = Self.log { log in
            log.fact(
                60, .network(.nameAnswered(NameQuestion(interface: 0, family: .ipv6), .address)))
        }
        #expect(
            Self.expectation(answer)
                == "a packet with the answer arrives when a phone learns it")
    }

    @Test func `an attempt without a SYN fails`() {
        let answer = Self.log { log in
            log.answer(.ipv6, .address, at: 60)
            log.attempt(.ipv6, flow: 0, at: 60, lateBy: 1)
        }
        #expect(
            Self.expectation(answer)
                == "a SYN of flow 0 leaves when connection 1.1 tries IPv6")
    }

    @Test(arguments: [(AddressFamily.ipv6, 80), (.ipv4, 60)] as [(AddressFamily, UInt16)])
    func `a SYN is as long as the headers of its family`(family: AddressFamily, size: UInt16) {
        func expectation(of size: UInt16) -> String? {
            Self.expectation(
                Self.log { log in
                    log.answer(.ipv6, family == .ipv6 ? .address : .noAddress, at: 60)
                    log.answer(.ipv4, .address, at: 62)
                    log.attempt(family, flow: 0, at: 62, size: size)
                })
        }
        #expect(expectation(of: size) == nil)
        #expect(
            expectation(of: 140 - size) == "a SYN of flow 0 has \(size) B, as over \(family.name)")
    }

    @Test(arguments: [(250, true), (249, false)] as [(UInt64, Bool)])
    func `a second attempt leaves the first its time`(later: UInt64, holds: Bool) {
        let answer = Self.log { log in
            log.answer(.ipv6, .address, at: 60)
            log.answer(.ipv4, .address, at: 61)
            log.attempt(.ipv6, flow: 0, at: 61)
            log.attempt(.ipv4, flow: 1, at: 61 + later)
        }
        #expect((answer == .held) == holds)
    }

    @Test(arguments: [(true, true), (false, false)])
    func `it follows at once on a reset, but only on a real one`(isReset: Bool, holds: Bool) {
        let answer = Self.log { log in
            log.answer(.ipv6, .address, at: 60)
            log.answer(.ipv4, .address, at: 61)
            log.attempt(.ipv6, flow: 0, at: 61)
            if isReset { log.packet(flow: 0, [.rst, .ack], on: 1, sent: 71) }
            log.fact(
                81, .connection(.attemptEnded(Self.connection, over: .ipv6, why: .refused)))
            log.attempt(.ipv4, flow: 1, at: 81)
        }
        #expect((answer == .held) == holds)
    }

    @Test(arguments: [(50, true), (49, false)] as [(UInt64, Bool)])
    func `IPv4 waits for an answer about IPv6`(later: UInt64, holds: Bool) {
        let answer = Self.log { log in
            log.answer(.ipv4, .address, at: 60)
            log.attempt(.ipv4, flow: 0, at: 60 + later)
        }
        #expect((answer == .held) == holds)
    }

    @Test func `IPv6 comes first if both are known`() {
        let answer = Self.log { log in
            log.answer(.ipv4, .address, at: 60)
            log.answer(.ipv6, .address, at: 62)
            log.attempt(.ipv4, flow: 0, at: 120)
        }
        #expect(Self.expectation(answer) == "connection 1.1 tries IPv6 first (RFC 8305 §4)")
    }
}
