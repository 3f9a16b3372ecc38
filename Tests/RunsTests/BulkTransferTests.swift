import Checks
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Runs

/// Bulk TCP as benchmark and fidelity play it.
@Suite struct BulkTransferTests {
    @Test(arguments: [(flows: 1, loss: 0.0), (1, 1.0), (80, 0.0), (20, 2.0)])
    func `every byte of every flow arrives, and the network obeys physics`(
        flows: Int, loss: Double
    ) throws {
        var transfer = Self.transfer(loss: loss)
        var watcher = Watcher()
        for _ in 0..<flows { transfer.open(length: ByteCount(100_001)) }
        let goesOn = transfer.play(until: .start + .seconds(600), into: &watcher)
        #expect(!goesOn, "something is left to happen after the last flow")
        transfer.close(into: &watcher)

        let received = transfer.received
        #expect(received == ByteCount(100_001 * UInt64(flows)))
        let finishedAt = transfer.finishedAt
        let end = try #require(finishedAt)
        // 70 packets of 1500 bytes a flow take the link 8.4 ms, and nothing is faster than that.
        #expect(end >= .start + .microseconds(8_400 * Int64(flows)))
        #expect(watcher.physics.verdict() == .held)
        #expect(watcher.packets.delivered >= 70 * UInt64(flows))
        #expect(
            watcher.packets.sent == watcher.packets.delivered + watcher.packets.dropped,
            "\(watcher.packets)")
        #expect(watcher.packets.sent - watcher.packets.retransmitted == 70 * UInt64(flows))
        #expect((watcher.packets.dropped > 0) == (loss > 0 || flows > 1), "\(watcher.packets)")
        let eventCount = transfer.eventCount
        #expect(eventCount > watcher.packets.delivered)
    }

    @Test func `a flow without a length sends as long as it is played, piece by piece or not`() {
        var whole = Self.transfer(loss: 1)
        var pieces = Self.transfer(loss: 1)
        var (first, second) = (Watcher(), Watcher())
        whole.open()
        pieces.open()
        _ = whole.play(until: .start + .seconds(3), into: &first)
        for tenth in 1...30 {
            let goesOn = pieces.play(
                until: .start + .milliseconds(100 * Int64(tenth)), into: &second)
            #expect(goesOn)
        }
        let received = whole.received
        #expect(received > ByteCount(500_000) && received == pieces.received)
        #expect(first.digest.text == second.digest.text)
    }

    /// A request of 200 kB takes the line 166 ms, and its answer comes a round trip later.
    @Test func `an upload waits for each answer`() {
        let plan = BulkFlowPlan(
            rate: Bitrate(bitsPerSecond: 10_000_000), roundTrip: .milliseconds(20),
            queuePercent: 1_000, losses: [], limit: .seconds(10))
        var transfer = BulkTransfer(uplink: plan.uplink, downlink: plan.downlink, seed: 1)
        transfer.open(
            conversing: UploadConversation(opening: 300, request: 200_000, answer: 200))
        var watcher = Watcher()
        _ = transfer.play(until: .start + .seconds(10), into: &watcher)
        let received = transfer.received.bytes
        // Without a pause it would be 12 MB.
        #expect((10_300_000...10_700_000).contains(received), "\(received) B")
    }

    private static func transfer(loss: Double) -> BulkTransfer {
        let work = BulkCase(loss: Probability(percent: loss) ?? .always)
        return BulkTransfer(uplink: work.uplink, downlink: work.downlink, seed: 1)
    }

    private struct Watcher: RunLogReader {
        var physics = NetworkObeysPhysics()
        var digest = RunDigest()
        var packets = DataPackets()

        mutating func read(_ event: RunEvent) {
            physics.read(event)
            digest.read(event)
        }

        mutating func read(packets batch: UnsafeBufferPointer<PacketRecord>) {
            physics.read(packets: batch)
            digest.read(packets: batch)
            packets.read(packets: batch)
        }
    }
}
