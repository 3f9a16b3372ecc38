import Checks
import Quantities
import RunLog
import Testing

/// Expectations of named flows on doctored logs: link 0 carries their segments at 1 byte a
/// microsecond after 10 ms, link 1 the acknowledgements.
@Suite struct FlowExpectationTests {
    @Test func `a flow reaches a rate by what comes through for the first time`() {
        // 200 kB within 2 s are 800 kbit/s; 100 kB of it come in the second second.
        let log = Course(a: 200, over: 2)
        #expect(verdict(flow("a", .reaches(rate(800_000))), log) == .held)
        #expect(
            verdict(flow("a", .reaches(rate(800_001))), log)
                == broken(
                    expected: "flow a reaches 800.001 kbit/s",
                    seen: "200 kB came through until 2 s on the uplink, which is "
                        + "800 kbit/s"))
    }

    @Test func `a part of the run counts what comes through within it`() {
        // The last two of 200 segments are acknowledged after the first second.
        let log = Course(a: 200, over: 2, pausing: 1)
        let last = TimeSpan.milliseconds(1_100)...TimeSpan.seconds(2)
        #expect(
            verdict(.flow("a", .reaches(rate(1)), during: last), log)
                == .notApplicable(because: "flow a sent nothing between 1.1 s and 2 s"))
        let first = TimeSpan.zero...TimeSpan.seconds(1)
        #expect(verdict(.flow("a", .reaches(rate(1_584_000)), during: first), log) == .held)
        #expect(
            verdict(.flow("a", .reaches(rate(1_584_001)), during: first), log)
                == broken(
                    expected: "flow a reaches 1.584 Mbit/s until 1 s",
                    seen: "198 kB came through until 1 s on the uplink, which is 1.584 Mbit/s"))
    }

    @Test func `what comes after the time of a flow does not count`() {
        // Each of the 200 segments is acknowledged after 11 ms.
        let log = Course(a: 200, over: 2, until: .seconds(1))
        #expect(verdict(flow("a", .reaches(rate(792_000))), log) == .held)
        #expect(verdict(flow("a", .reaches(rate(792_001))), log) != .held)
    }

    @Test func `a flow gets its part of what the link delivers meanwhile`() {
        let log = Course(a: 150, b: 50, over: 2)
        #expect(verdict(flow("a", .gets(range(74, 76))), log) == .held)
        guard case .broken(let breach) = verdict(flow("a", .gets(range(76, 90))), log) else {
            Issue.record("it held")
            return
        }
        #expect(breach.seen.hasPrefix("it got 75.0 % of the uplink: "), "\(breach.seen)")
        #expect(verdict(flow("a", .gets(range(10, 74))), log) != .held)
    }

    @Test func `a flow is compared with another one`() {
        let log = Course(a: 150, b: 50, over: 2)
        #expect(verdict(flow("b", .getsBeside(range(33, 34), flow: "a")), log) == .held)
        #expect(
            verdict(flow("b", .getsBeside(range(50, 60), flow: "a")), log)
                == broken(
                    by: 4, expected: "flow b gets 50 % to 60 % of what flow a gets",
                    seen: "it got 200 kbit/s, and flow a 600 kbit/s: 33.3 %"))
    }

    @Test func `fairness is the index of Jain`() {
        let log = Course(a: 150, b: 50, over: 2)
        // (3 + 1)² / 2 (9 + 1) = 0.8.
        #expect(verdict(shared(800), log) == .held)
        #expect(
            verdict(shared(801), log)
                == broken(
                    by: 4, expected: "flows share the uplink with a fairness of 0.801",
                    seen: "it is 0.800: a 600 kbit/s, b 200 kbit/s"))
        #expect(
            verdict(shared(500), Course(a: 150, over: 2))
                == .notApplicable(because: "one flow shares the uplink"))
        #expect(verdict(shared(1_000), Course(a: 100, b: 100, over: 2)) == .held)
        // Flows with a length have no rate to compare.
        #expect(
            verdict(shared(500), Course(a: 150, b: 50, over: 2, length: 150))
                == .notApplicable(because: "no flow shares the uplink"))
    }

    @Test func `what is sent again is a part of what is sent`() {
        var log = Course(a: 150, over: 2)
        log.repeatFirst(50)
        #expect(verdict(flow("a", .sendsAgain(percent(25))), log) == .held)
        #expect(
            verdict(flow("a", .sendsAgain(percent(24))), log)
                == broken(
                    expected: "flow a sends at most 24 % of its bytes again",
                    seen: "it sent 50 kB of 200 kB again, which is 25.0 %, on the uplink"))
    }

    @Test func `a flow with a length ends in time, or is not over`() {
        let log = Course(a: 100, over: 2, length: 100)
        #expect(verdict(flow("a", .ends(within: .seconds(2))), log) == .held)
        guard
            case .broken(let breach) = verdict(
                flow("a", .ends(within: .milliseconds(500))), log)
        else {
            Issue.record("it held")
            return
        }
        #expect(breach.seen.hasPrefix("the slowest of 1, which began at 0 ns, took 1.9"))
        #expect(
            verdict(flow("a", .ends(within: .seconds(9))), Course(a: 100, over: 2, length: 101))
                == broken(
                    expected: "flow a ends within 9 s",
                    seen: "the flow that began at 0 ns is not over: 100 kB of 101 kB came through"))
    }

    @Test func `queueing delay is what packets take beyond wire and delay`() {
        // One packet in ten waits for 30 ms.
        let log = Course(a: 100, over: 2, waiting: 30)
        #expect(verdict(queueing(.longest, 31), log) == .held)
        #expect(
            verdict(queueing(.longest, 30), log)
                == broken(
                    expected: "the queueing delay on the uplink stays below 30 ms",
                    seen: "it is 30 ms over 100 packets, the longest 30 ms"))
        #expect(verdict(queueing(.median, 1), log) == .held)
        #expect(verdict(queueing(.percentile95, 30), log) != .held)
        #expect(verdict(queueing(.percentile99, 31), log) == .held)
        // A chance of a trace takes no time, so the millisecond on the wire is a wait, too.
        var following = log
        following.followTrace()
        #expect(
            verdict(queueing(.longest, 31), following)
                == broken(
                    expected: "the queueing delay on the uplink stays below 31 ms",
                    seen: "it is 31 ms over 100 packets, the longest 31 ms"))
        let late = TimeSpan.seconds(8)...TimeSpan.seconds(9)
        let silent = verdict(
            .queueing(link: "uplink", .longest, below: .seconds(1), during: late), log)
        #expect(
            silent
                == .notApplicable(because: "no packet crossed the uplink between 8 s and 9 s"))
    }

    @Test func `a flow that sent nothing cannot be judged`() {
        let silence = Course(a: 0, over: 2)
        let reason = Verdict.Answer.notApplicable(because: "flow a sent nothing")
        #expect(verdict(flow("a", .reaches(rate(1))), silence) == reason)
        #expect(verdict(flow("a", .gets(range(0, 100))), silence) == reason)
        #expect(verdict(flow("a", .sendsAgain(percent(100))), silence) == reason)
        #expect(
            verdict(flow("z", .reaches(rate(1))), silence)
                == .notApplicable(because: "there is no flow z"))
        #expect(
            verdict(flow("a", .getsBeside(range(0, 100), flow: "b")), Course(a: 10, over: 2))
                == .notApplicable(because: "there is no flow b"))
    }

    @Test func `drops of one link are not those of another`() {
        var count = LinkCount()
        count.sent.packets = 100
        count.dropped.packets = 3
        let log = Course(a: 10, over: 2, books: [.link(.counted(link: 0, count))])
        #expect(verdict(.traffic(.dropCount(.atMost(3), on: "uplink")), log) == .held)
        #expect(
            verdict(.traffic(.dropCount(.atMost(2), on: "uplink")), log)
                == broken(
                    by: 4, expected: "at most 2 packets are dropped on the uplink",
                    seen: "3 of 100 are dropped"))
        #expect(verdict(.traffic(.dropCount(.atLeast(4), on: "uplink")), log) != .held)
        #expect(verdict(.traffic(.drops(.atMost(percent(3)), on: "uplink")), log) == .held)
        #expect(verdict(.traffic(.drops(.atMost(percent(2)), on: "uplink")), log) != .held)
        #expect(verdict(.traffic(.dropCount(.atLeast(1), on: "downlink")), log) != .held)
    }

    // MARK: Sentences

    private func flow(
        _ name: String, _ demand: ExpectationPlan.FlowDemand
    ) -> ExpectationPlan { .flow(name, demand, during: nil) }

    private func shared(_ thousandths: UInt64) -> ExpectationPlan {
        .flowsShare(link: "uplink", fairness: thousandths, during: nil)
    }

    private func queueing(
        _ figure: ExpectationPlan.QueueingFigure, _ milliseconds: Int64
    ) -> ExpectationPlan {
        .queueing(link: "uplink", figure, below: .milliseconds(milliseconds), during: nil)
    }

    private func rate(_ bits: UInt64) -> Bitrate { Bitrate(bitsPerSecond: bits) }

    private func percent(_ number: Double) -> Probability { Probability(percent: number) ?? .never }

    private func range(_ least: Double, _ most: Double) -> ClosedRange<Probability> {
        percent(least)...percent(most)
    }

    private func broken(by event: Int = 3, expected: String, seen: String) -> Verdict.Answer {
        .broken(
            Breach(event: event, at: .start + .seconds(2), expected: expected, seen: seen))
    }

    private func verdict(_ plan: ExpectationPlan, _ course: Course) -> Verdict.Answer {
        var check = plan.check(words: "so much", place: "a.yaml:1:1")
        for fact in course.facts { check.read(RunEvent(at: .start, fact)) }
        course.packets.withUnsafeBufferPointer { check.read(packets: $0) }
        for fact in course.books { check.read(RunEvent(at: course.end, fact)) }
        check.read(RunEvent(at: course.end, SmallLog.runEnds))
        return check.verdict()
    }
}

