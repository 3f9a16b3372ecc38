import Checks
package import Quantities
import RunLog

/// A bulk case, played once: what came of it, and what it cost.
package struct BulkMeasurement {
    package let packets: DataPackets
    package let received: ByteCount
    /// Of the last flow; `nil` if flows were still going on at the limit.
    package let finishedAt: Instant?
    package let digest: String
    package let eventCount: UInt64
    package let cost: Cost
    /// Whether the network obeyed physics (S16) all the way.
    package let isPhysical: Bool

    package init(playing work: BulkCase) {
        let meter = Meter()
        var watchers = Watchers()
        var transfer = BulkTransfer(
            uplink: work.uplink, downlink: work.downlink, seed: BulkCase.seed)
        for _ in 0..<work.flowCount { transfer.open(length: work.length) }
        _ = transfer.play(until: .start + work.limit, into: &watchers)
        transfer.close(into: &watchers)
        cost = meter.cost()
        packets = watchers.packets
        received = transfer.received
        finishedAt = transfer.finishedAt
        digest = watchers.digest.text
        eventCount = transfer.eventCount
        isPhysical = watchers.physics.verdict() == .held
    }

    /// Those who read the log: the accounting that the bars ask for, the digest, and the count.
    private struct Watchers: RunLogReader {
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
