import Content
import Protocols
import Quantities
import RunLog
import RunPlan

/// The network as hosts see it: with TLS between them and TCP if the plan asks for it.
///
/// With TLS, an opener hears that it is connected after the handshake, and hosts read and write
/// content without records. Without TLS, everything passes through at no cost per packet.
struct SecuredNetwork: ~Copyable {
    /// The network below TLS.
    var transport: VirtualNetwork
    private let security: TransportSecurity
    private let flights: TLSFlights
    private let form: RecordForm
    private var ends: [StreamHandle: End] = [:]
    private var heard = HostNews()

    private struct End {
        /// Name of the opener's connection in the log; `nil` for the accepting end.
        var name: ConnectionName?
        var app: UInt16?
        var handshake: TLSHandshake
        var sealer: RecordSealer
        var opener: RecordOpener
        /// Unread content of opened records.
        var inbox: [Segment] = []
        /// Amount of unread content that need not be reported, and arrival of the latest content.
        var mayKeepBack = ByteCount.zero
        var latest = Instant.start
        /// Bytes of the handshake that this end has sent; its records follow them.
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
        to port: UInt16, over interface: Int = 0, as name: ConnectionName, of app: UInt16? = nil,
        isBackground: Bool = false
    ) -> StreamHandle {
        let handle = transport.connect(
            as: name, of: app, port: port, over: interface, isBackground: isBackground)
        if security != .none {
            ends[handle] = newEnd(name)
            ends[handle]?.app = app
        }
        return handle
    }

    /// Opens a stream of the paced transport, which is secure by itself.
    mutating func connect(
        to session: UInt64, _ settings: PacedSettings, hasChannels: Bool, over interface: Int
    ) -> StreamHandle {
        transport.connect(to: session, settings, hasChannels: hasChannels, over: interface)
    }

    /// Whether a stream has no TLS.
    private func isPlain(_ handle: StreamHandle) -> Bool { security == .none || handle.isPaced }

    mutating func send(_ handle: StreamHandle, _ segments: [Segment]) {
        guard !isPlain(handle) else { return transport.send(handle, segments) }
        guard var end = ends.removeValue(forKey: handle) else { return }
        defer { ends[handle] = end }
        guard !end.isFinished else { return }
        end.sealer.forget(before: Self.sealed(transport.transmitted(handle), of: end))
        transport.send(handle, end.sealer.seal(segments))
    }

    mutating func read(_ handle: StreamHandle, into segments: inout [Segment]) {
        guard !isPlain(handle) else { return transport.read(handle, into: &segments) }
        _ = takeKeptBack(handle, into: &segments)
    }

    /// Keeps back up to `count` bytes without telling the host, until it reads.
    mutating func keepBack(_ handle: StreamHandle, upTo count: ByteCount) {
        guard !isPlain(handle) else { return transport.keepBack(handle, upTo: count) }
        ends[handle]?.mayKeepBack = count
    }

    /// Returns what was kept back, and when the latest content came. From now on the host hears of
    /// everything.
    mutating func takeKeptBack(
        _ handle: StreamHandle, into segments: inout [Segment]
    ) -> Instant {
        guard !isPlain(handle) else { return transport.takeKeptBack(handle, into: &segments) }
        guard let (inbox, latest) = ends[handle].map({ ($0.inbox, $0.latest) }) else { return now }
        for segment in inbox { segments.join(segment) }
        ends[handle]?.inbox.removeAll()
        ends[handle]?.mayKeepBack = .zero
        return latest
    }

    mutating func finish(_ handle: StreamHandle) {
        if !isPlain(handle), var end = ends[handle], !end.isFinished {
            if end.handshake.isDone(flights) {
                transport.send(handle, end.sealer.sealCloseNotice())
            }
            end.isFinished = true
            ends[handle] = end
        }
        transport.finish(handle)
    }

    mutating func reset(_ handle: StreamHandle) {
        ends[handle]?.isFinished = true
        transport.reset(handle)
    }

    mutating func release(_ handle: StreamHandle) {
        if !isPlain(handle) { ends[handle] = nil }
        transport.release(handle)
    }

    /// Returns the free send buffer. As with a TLS library's own buffer, records may exceed it by
    /// their headers.
    func room(_ handle: StreamHandle) -> ByteCount { transport.room(handle) }

    /// Returns how much content was sent, without retransmissions.
    func transmitted(_ handle: StreamHandle) -> ByteCount {
        let count = transport.transmitted(handle)
        guard !isPlain(handle) else { return count }
        return ends[handle].map { $0.sealer.content(before: Self.sealed(count, of: $0)) } ?? .zero
    }

    // MARK: What the hosts hear

    /// Returns the next event for a host, if there is one.
    mutating func takeEvent() -> NetworkEvent? {
        guard security != .none else { return transport.takeEvent() }
        while heard.isEmpty, let event = transport.takeEvent() { pass(event) }
        return heard.take()
    }

    private mutating func pass(_ event: NetworkEvent) {
        if let handle = event.stream, handle.isPaced { return heard.append(event) }
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

    /// Handles bytes that have arrived: first the handshake, then content.
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
            // A host that has given up sends nothing more.
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

    /// Returns how many of the first `count` bytes sent belong to records after the handshake.
    private static func sealed(_ count: ByteCount, of end: End) -> UInt64 {
        count.bytes > end.handshakeBytes ? count.bytes - end.handshakeBytes : 0
    }
}

extension [Segment] {
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