/// A log of two flows whose segments of 1 kB are evenly spaced.
private struct Course {
    var facts: [RunEvent.Fact] = []
    var packets: [PacketRecord] = []
    var books: [RunEvent.Fact]
    let end: Instant
    private var numbers: [UInt32] = [0, 0]

    init(
        a: Int, b: Int = 0, over seconds: Int64, pausing: Int64 = 0, length: UInt64? = nil,
        until: TimeSpan? = nil, waiting: Int64 = 0, books: [RunEvent.Fact] = []
    ) {
        self.books = books
        end = .start + .seconds(seconds)
        for (link, name) in ["uplink", "downlink"].enumerated() {
            facts.append(
                .link(
                    .planned(
                        link: UInt16(link),
                        LinkTerms(
                            name: name, rate: Bitrate(bitsPerSecond: 8_000_000),
                            delay: .milliseconds(10), queueLimit: ByteCount(9_000), loss: .never))))
        }
        let span = TimeSpan.seconds(seconds - pausing).nanoseconds
        for (order, count) in [a, b].enumerated() where order == 0 || count > 0 {
            let flow = UInt16.max - UInt16(order)
            let named = NamedFlow(
                name: order == 0 ? "a" : "b", from: .zero, until: until,
                length: length.map { ByteCount(1_000 * $0) })
            facts.append(
                .link(.shared(link: 0, SharingTerms(flow: flow, what: "TCP", named: named))))
            guard count > 0 else { continue }
            for number in 0..<count {
                let at = span * Int64(number) / Int64(count)
                let wait = number % 10 == 9 ? TimeSpan.milliseconds(waiting) : .zero
                send(UInt32(number), of: flow, at: UInt64(at), after: wait)
            }
        }
        packets.sort { $0.atNanoseconds < $1.atNanoseconds }
        number()
    }

