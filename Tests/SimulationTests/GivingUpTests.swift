import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

@Suite struct GivingUpTests {
    /// Two endpoints whose packets a test carries by hand.
    @Test func `content that nobody acknowledges is sent seventeen times, then it is over`() {
        var fabric = NetworkFabric([.plain("uplink"), .plain("downlink")], seed: 7)
        var client = TCPEndpoint(
            index: 0, link: 0, initialSequence: 1_000, controller: CongestionController(.newReno))
        var server = TCPEndpoint(
            index: 1, link: 1, initialSequence: 2_000, controller: CongestionController(.newReno))
        server.listen()
        client.connect(&fabric)
        _ = server.arrived(next(&fabric), &fabric)
        #expect(client.arrived(next(&fabric), &fabric) == .connected)
        #expect(server.arrived(next(&fabric), &fabric) == .accepted)

        client.queue(100, &fabric)
        var sent = 0
        while client.end == nil {
            let first = fabric.kernel.first
            switch first.source.kind {
            case .link:
                // It arrives, and nobody is there.
                fabric.kernel.advance(toNanoseconds: first.nanoseconds)
                let packet = fabric.deliver(from: first.source.index)
                #expect(packet.pointee.payload == 100)
                sent += 1
            case .endpoint:
                guard first.source.index == 0 else {
                    let isDue = server.isDue(&fabric)
                    #expect(!isDue)
                    continue
                }
                guard client.isDue(&fabric) else { continue }
                fabric.kernel.advance(toNanoseconds: first.nanoseconds)
                let notice = client.wake(&fabric)
                #expect(notice == (client.end == nil ? [] : .ended))
            case .timerSlot, .departure:
                Issue.record("nobody set a timer")
            }
        }
        #expect(client.end == .timedOut)
        // Once, as a probe, and fifteen times after timeouts.
        #expect(sent == 17)
        // 220 ms doubled to two minutes, as in Linux, where it makes about a quarter of an hour.
        #expect(fabric.kernel.nowNanoseconds / 1_000_000_000 == 945)
        let isQuiet = fabric.kernel.isEmpty
        #expect(isQuiet)
    }

    /// The next packet to arrive.
    private func next(_ fabric: inout NetworkFabric) -> UnsafePointer<Packet> {
        let kind = fabric.kernel.first.source.kind
        #expect(kind == .link)
        fabric.kernel.advance(toNanoseconds: fabric.kernel.first.nanoseconds)
        return fabric.deliver(from: fabric.kernel.first.source.index)
    }
}
