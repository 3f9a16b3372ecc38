import Content
import Quantities
import RunLog
import RunPlan

/// All endpoints of all hosts, and the ports on which hosts listen.
///
/// The two ends of a connection stand side by side, the one that opened it at an even index: a
/// packet finds its end without a look-up. Raw storage, for the endpoints are touched by every
/// packet.
struct TCPStack: ~Copyable {
    var events: [NetworkEvent] = []
    private var endpoints: UnsafeMutablePointer<TCPEndpoint>
    private var capacity = 8
    private var count = 0
    private var listeners: [Listener] = []
    /// Where the accepting end of each connection would listen.
    private var destinations: [Listener] = []
    private var initialSequences: RandomStream
    private let settings: TCPSettings
    private let seed: UInt64

    private struct Listener: Hashable {
        var host: NetworkHost
        var port: UInt16
    }

    init(_ settings: TCPSettings, seed: UInt64) {
        self.settings = settings
        self.seed = seed
        endpoints = .allocate(capacity: capacity)
        initialSequences = RandomStream(seed: seed, name: "tcp/initial-sequence")
    }

    deinit {
        endpoints.deinitialize(count: count)
        endpoints.deallocate()
    }

    mutating func listen(_ host: NetworkHost, port: UInt16) {
        let listener = Listener(host: host, port: port)
        if !listeners.contains(listener) { listeners.append(listener) }
    }

    mutating func connect(
        from host: NetworkHost, to peer: NetworkHost, port: UInt16, _ fabric: inout NetworkFabric
    ) -> StreamHandle {
        precondition(host != peer, "\(host) cannot reach itself over a link")
        let handle = StreamHandle(index: Int32(count))
        append(on: host.uplink)
        append(on: peer.uplink)
        destinations.append(Listener(host: peer, port: port))
        fabric.tap?.opened(port: port)
        endpoints[handle.place].connect(&fabric)
        return handle
    }

    mutating func send(
        _ handle: StreamHandle, _ segments: [Segment], _ fabric: inout NetworkFabric
    ) {
        // What is written to a connection that is over goes nowhere, as with a socket.
        guard endpoints[handle.place].end == nil else { return }
        for segment in segments { endpoints[handle.place].sender.table.append(segment) }
        fabric.tap?.given(segments, to: handle)
        endpoints[handle.place].queue(segments.length.bytes, &fabric)
    }

    mutating func read(_ handle: StreamHandle, into output: inout [Segment]) {
        let count = endpoints[handle.place].receiver.read()
        endpoints[handle.peer].sender.table.take(count, into: &output)
    }

    mutating func finish(_ handle: StreamHandle, _ fabric: inout NetworkFabric) {
        endpoints[handle.place].finish(&fabric)
    }

    mutating func abandon(_ handle: StreamHandle, _ fabric: inout NetworkFabric) {
        endpoints[handle.place].abandon(&fabric)
    }

    mutating func abort(_ handle: StreamHandle, _ fabric: inout NetworkFabric) {
        endpoints[handle.place].abort(&fabric)
    }

    @inline(__always)
    mutating func arrived(_ packet: borrowing Packet, _ fabric: inout NetworkFabric) {
        let place = Int(packet.endpoint)
        if packet.flags == .syn, endpoints[place].state == .closed, endpoints[place].end == nil,
            listeners.contains(destinations[place / 2])
        {
            endpoints[place].listen()
        }
        let notice = endpoints[place].arrived(packet, &fabric)
        if !notice.isEmpty { tell(notice, of: StreamHandle(index: packet.endpoint)) }
    }

    mutating func isDue(_ index: Int32, _ fabric: inout NetworkFabric) -> Bool {
        endpoints[Int(index)].isDue(&fabric)
    }

    mutating func wake(_ index: Int32, _ fabric: inout NetworkFabric) {
        let notice = endpoints[Int(index)].wake(&fabric)
        if !notice.isEmpty { tell(notice, of: StreamHandle(index: index)) }
    }

    func room(_ handle: StreamHandle) -> ByteCount {
        ByteCount(endpoints[handle.place].sender.room)
    }

    func transmitted(_ handle: StreamHandle) -> ByteCount {
        ByteCount(endpoints[handle.place].sender.transmitted)
    }

    func acknowledged(_ handle: StreamHandle) -> ByteCount {
        ByteCount(endpoints[handle.place].sender.acknowledged)
    }

    private mutating func append(on link: Int32) {
        if count == capacity { grow() }
        let sequence = UInt64(UInt32(truncatingIfNeeded: initialSequences.next()))
        let endpoint = TCPEndpoint(
            index: Int32(count), link: link, initialSequence: sequence,
            controller: CongestionController(
                settings.controller, seed: seed, endpoint: Int32(count)))
        (endpoints + count).initialize(to: endpoint)
        count += 1
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<TCPEndpoint>.allocate(capacity: 2 * capacity)
        larger.moveInitialize(from: endpoints, count: count)
        endpoints.deallocate()
        endpoints = larger
        capacity *= 2
    }

    private mutating func tell(_ notice: TCPNotice, of handle: StreamHandle) {
        if notice.contains(.connected) { events.append(.connected(handle)) }
        if notice.contains(.accepted) {
            let destination = destinations[handle.place / 2]
            events.append(.accepted(handle, destination.host, port: destination.port))
        }
        if notice.contains(.readable) { events.append(.readable(handle)) }
        if notice.contains(.peerFinished) { events.append(.peerFinished(handle)) }
        if notice.contains(.roomAvailable) { events.append(.roomAvailable(handle)) }
        if notice.contains(.ended), let end = endpoints[handle.place].end {
            events.append(.ended(handle, end))
        }
    }
}