    /// Lets the uplink follow a trace in a file.
    mutating func followTrace() {
        for place in facts.indices {
            guard case .link(.planned(0, var terms)) = facts[place] else { continue }
            terms.trace = 0
            facts[place] = .link(.planned(link: 0, terms))
        }
    }

    /// Sends the first segments of the flow again, after all others.
    mutating func repeatFirst(_ count: Int) {
        let last = packets[packets.count - 1].atNanoseconds
        for number in 0..<count {
            send(UInt32(number), of: .max, at: last + UInt64(number) * 100_000, after: .zero)
        }
        packets.sort { $0.atNanoseconds < $1.atNanoseconds }
        number()
    }

    /// Sends a segment, which is acknowledged as soon as it has arrived.
    private mutating func send(
        _ number: UInt32, of flow: UInt16, at begin: UInt64, after wait: TimeSpan
    ) {
        let sequence = 1_000 * number + 1
        let arrival = begin + 11_000_000 + UInt64(wait.nanoseconds)
        for (kind, time) in [(PacketRecord.Kind.sent, begin), (.delivered, arrival)] {
            packets.append(
                record(kind, at: time, link: 0, flow, payload: 1_000, sequence: sequence))
        }
        for kind in [PacketRecord.Kind.sent, .delivered] {
            packets.append(
                record(kind, at: arrival, link: 1, flow, payload: 0, answers: sequence + 1_000))
        }
    }

    private func record(
        _ kind: PacketRecord.Kind, at time: UInt64, link: UInt16, _ flow: UInt16,
        payload: UInt16, sequence: UInt32 = 1, answers: UInt32 = 1
    ) -> PacketRecord {
        PacketRecord(
            atNanoseconds: time, kind: kind, packet: 0, link: link, flow: flow,
            size: max(payload, 40), payload: payload, sequence: sequence,
            acknowledgement: answers, flags: .ack)
    }

    /// Numbers the packets of each link in the order of sending.
    private mutating func number() {
        numbers = [0, 0]
        var known: [String: UInt32] = [:]
        for place in packets.indices {
            let record = packets[place]
            let name =
                "\(record.link) \(record.flow) \(record.sequence) \(record.acknowledgement)"
            if record.kind == .sent {
                known[name] = numbers[Int(record.link)]
                numbers[Int(record.link)] += 1
            }
            packets[place].packet = known[name] ?? 0
        }
    }
}
