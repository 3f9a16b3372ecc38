import Capture
import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

/// Accurate ECN (RFC 9768).
@Suite struct AccurateNotificationTests {
    /// What two hosts agree on, by what each wants.
    static let agreements: [(TCPSettings.ECN, TCPSettings.ECN, TCPSettings.ECN)] = [
        (.off, .off, .off), (.off, .on, .off), (.off, .accurate, .off),
        (.on, .off, .off), (.on, .on, .on), (.on, .accurate, .on),
        (.accurate, .off, .off), (.accurate, .on, .on), (.accurate, .accurate, .accurate),
    ]

    @Test(arguments: agreements)
    func `hosts agree on what both know`(
        client: TCPSettings.ECN, server: TCPSettings.ECN, expected: TCPSettings.ECN
    ) {
        var (asking, answering) = (
            CongestionNotification(wants: client), CongestionNotification(wants: server)
        )
        let question = asking.handshakeFlags(isAnswer: false, isRepetition: false)
        deliver(question, .syn) { answering.synArrived($0) }
        let answer = answering.handshakeFlags(isAnswer: true, isRepetition: false)
        deliver(answer, [.syn, .ack]) { asking.synArrived($0) }
        #expect(asking.agreed == expected && answering.agreed == expected)
    }

    @Test func `the handshake says so, the first packet confirms it, and counts begin with 5`() {
        let hosts = Self.hosts(.cubic)
        let (up, down) = (Self.sent(0, hosts), Self.sent(1, hosts))
        #expect(up[0].ace == 0b111 && up[0].flags.contains(.syn))
        #expect(down[0].ace == 0b010 && down[0].flags.contains(.syn))
        #expect(up[1].ace == 0b010 && up[1].flags == [.ack, .cwr])
        #expect(down[1].ace == 5)
        #expect(up[2...].allSatisfy { $0.ace == 5 })
        #expect(up.allSatisfy { ($0.codepoint == .capable) == ($0.payload > 0) })
        #expect(down.allSatisfy { $0.codepoint == .notCapable })
    }

    @Test(arguments: [TCPSettings.Controller.cubic, .dctcp, .prague])
    func `each packet of the receiver tells how many marks have come, modulo 8`(
        controller: TCPSettings.Controller
    ) {
        let hosts = Self.hosts(controller)
        var marks = 0
        var acknowledgements = 0
        for record in hosts.packets {
            if record.kind == .delivered, record.link == 0, record.codepoint == .experienced {
                marks += 1
            }
            guard record.kind == .sent, record.link == 1, !record.flags.contains(.syn) else {
                continue
            }
            acknowledgements += 1
            #expect(Int(record.ace) == (5 + marks) % 8, "after \(marks) marks")
        }
        #expect(marks > 10 && acknowledgements > 1_000, "\(marks) of \(acknowledgements)")
        #expect(hosts.packets.allSatisfy { $0.kind != .dropped })
    }

    @Test func `a controller that takes a mark for a loss slows down once in a round trip`() {
        let classic = Self.hosts(.cubic, ecn: .on)
        let accurate = Self.hosts(.cubic)
        let ratio =
            Double(accurate.network.now.nanoseconds) / Double(classic.network.now.nanoseconds)
        #expect(abs(ratio - 1) < 0.02, "\(ratio)")
    }

    @Test func `a count that may have gone round is taken for as much as is possible`() {
        var notification = CongestionNotification(wants: .accurate)
        deliver(CongestionFlags(ace: 0b010), [.syn, .ack]) { notification.synArrived($0) }
        func marks(_ ace: UInt8, _ segments: UInt64) -> UInt64 {
            var count: UInt64 = 0
            deliver(CongestionFlags(ace: ace), .ack) {
                count = notification.marks(
                    toldBy: $0, ofSegments: segments, isAdvance: segments > 0)
            }
            return count
        }
        #expect(marks(5, 2) == 0)
        #expect(marks(7, 2) == 2)
        #expect(marks(1, 2) == 2)
        // One more, or nine, or seventeen of twenty.
        #expect(marks(2, 20) == 17)
        #expect(marks(2, 7) == 0)
        // Overtaken, without news.
        #expect(marks(1, 0) == 0)
        #expect(marks(3, 1) == 1)
    }

