import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

@Suite struct OnlyCountingTests {
    @Test(arguments: [0.0, 2, 10])
    func `a host that only counts sends the packets of one that reads at once`(
        loss: Double
    ) throws {
        let reading = Transfer(onlyCounting: false, losing: loss)
        let counting = Transfer(onlyCounting: true, losing: loss)
        #expect(reading.records.count > 2_000)
        #expect(counting.records == reading.records)
        #expect(counting.received == ByteCount(1_000_000))
        #expect(reading.received == ByteCount(1_000_000))
    }

    @Test func `a host that only counts hears of beginning and end, and of nothing between`() {
        #expect(Transfer(onlyCounting: true, losing: 0).heard == ["accepted", "finished", "ended"])
    }

    @Test func `who drains the log late reads the same packets in the same order`() {
        let often = Transfer(onlyCounting: true, losing: 2)
        let late = Transfer(onlyCounting: true, losing: 2, drainsInTime: false)
        #expect(late.records == often.records)
        #expect(late.batches.count < often.batches.count)
        // Few enough at a time to be near the processor.
        #expect(often.batches.allSatisfy { $0 <= 1_024 })
    }
}

/// A megabyte from a client to a server that reads it one way or the other.
private struct Transfer {
    private(set) var heard: [String] = []
    private(set) var received = ByteCount.zero
    private var reader = Collector()

    var records: [PacketRecord] { reader.records }
    var batches: [Int] { reader.batches }

    init(onlyCounting: Bool, losing loss: Double, drainsInTime: Bool = true) {
        var network = VirtualNetwork(
            uplink: .plain("uplink", losing: loss), downlink: .plain("downlink"), seed: 3)
        network.listen(.server, port: 80, onlyCounting: onlyCounting)
        let client = network.connect(from: .client, to: .server, port: 80)
        while network.advance(until: .end) {
            while let event = network.takeEvent() {
                switch event {
                case .connected(let handle):
                    network.send(handle, [.content(.file(1, 1_000_000))])
                    network.finish(handle)
                case .readable(let handle):
                    var segments: [Segment] = []
                    network.read(handle, into: &segments)
                    #expect(!onlyCounting || handle == client)
                case .peerFinished(let handle):
                    if !handle.isOpener { heard.append("finished") }
                    network.finish(handle)
                case .accepted: heard.append("accepted")
                case .ended(let handle, _): if !handle.isOpener { heard.append("ended") }
                case .roomAvailable, .timer: break
                }
            }
            if drainsInTime, network.isLogRipe { network.drainLog(into: &reader) }
        }
        network.drainLog(into: &reader)
        received = network.received(client.otherEnd)
    }

    private struct Collector: RunLogReader {
        var records: [PacketRecord] = []
        var batches: [Int] = []

        mutating func read(_ event: RunEvent) {}
        mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
            records += packets
            batches.append(packets.count)
        }
    }
}
