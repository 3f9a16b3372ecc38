import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

/// Which packets take the short way through an endpoint: those only that have nothing to say there
/// but their content.
@Suite struct UsualPacketTests {
    private static let segment: UInt64 = 1448

    @Test func `the next content is usual as soon as something has come, and only then`() {
        var end = EndByHand()
        end.expect(isUsual: false, end.content(0))
        end.arrive(end.content(0))
        end.expect(isUsual: true, end.content(1))
        end.expect(isUsual: false, end.content(0), "it has come before")
        end.expect(isUsual: false, end.content(2), "it leaves a hole")
        end.arrive(end.content(1))
        end.expect(isUsual: true, end.content(2))
    }

    @Test func `what says more than its content is not usual`() {
        var end = EndByHand()
        end.arrive(end.content(0))
        end.expect(isUsual: false, end.content(1, window: 101), "it opens the window")
        end.expect(isUsual: false, end.content(1, acknowledgement: 102), "it acknowledges")
        end.expect(isUsual: false, end.content(1, payload: 0), "it has none")
        for flag in [PacketRecord.Flags.fin, .syn, .rst, .ece, .cwr] {
            end.expect(isUsual: false, end.content(1, flags: [.ack, flag]), "\(flag)")
        }
        end.expect(isUsual: true, end.content(1, flags: [.ack, .psh]))
    }

    @Test func `what came late says nothing of the window`() {
        var end = EndByHand()
        end.queue(Self.segment)
        end.arrive(end.content(0, acknowledgement: 101 + Self.segment))
        // It was overtaken: its acknowledgement is older, and so its window is no news. The same
        // window with the newest acknowledgement is.
        end.arrive(end.content(1, acknowledgement: 101, window: 101))
        let newest = 101 + Self.segment
        end.expect(
            isUsual: false, end.content(2, acknowledgement: newest, window: 101), "it opens more")
    }

    @Test func `nothing is usual behind a hole until it is filled`() {
        var end = EndByHand()
        end.arrive(end.content(0))
        end.arrive(end.content(2))
        end.expect(isUsual: false, end.content(1))
        end.arrive(end.content(1))
        end.expect(isUsual: true, end.content(3))
    }

    @Test func `whatever the host does, the next packet is looked at closely`() {
        for verb in EndByHand.Verb.allCases {
            var end = EndByHand()
            end.arrive(end.content(0))
            end.expect(isUsual: true, end.content(1))
            end.carryOut(verb)
            end.expect(isUsual: false, end.content(1), "\(verb)")
        }
    }

    @Test func `a host that vanishes while its end cannot leave is noticed`() {
        var end = EndByHand()
        // More than the window, so that the end has to wait.
        end.queue(1_000_000)
        end.carryOut(.finish)
        end.arrive(end.content(0))
        end.expect(isUsual: true, end.content(1))
        end.carryOut(.abandon)
        end.expect(isUsual: false, end.content(1))
    }

    @Test func `nothing is usual to who speaks of congestion, or sends at a pace`() {
        var marking = EndByHand(marksCongestion: true)
        marking.arrive(marking.content(0))
        marking.expect(isUsual: false, marking.content(1))
        var pacing = EndByHand(controller: .bbr)
        pacing.arrive(pacing.content(0))
        pacing.expect(isUsual: false, pacing.content(1))
    }
}

/// An endpoint whose peer is the test, and which has opened its connection.
private struct EndByHand: ~Copyable {
    private var fabric: NetworkFabric
    private var endpoint: TCPEndpoint

    enum Verb: CaseIterable { case queue, finish, abandon, abort, wake }

    init(controller: TCPSettings.Controller = .newReno, marksCongestion: Bool = false) {
        fabric = NetworkFabric([.plain("uplink"), .plain("downlink")], seed: 1)
        endpoint = TCPEndpoint(
            index: 0, link: 0, initialSequence: 100, controller: CongestionController(controller),
            settings: TCPSettings(controller: controller, ecn: marksCongestion ? .on : .off))
        endpoint.connect(&fabric)
        arrive(
            Packet(
                endpoint: 0, sequence: 999, stamp: 0, acknowledgement: 101, echo: 0, window: 12_800,
                payload: 0, form: .syn,
                flags: marksCongestion ? [.syn, .ack, .ece] : [.syn, .ack]))
    }

    func content(
        _ number: UInt64, payload: UInt16 = 1448, acknowledgement: UInt64 = 101,
        window: UInt16 = 100, flags: PacketRecord.Flags = .ack
    ) -> Packet {
        Packet(
            endpoint: 0, sequence: 1_000 + number * 1448, stamp: 0,
            acknowledgement: acknowledgement, echo: 0, window: window, payload: payload,
            flags: flags)
    }

    func expect(
        isUsual expected: Bool, _ packet: borrowing Packet, _ why: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isUsual = withUnsafePointer(to: packet) { endpoint.isUsual($0) }
        #expect(isUsual == expected, why, sourceLocation: sourceLocation)
    }

    mutating func arrive(_ packet: borrowing Packet) {
        withUnsafePointer(to: packet) { _ = endpoint.arrived($0, &fabric) }
    }

    mutating func queue(_ count: UInt64) { endpoint.queue(count, &fabric) }

    mutating func carryOut(_ verb: Verb) {
        switch verb {
        case .queue: queue(1)
        case .finish: endpoint.finish(&fabric)
        case .abandon: endpoint.abandon(&fabric)
        case .abort: endpoint.abort(&fabric)
        case .wake: _ = endpoint.wake(&fabric)
        }
    }
}