    @Test func `a lost SYN is repeated without the question`() {
        let hosts = TwoHosts(
            Self.link(.cubic).losing([0]), .plain("downlink"),
            tcp: TCPSettings(ecn: .accurate))
        hosts.open(sending: [.content(.file(1, 500_000))])
        hosts.play()
        #expect(hosts.received.values.first == [.file(1, 500_000)])
        let sent = Self.sent(0, hosts)
        #expect(sent[0].ace == 0b111)
        #expect(sent.dropFirst().allSatisfy { $0.ace == 0 && $0.codepoint == .notCapable })
    }

    @Test(.enabled(if: Tshark.isInstalled, "tshark is not installed; ./lab test installs it"))
    func `Wireshark reads the counts that the log has, and both codepoints`() throws {
        for (controller, codepoint) in [(TCPSettings.Controller.prague, 1), (.cubic, 2)] {
            let run = try TappedHosts(
                Self.link(controller), .plain("downlink"),
                sending: [.content(.file(1, 500_000))],
                tcp: TCPSettings(controller: controller, ecn: .accurate))
            let rows = try Tshark.rows(
                of: run.file(at: .client), fields: Self.fields)
            let expected = run.records(at: .client).map { record in
                // tshark takes the flags of a handshake one by one, and those after it as a count.
                let flags = ["\(record.ae)", "\(record.ace >> 1 & 1)", "\(record.ace & 1)", ""]
                let isHandshake = record.flags.contains(.syn)
                return (isHandshake ? flags : ["", "", "", "\(record.ace)"])
                    + ["\(record.codepoint.rawValue)"]
            }
            #expect(rows == expected)
            #expect(rows.contains { $0.suffix(2) == ["5", "\(codepoint)"] })
        }
    }

    private static let fields = [
        "tcp.flags.ae", "tcp.flags.cwr", "tcp.flags.ece", "tcp.flags.ace", "ip.dsfield.ecn",
    ]

    // MARK: Playing

    private static func hosts(
        _ controller: TCPSettings.Controller, ecn: TCPSettings.ECN = .accurate
    ) -> TwoHosts {
        let hosts = TwoHosts(
            link(controller), .plain("downlink"),
            tcp: TCPSettings(controller: controller, ecn: ecn))
        hosts.open(sending: [.content(.file(1, 8_000_000))])
        hosts.play()
        #expect(hosts.received.values.first == [.file(1, 8_000_000)])
        return hosts
    }

    private static func link(_ controller: TCPSettings.Controller) -> LinkPlan {
        var coDel = CoDel.Options()
        coDel.marks = true
        var link = LinkPlan.plain("uplink")
        let discipline: DisciplinePlan =
            controller == .prague ? .dualPI2(.init()) : .coDel(coDel)
        link.bottleneck.queue = .disciplined(discipline, limit: ByteCount(2_000_000))
        return link
    }

    private static func sent(_ link: UInt16, _ hosts: TwoHosts) -> [PacketRecord] {
        hosts.packets.filter { $0.link == link && $0.kind == .sent }
    }

    private func deliver(
        _ congestion: CongestionFlags, _ flags: PacketRecord.Flags,
        _ body: (UnsafePointer<Packet>) -> Void
    ) {
        let packet = Packet(
            endpoint: 0, sequence: 0, stamp: 0, acknowledgement: 1, echo: 0, window: 0, payload: 0,
            flags: flags.union(congestion.ordinary), ae: congestion.ae)
        withUnsafePointer(to: packet) { body($0) }
    }
}
