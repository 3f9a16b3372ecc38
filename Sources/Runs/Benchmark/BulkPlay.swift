import Checks
import Quantities
import Reports
import RunLog
import RunPlan

extension BulkCase {
    /// Flows that the network plays by itself.
    private var pacedFlows: [FlowGroup] {
        guard let paced else { return [] }
        var group = FlowGroup(.uplink, count: flowCount, length: length)
        group.paced = paced
        group.name = "bulk"
        if length == nil { group.until = limit }
        return [group]
    }

    /// Plays the case once, with readers of the log like those of a run.
    func play() -> BenchmarkSample {
        let meter = Meter()
        var watchers = BulkWatchers()
        var transfer = BulkTransfer(
            uplink: uplink, downlink: downlink, others: CrossTraffic(flows: pacedFlows),
            seed: Self.seed)
        if paced == nil {
            for _ in 0..<flowCount { transfer.open(length: length) }
        }
        _ = transfer.play(until: .start + limit, into: &watchers)
        transfer.close(into: &watchers)
        let cost = meter.cost()

        let packets = watchers.packets
        var exact: [String: FigureValue] = [
            "dataPacketsDelivered": .whole(packets.delivered),
            "dataPacketsDropped": .whole(packets.dropped),
            "dataPacketsRetransmitted": .whole(packets.retransmitted),
            "dataPacketsSent": .whole(packets.sent), "digest": .text(watchers.digest.text),
            "physics": .text(watchers.physics.verdict() == .held ? "held" : "broken"),
        ]
        // The ends of paced flows are not asked.
        if paced == nil { exact["receivedBytes"] = .whole(transfer.received.bytes) }
        let time = transfer.finishedAt?.sinceStart ?? limit
        if transfer.finishedAt != nil {
            exact["completionNanoseconds"] = .whole(UInt64(time.nanoseconds))
        }
        if let goodput = Bitrate(transfer.received, in: time) {
            exact["goodputBitsPerSecond"] = .whole(goodput.bitsPerSecond)
        }
        return BenchmarkSample(
            exact: exact,
            counts: ["dataPackets": packets.delivered, "events": transfer.eventCount], cost: cost)
    }
}

/// The readers of the log: the accounting (S16), the digest, and the count of packets.
private struct BulkWatchers: RunLogReader {
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
