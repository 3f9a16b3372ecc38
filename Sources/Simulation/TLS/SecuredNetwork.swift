import Content
import Quantities
import RunLog
import RunPlan

/// The network as the hosts see it: with TLS between their words and TCP, if the plan asks for it.
///
/// A host hears that its connection stands when the handshake is over, and reads and writes
/// content; the records around it are nobody's business but a capture's. Without TLS everything
/// passes through as it is, and nothing is spent per packet either way.
struct SecuredNetwork: ~Copyable {
    /// Clock, timers, listening: what TLS has no part in.
    var transport: VirtualNetwork
    private let security: TransportSecurity
    private let flights: TLSFlights
    private let form: RecordForm
    private var ends: [StreamHandle: End] = [:]
    private var heard = HostNews()

    private struct End {
        /// Of the end that opened the connection, for the log.
        var name: ConnectionName?
        var app: UInt16?
        var handshake: TLSHandshake
        var sealer: RecordSealer
        var opener: RecordOpener
        /// What came out of its records and was not read yet.
        var inbox: [Segment] = []
        /// Of so much in it the host need not hear, and when the latest of it came.
        var mayKeepBack = ByteCount.zero
        var latest = Instant.start
        /// How much of the stream the handshake has taken, where records begin.
        var handshakeBytes: UInt64 = 0
        var isFinished = false
    }

    init(_ transport: consuming VirtualNetwork, _ security: TransportSecurity) {
        self.transport = transport
        self.security = security
        flights = TLSFlights(security)
        form = RecordForm(security)
    }

    var now: Instant { transport.now }

    var log: RunLogSink {
        mutating _read { yield transport.log }
        _modify { yield &transport.log }
    }

    // MARK: What the hosts do

    mutating func connect(
        to port: UInt16, over interface: Int = 0, as name: ConnectionName, of app: UInt16? = nil
    ) -> StreamHandle {
        let handle = transport.connect(
            from: .client, to: .server, port: port, over: interface)
        if security != .none {
            ends[handle] = newEnd(name)
            ends[handle]?.app = app
        }
        return handle
    }

    mutating func send(_ handle: StreamHandle, _ segments: [Segment]) {
        guard security != .none else { return transport.send(handle, segments) }
        guard var end = ends.removeValue(forKey: handle) else { return }
        defer { ends[handle] = end }
        guard !end.isFinished else { return }
        end.sealer.forget(before: Self.sealed(transport.transmitted(handle), of: end))
        transport.send(handle, end.sealer.seal(segments))
    }

    mutating func read(_ handle: StreamHandle, into segments: inout [Segment]) {
        guard security != .none else { return transport.read(handle, into: &segments) }
        _ = takeKeptBack(handle, into: &segments)
    }

    /// Until the next reading the host need not hear of so much more that comes.
    mutating func keepBack(_ handle: StreamHandle, upTo count: ByteCount) {
        guard security != .none else { return transport.keepBack(handle, upTo: count) }
        ends[handle]?.mayKeepBack = count
    }

    /// What was kept back, and when the latest of it came; from now on the host hears of everything
    /// again.
    mutating func takeKeptBack(
        _ handle: StreamHandle, into segments: inout [Segment]
    ) -> Instant {
        guard security != .none else { return transport.takeKeptBack(handle, into: &segments) }
        guard let (inbox, latest) = ends[handle].map({ ($0.inbox, $0.latest) }) else { return now }
        for segment in inbox { segments.join(segment) }
        ends[handle]?.inbox.removeAll()
        ends[handle]?.mayKeepBack = .zero
        return latest
    }

    mutating func finish(_ handle: StreamHandle) {
        if security != .none, var end = ends[handle], !end.isFinished {
            if end.handshake.isDone(flights) {
                transport.send(handle, end.sealer.sealCloseNotice())
            }
            end.isFinished = true
            ends[handle] = end
        }
        transport.finish(handle)
    }

    mutating func release(_ handle: StreamHandle) {
        if security != .none { ends[handle] = nil }
        transport.release(handle)
    }

    /// Free send buffer. The records' heads and tails come on top, as they do where a library for
    /// TLS keeps a buffer of its own.
    func room(_ handle: StreamHandle) -> ByteCount { transport.room(handle) }

    /// Content that has left for the first time.
    func transmitted(_ handle: StreamHandle) -> ByteCount {
        let count = transport.transmitted(handle)
        guard security != .none else { return count }
        return ends[handle].map { $0.sealer.content(before: Self.sealed(count, of: $0)) } ?? .zero
    }

    // MARK: What the hosts hear

    /// What a host has to be told next, if there is anything.
    mutating func takeEvent() -> NetworkEvent? {
        guard security != .none else { return transport.takeEvent() }
        while heard.isEmpty, let event = transport.takeEvent() { pass(event) }
        return heard.take()
    }

    private mutating func pass(_ event: NetworkEvent) {
        switch event {
        case .connected(let handle):
            guard let end = ends[handle], let name = end.name else { return }
            log.record(
                .connection(.securing(name, with: security.words)), at: now, app: end.app)
            goOn(handle, [])
        case .accepted(let handle, _, _):
            ends[handle] = newEnd(nil)
            heard.append(event)
        case .readable(let handle):
            var arrived: [Segment] = []
            transport.read(handle, into: &arrived)
            goOn(handle, arrived)
        case .roomAvailable, .peerFinished, .ended, .timer: heard.append(event)
        }
    }

    /// With what has arrived: first the handshake, then the content.
    private mutating func goOn(_ handle: StreamHandle, _ arrived: [Segment]) {
        guard var end = ends.removeValue(forKey: handle) else { return }
        defer { ends[handle] = end }
        var rest = arrived
        if !end.handshake.isDone(flights) {
            shakeHands(handle, &end, &rest)
            guard end.handshake.isDone(flights) else { return }
            if handle.isOpener { heard.append(.connected(handle)) }
        }
        let known = end.inbox.length
        end.opener.open(rest, into: &end.inbox)
        let length = end.inbox.length
        if length > known { end.latest = now }
        if known <= end.mayKeepBack, length > end.mayKeepBack { heard.append(.readable(handle)) }
    }

    private mutating func shakeHands(
        _ handle: StreamHandle, _ end: inout End, _ arrived: inout [Segment]
    ) {
        var goesOn = true
        while goesOn {
            let taken = end.handshake.take(Int(arrived.length.bytes), of: flights)
            arrived = arrived.dropping(ByteCount(UInt64(taken)))
            goesOn = taken > 0
            // A host that has given up says no more.
            guard !end.isFinished, let flight = end.handshake.flightToSend(of: flights) else {
                continue
            }
            transport.send(handle, [.bytes(flight)])
            end.handshakeBytes += UInt64(flight.count)
            goesOn = true
        }
    }

    private func newEnd(_ name: ConnectionName?) -> End {
        End(
            name: name, handshake: TLSHandshake(isClient: name != nil),
            sealer: RecordSealer(form), opener: RecordOpener(form))
    }

    /// Bytes of the records' stream that are among the first `count` of the connection's.
    private static func sealed(_ count: ByteCount, of end: End) -> UInt64 {
        count.bytes > end.handshakeBytes ? count.bytes - end.handshakeBytes : 0
    }
}

extension [Segment] {
    /// All but the first `count` bytes.
    fileprivate func dropping(_ count: ByteCount) -> [Segment] {
        var rest: [Segment] = []
        var left = count
        for segment in self {
            let here = Swift.min(left, segment.length)
            let (_, tail) = segment.split(at: here)
            left = left - here
            if tail.length > .zero { rest.append(tail) }
        }
        return rest
    }
}
