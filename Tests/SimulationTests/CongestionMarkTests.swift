import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Simulation
import Testing

/// Explicit congestion notification (RFC 3168) from end to end.
@Suite struct CongestionMarkTests {
    private static let disciplines: [DisciplinePlan] = {
        var coDel = CoDel.Options()
        coDel.marks = true
        var fair = FairQueueCoDel.Options()
        fair.control = coDel
        var red = RED.Options(lower: ByteCount(20_000), upper: ByteCount(400_000))
        red.marks = true
        return [.coDel(coDel), .fairQueueCoDel(fair), .red(red)]
    }()

    @Test(arguments: disciplines, [.cubic, .newReno] as [TCPSettings.Controller])
    func `a queue that marks loses nothing, and carries as much`(
        discipline: DisciplinePlan, controller: TCPSettings.Controller
    ) throws {
        let marked = try play(discipline, controller: controller, marksCongestion: true)
        let plain = try play(discipline, controller: controller, marksCongestion: false)
        #expect(marked.dropped == 0, "\(marked)")
        #expect(marked.marked > 5)
        #expect(plain.dropped > 5 && plain.marked == 0)
        let ratio = marked.seconds / plain.seconds
        #expect((0.97...1.03).contains(ratio), "\(marked), \(plain)")
    }

    @Test func `PIE marks below its tenth and loses nothing once slow start is over`() throws {
        var options = PIE.Options()
        options.marks = true
        let marked = try play(.pie(options), controller: .cubic, marksCongestion: true)
        let plain = try play(.pie(options), controller: .cubic, marksCongestion: false)
        #expect(marked.marked > 5)
        #expect(marked.droppedLate == 0 && plain.droppedLate > 5, "\(marked), \(plain)")
    }

    @Test func `only content that leaves for the first time can be marked`() throws {
        // Lossy, so that something is sent again, too.
        let hosts = hosts(Self.disciplines[0], losing: 1, marksCongestion: true)
        var seen: UInt32?
        var repeated = 0
        for record in hosts.packets where record.kind == .sent && record.link == 0 {
            let isNew = record.payload > 0 && record.sequence == seen ?? record.sequence
            if isNew { seen = record.sequence &+ UInt32(record.payload) }
            if record.payload > 0, !isNew { repeated += 1 }
            let isCapable = record.codepoint == .capable
            #expect(isCapable == isNew, "packet \(record.packet)")
        }
        #expect(repeated > 5)
        #expect(hosts.packets.filter { $0.link == 1 }.allSatisfy { $0.codepoint == .notCapable })
    }

    @Test func `an echo lasts until the sender says that it has slowed down, once for each`() {
        let hosts = hosts(Self.disciplines[0], losing: 0, marksCongestion: true)
        let arrivals = hosts.packets.filter { $0.kind == .delivered && $0.link == 0 }
        let told = arrivals.filter { $0.flags.contains(.cwr) && !$0.flags.contains(.syn) }
        let answers = hosts.packets.filter { $0.kind == .sent && $0.link == 1 }.dropFirst()
        let echoes = answers.split { !$0.flags.contains(.ece) }
        #expect(told.count > 5)
        // Each stretch of echoes is ended by one such packet.
        #expect(echoes.count == told.count, "\(echoes.count) echoes, \(told.count) answers")
        for (stretch, end) in zip(echoes, told) {
            let last = stretch.last?.atNanoseconds ?? .max
            #expect(last <= end.atNanoseconds, "echoes until \(last)")
        }
    }

    @Test func `a SYN that was lost is repeated without the question, and nothing is marked`() {
        let link = link(Self.disciplines[0], losing: 0)
        let hosts = TwoHosts(link.losing([0]), .plain("downlink"), marksCongestion: true)
        hosts.open(sending: [.content(.file(1, 4_000_000))])
        hosts.play()
        #expect(hosts.received.values.first == [.file(1, 4_000_000)])
        let sent = hosts.packets.filter { $0.kind == .sent }
        #expect(sent[0].flags == [.syn, .ece, .cwr])
        #expect(sent[1].flags == .syn)
        #expect(sent[2].flags == [.syn, .ack])
        #expect(sent.allSatisfy { $0.codepoint == .notCapable })
    }

    // MARK: Playing

    private struct Played {
        var seconds: Double
        var marked: Int
        var dropped: Int
        var droppedLate: Int
    }

    private func play(
        _ discipline: DisciplinePlan, controller: TCPSettings.Controller, marksCongestion: Bool
    ) throws -> Played {
        let hosts = hosts(
            discipline, losing: 0, controller: controller, marksCongestion: marksCongestion)
        let records = hosts.packets.filter { $0.link == 0 }
        let last = try #require(records.last { $0.kind == .delivered && $0.payload > 0 })
        return Played(
            seconds: Double(last.atNanoseconds) / 1e9,
            marked: records.count { $0.kind == .delivered && $0.codepoint == .experienced },
            dropped: records.count { $0.kind == .dropped },
            droppedLate: records.count {
                $0.kind == .dropped && $0.atNanoseconds > 3_000_000_000
            })
    }

    private func hosts(
        _ discipline: DisciplinePlan, losing percent: Double,
        controller: TCPSettings.Controller = .cubic, marksCongestion: Bool
    ) -> TwoHosts {
        let hosts = TwoHosts(
            link(discipline, losing: percent), .plain("downlink"), controller: controller,
            marksCongestion: marksCongestion)
        hosts.open(sending: [.content(.file(1, 8_000_000))])
        hosts.play()
        #expect(hosts.received.values.first == [.file(1, 8_000_000)])
        return hosts
    }

    private func link(_ discipline: DisciplinePlan, losing percent: Double) -> LinkPlan {
        var link = LinkPlan.plain("uplink", losing: percent)
        link.bottleneck.queue = .disciplined(discipline, limit: ByteCount(2_000_000))
        return link
    }
}
