import Content
package import LinkModels
package import Quantities
package import RunLog
package import RunPlan
import Simulation

/// Bulk TCP and nothing above it: flows from a client to a server, each written as far as its send
/// buffer takes it, and read at once.
///
/// It is what speed is measured with, and what is held against a kernel: open flows, play until
/// some moment as often as it takes, close, and look what arrived. The log goes to a reader in
/// batches, as a scenario's does.
package struct BulkTransfer: ~Copyable {
    private var network: VirtualNetwork
    private var flows: [Flow] = []
    /// How many flows have come to their end at the server.
    private var finishedCount = 0

    private static let port: UInt16 = 80

    private struct Flow {
        let handle: StreamHandle
        let content: ContentRange
        var queued = ByteCount.zero
        var finishedAt: Instant?
    }

    package init(
        uplink: LinkPlan, downlink: LinkPlan, tcp: TCPSettings = TCPSettings(), seed: UInt64
    ) {
        network = VirtualNetwork(uplink: uplink, downlink: downlink, tcp: tcp, seed: seed)
        network.listen(.server, port: Self.port, onlyCounting: true)
    }

    // MARK: The verbs

    /// Opens one flow more, now, and while none has ended; without a length it sends as long as it
    /// is played.
    package mutating func open(length: ByteCount? = nil) {
        let handle = network.connect(from: .client, to: .server, port: Self.port)
        precondition(
            handle.connection == flows.count, "flow \(flows.count) became \(handle.connection)")
        let file = FileVersion(file: UInt32(flows.count), edit: 0)
        // An exabyte: no run is so long that it ends there.
        let length = length ?? ByteCount(1_000_000_000_000_000_000)
        flows.append(
            Flow(handle: handle, content: ContentRange(file, offset: .zero, length: length)))
    }

    /// Plays up to and including `limit`; answers whether anything is left to happen.
    package mutating func play(until limit: Instant, into reader: inout some RunLogReader) -> Bool {
        while network.advance(until: limit) {
            while let event = network.takeEvent() { react(to: event) }
            if network.isLogRipe { network.drainLog(into: &reader) }
        }
        network.drainLog(into: &reader)
        return network.nextEventTime != nil
    }

    /// Closes the links' books, for whoever checks them; nothing may be played afterwards.
    package mutating func close(into reader: inout some RunLogReader) {
        network.closeBooks()
        network.drainLog(into: &reader)
    }

    // MARK: The queries

    /// What the server has read, of all flows.
    package var received: ByteCount {
        var sum = ByteCount.zero
        for flow in flows { sum += network.received(flow.handle.otherEnd) }
        return sum
    }

    /// When the server had all of the last flow; `nil` before that.
    package var finishedAt: Instant? {
        finishedCount == flows.count ? flows.compactMap(\.finishedAt).max() : nil
    }

    /// Events that the network has carried out.
    package var eventCount: UInt64 { network.eventCount }

    // MARK: Private parts

    private mutating func react(to event: NetworkEvent) {
        switch event {
        case .connected(let handle), .roomAvailable(let handle): write(handle)
        case .peerFinished(let handle):
            guard !handle.isOpener else { return }
            flows[handle.connection].finishedAt = network.now
            finishedCount += 1
            // The server has nothing to say, and ends its direction too.
            network.finish(handle)
        case .readable, .accepted, .ended, .timer: break
        }
    }

    private mutating func write(_ handle: StreamHandle) {
        guard handle.isOpener else { return }
        let content = flows[handle.connection].content
        let queued = flows[handle.connection].queued
        let count = min(content.length - queued, network.room(handle))
        guard count > .zero else { return }
        let piece = ContentRange(content.version, offset: queued, length: count)
        network.send(handle, [.content(piece)])
        flows[handle.connection].queued += count
        if queued + count == content.length { network.finish(handle) }
    }
}
