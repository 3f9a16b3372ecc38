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
    private var steps = 0

    private static let port: UInt16 = 80
    /// How often the log is handed on: often enough to stay small, seldom enough to cost nothing.
    private static let batch = 512

    private struct Flow {
        let handle: StreamHandle
        let content: ContentRange
        var queued = ByteCount.zero
        var received = ByteCount.zero
        var finishedAt: Instant?
    }

    package init(
        uplink: LinkPlan, downlink: LinkPlan, tcp: TCPSettings = TCPSettings(), seed: UInt64
    ) {
        network = VirtualNetwork(uplink: uplink, downlink: downlink, tcp: tcp, seed: seed)
        network.listen(.server, port: Self.port)
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
        while let event = network.nextEvent(until: limit) {
            react(to: event)
            steps += 1
            if steps % Self.batch == 0 { network.log.drain(into: &reader) }
        }
        network.log.drain(into: &reader)
        return network.nextEventTime != nil
    }

    /// Closes the links' books, for whoever checks them; nothing may be played afterwards.
    package mutating func close(into reader: inout some RunLogReader) {
        network.closeBooks()
        network.log.drain(into: &reader)
    }

    // MARK: The queries

    /// What the server has read, of all flows.
    package var received: ByteCount { flows.reduce(.zero) { $0 + $1.received } }

    /// When the server had read the last byte of the last flow; `nil` before that.
    package var finishedAt: Instant? {
        finishedCount == flows.count ? flows.compactMap(\.finishedAt).max() : nil
    }

    /// Events that the network has carried out.
    package var eventCount: UInt64 { network.eventCount }

    // MARK: Private parts

    private mutating func react(to event: NetworkEvent) {
        switch event {
        case .readable(let handle): read(handle)
        case .connected(let handle), .roomAvailable(let handle): write(handle)
        case .peerFinished(let handle):
            // The server has nothing to say, and ends its direction too.
            if !handle.isOpener { network.finish(handle) }
        case .accepted, .ended, .timer: break
        }
    }

    private mutating func read(_ handle: StreamHandle) {
        let flow = handle.connection
        flows[flow].received += network.skip(handle)
        if flows[flow].received == flows[flow].content.length {
            flows[flow].finishedAt = network.now
            finishedCount += 1
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
