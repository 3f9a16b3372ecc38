import Content
package import LinkModels
package import Quantities
package import RunLog
package import RunPlan
import Simulation

/// Bulk TCP and nothing above it: flows from a client that fills its send buffers to a server that
/// reads at once.
///
/// The benchmark and the comparison with the kernel use it. Open flows, play until some moment as
/// often as needed, close, and query the results. The log goes to a reader in batches.
package struct BulkTransfer: ~Copyable {
    private var network: VirtualNetwork
    private var flows: [Flow] = []
    /// The number of flows that the server has read to their end.
    private var finishedCount = 0

    /// Nobody answers here, and content is only counted.
    private static let port: UInt16 = 80
    private static let conversingPort: UInt16 = 81

    private struct Flow {
        let handle: StreamHandle
        let content: ContentRange
        let conversation: UploadConversation?
        var answered = ByteCount.zero
        var queued = ByteCount.zero
        var finishedAt: Instant?
    }

    package init(
        uplink: LinkPlan, downlink: LinkPlan, tcp: TCPSettings = TCPSettings(),
        others: CrossTraffic = CrossTraffic(), seed: UInt64
    ) {
        network = VirtualNetwork(
            uplink: uplink, downlink: downlink, tcp: tcp, crossTraffic: others, seed: seed)
        network.listen(.server, port: Self.port, onlyCounting: true)
        network.listen(.server, port: Self.conversingPort)
    }

    // MARK: The verbs

    /// Opens a flow; no flow may have ended before. Without a length, it never ends.
    package mutating func open(
        length: ByteCount? = nil, conversing conversation: UploadConversation? = nil
    ) {
        let port = conversation == nil ? Self.port : Self.conversingPort
        let handle = network.connect(from: .client, to: .server, port: port)
        precondition(
            handle.connection == flows.count, "flow \(flows.count) became \(handle.connection)")
        let file = FileVersion(file: UInt32(flows.count), edit: 0)
        // An exabyte never ends.
        let length = length ?? ByteCount(1_000_000_000_000_000_000)
        let content = ContentRange(file, offset: .zero, length: length)
        flows.append(Flow(handle: handle, content: content, conversation: conversation))
    }

    /// Plays up to and including `limit`; returns whether events are left.
    package mutating func play(until limit: Instant, into reader: inout some RunLogReader) -> Bool {
        while network.advance(until: limit) {
            while let event = network.takeEvent() { react(to: event) }
            if network.isLogRipe { network.drainLog(into: &reader) }
        }
        network.drainLog(into: &reader)
        return network.nextEventTime != nil
    }

    /// Ends the links' accounting; nothing may be played afterwards.
    package mutating func close(into reader: inout some RunLogReader) {
        network.closeBooks()
        network.drainLog(into: &reader)
    }

    // MARK: The queries

    /// The bytes that the server has read, of all flows.
    package var received: ByteCount {
        var sum = ByteCount.zero
        for flow in flows { sum += network.received(flow.handle.otherEnd) }
        return sum
    }

    /// When the server had read all flows; `nil` before that.
    package var finishedAt: Instant? {
        finishedCount == flows.count ? flows.compactMap(\.finishedAt).max() : nil
    }

    package var eventCount: UInt64 { network.eventCount }

    /// Whether the first flow's slow start has ended.
    package var hasLeftSlowStart: Bool { network.hasLeftSlowStart(flows[0].handle) }

    /// Retransmission timeouts of all flows.
    package var timeouts: Int {
        var sum = 0
        for flow in flows { sum += network.timeouts(flow.handle) }
        return sum
    }

    // MARK: Private parts

    private mutating func react(to event: NetworkEvent) {
        switch event {
        case .connected(let handle), .roomAvailable(let handle): write(handle)
        case .peerFinished(let handle):
            guard !handle.isOpener else { return }
            flows[handle.connection].finishedAt = network.now
            finishedCount += 1
            // The server sends nothing, and ends its direction, too.
            network.finish(handle)
        case .readable(let handle):
            read(handle)
            if handle.isOpener { write(handle) } else { answer(handle) }
        case .accepted, .ended, .timer: break
        }
    }

    private mutating func read(_ handle: StreamHandle) {
        var dropped: [Segment] = []
        network.read(handle, into: &dropped)
    }

    private mutating func answer(_ handle: StreamHandle) {
        let flow = flows[handle.connection]
        guard let conversation = flow.conversation else { return }
        let owed = conversation.answered(to: network.received(handle))
        guard owed > flow.answered else { return }
        let answer = ContentRange(
            flow.content.version, offset: flow.answered, length: owed - flow.answered)
        network.send(handle, [.content(answer)])
        flows[handle.connection].answered = owed
    }

    private mutating func write(_ handle: StreamHandle) {
        guard handle.isOpener else { return }
        let content = flows[handle.connection].content
        let queued = flows[handle.connection].queued
        let requested =
            flows[handle.connection].conversation?.requested(after: network.received(handle))
            ?? content.length
        let count = min(min(requested, content.length) - queued, network.room(handle))
        guard count > .zero else { return }
        let piece = ContentRange(content.version, offset: queued, length: count)
        network.send(handle, [.content(piece)])
        flows[handle.connection].queued += count
        if queued + count == content.length { network.finish(handle) }
    }
}
