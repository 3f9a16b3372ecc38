package import Capture
package import Content
package import LinkModels
package import Quantities
package import RunLog
package import RunPlan

/// The virtual network: clients by their interfaces, a link each way of each, the servers behind
/// them, TCP between them, and the clock of the run.
///
/// A host calls the verbs, then `advance`, then `takeEvent`, again and again. Whatever a
/// host does happens at `now`, the moment of the latest event. What happens to packets is written
/// to the log; hosts write their own facts there too, and whoever runs the world drains it in
/// batches, when it is ripe.
package struct VirtualNetwork: ~Copyable, Clonable {
    private var fabric: NetworkFabric
    private var stack: TCPStack
    private var traffic: CrossTrafficHost
    private let isShared: Bool
    /// The hosts' timers that are set, a bit for each slot.
    private var pendingSlots: UInt64 = 0
    /// How many events there have been: packets that arrived, departures, timers.
    package private(set) var eventCount: UInt64 = 0

    /// Everything random here comes from streams named after the links: `uplink/loss`.
    ///
    /// `ties` is a seed by which events of one moment change places; without it they come in the
    /// order in which they were made.
    package init(
        _ interfaces: [InterfacePlan], tcp: TCPSettings = TCPSettings(),
        crossTraffic: CrossTraffic = CrossTraffic(), seed: UInt64, ties: UInt64? = nil,
        tap: consuming PacketTap? = nil
    ) {
        let links = interfaces.flatMap { [$0.uplink, $0.downlink] }
        fabric = NetworkFabric(links, seed: seed, ties: ties, tap: tap)
        fabric.tap?.windowsTravel(
            inUnitsOf: ReceiveWindow.shift(for: tcp.receiveWindow.bytes))
        fabric.pass(by: AddressTranslators(interfaces.map(\.translator)))
        stack = TCPStack(tcp, seed: seed)
        traffic = CrossTrafficHost(
            crossTraffic, links: links, tcp: tcp, seed: seed)
        isShared = !traffic.isEmpty
        traffic.begin(&fabric)
    }

    /// One client with one interface.
    package init(
        uplink: LinkPlan, downlink: LinkPlan, tcp: TCPSettings = TCPSettings(),
        crossTraffic: CrossTraffic = CrossTraffic(), seed: UInt64, ties: UInt64? = nil,
        tap: consuming PacketTap? = nil
    ) {
        self.init(
            [InterfacePlan(uplink: uplink, downlink: downlink)], tcp: tcp,
            crossTraffic: crossTraffic, seed: seed, ties: ties, tap: tap)
    }

    /// A clone goes on as the network does, but what it does stands in no capture file.
    package mutating func unshare() {
        fabric.unshare()
        stack.unshare()
        traffic.unshare()
    }

    package var log: RunLogSink {
        mutating _read { yield fabric.log }
        _modify { yield &fabric.log }
    }

    /// Whether it is time to drain the log.
    package var isLogRipe: Bool { fabric.isLogRipe }

    package mutating func drainLog(into reader: inout some RunLogReader) {
        fabric.drainLog(into: &reader)
    }

    // MARK: Time

    /// The moment of the latest event.
    package var now: Instant { fabric.kernel.now }

    /// When something will happen next, or `nil` if nothing ever will by itself: what is due at the
    /// end of time never comes.
    package var nextEventTime: Instant? {
        mutating get {
            if isShared, isQuiet { return nil }
            return nextMoment()
        }
    }

    /// Carries out events up to and including `limit`, but stops as soon as a host has to be told
    /// something, or the log is ripe; answers whether it stopped for one of these.
    package mutating func advance(until limit: Instant) -> Bool {
        if fabric.isLogRipe { fabric.keepLog() }
        let last = min(limit.nanoseconds, Instant.end.nanoseconds - 1)
        while stack.news.isEmpty, !fabric.isLogRipe {
            if isShared, isQuiet { return false }
            let next = fabric.kernel.first
            guard next.nanoseconds <= last else { return false }
            if next.source.kind == .link {
                // Nearly every event: a packet arrives.
                fabric.kernel.advance(toNanoseconds: next.nanoseconds)
                eventCount &+= 1
                let packet = fabric.deliver(from: next.source.index)
                stack.expect(fabric.coming(on: next.source.index), after: packet)
                arrived(packet)
            } else {
                carryOut(next.source, atNanoseconds: next.nanoseconds)
            }
        }
        return true
    }

    /// What a host has to be told next, if there is anything.
    package mutating func takeEvent() -> NetworkEvent? { stack.news.take() }

    /// Sets a host's timer, or moves it: each slot has one moment at most, and it is not in the
    /// past.
    package mutating func setTimer(slot: Int32, at time: Instant) {
        precondition(slot < AddressTranslators.slot, "slot \(slot) is not a host's")
        fabric.kernel.set(EventSource(.timerSlot, slot), atNanoseconds: time.nanoseconds)
        pendingSlots |= 1 << UInt64(slot)
    }

    package mutating func cancelTimer(slot: Int32) {
        fabric.kernel.cancel(EventSource(.timerSlot, slot))
        pendingSlots &= ~(1 << UInt64(slot))
    }

    /// Throws as soon as the packets that were asked for cannot be written any more.
    package func checkTap() throws(CaptureError) { try fabric.tap?.check() }

    /// Brings the packets that were asked for to their files.
    package func finishTap() throws(CaptureError) { try fabric.tap?.finish() }

    /// Writes the links' books, once, when the run is over.
    package mutating func closeBooks() {
        traffic.closeBooks(&fabric)
        fabric.closeBooks()
    }

    // MARK: Connections

    /// A host that only counts what comes at a port has it read there at once, and hears no word
    /// of it.
    package mutating func listen(_ host: NetworkHost, port: UInt16, onlyCounting: Bool = false) {
        stack.listen(host, port: port, onlyCounting: onlyCounting)
    }

    /// Who comes to this port from now on is refused.
    package mutating func stopListening(_ host: NetworkHost, port: UInt16) {
        stack.stopListening(host, port: port)
    }

    /// A connection stays on the interface over which it was opened, whatever becomes of that.
    package mutating func connect(
        from host: NetworkHost, to peer: NetworkHost, port: UInt16, over interface: Int = 0
    ) -> StreamHandle {
        stack.connect(from: host, to: peer, port: port, over: interface, &fabric)
    }

    /// The interface over which a connection was opened.
    package func interface(of handle: StreamHandle) -> Int { stack.interface(of: handle) }

    /// Queues content; a host that goes beyond `room` is not stopped, but should wait.
    package mutating func send(_ handle: StreamHandle, _ segments: [Segment]) {
        stack.send(handle, segments, &fabric)
    }

    /// Moves everything that has come in order, and was not read before, to the end of `segments`.
    package mutating func read(_ handle: StreamHandle, into segments: inout [Segment]) {
        stack.read(handle, into: &segments, &fabric)
    }

    /// Until the next reading the host need not hear of so much more that comes: nearly every
    /// packet of a long transfer is such a one. It is as if the host had read it at once.
    package mutating func keepBack(_ handle: StreamHandle, upTo count: ByteCount) {
        stack.keepBack(handle, upTo: count)
    }

    /// Moves what was kept back to the end of `segments`, and says when the latest of it came; from
    /// now on the host hears of everything again.
    package mutating func takeKeptBack(
        _ handle: StreamHandle, into segments: inout [Segment]
    ) -> Instant {
        stack.takeKeptBack(handle, into: &segments)
    }

    /// Ends this host's direction after everything queued; the other direction goes on.
    package mutating func finish(_ handle: StreamHandle) { stack.finish(handle, &fabric) }

    /// The host's process is gone: what the stack has taken still drains and is ended in order, but
    /// content that arrives is answered with a reset. A connection that does not stand yet
    /// vanishes.
    package mutating func abandon(_ handle: StreamHandle) { stack.abandon(handle, &fabric) }

    /// Ends both directions at once with a reset; no event follows on this side.
    package mutating func abort(_ handle: StreamHandle) { stack.abort(handle, &fabric) }

    /// The host will not speak of this stream again, whose end it has heard of; another connection
    /// may have its place. `abort` lets go of a stream, too.
    package mutating func release(_ handle: StreamHandle) { stack.release(handle, &fabric) }

    /// Free send buffer.
    package func room(_ handle: StreamHandle) -> ByteCount { stack.room(handle) }

    /// Stream bytes that have left for the first time.
    package func transmitted(_ handle: StreamHandle) -> ByteCount { stack.transmitted(handle) }

    /// Stream bytes that have come in order, read or not.
    package func received(_ handle: StreamHandle) -> ByteCount { stack.received(handle) }

    /// Stream bytes that the peer's stack has confirmed.
    package func acknowledged(_ handle: StreamHandle) -> ByteCount { stack.acknowledged(handle) }

    // MARK: Interfaces

    /// Both links of an interface go down, with all that is on them, or come up again; `hasMoved`
    /// to another network, the interface has another address there.
    package mutating func take(_ interface: Int, down: Bool, hasMoved: Bool = false) {
        if hasMoved { cutWays(of: interface, .ofFormerAddress) }
        fabric.take(NetworkHost.client.link(of: interface), down: down)
        fabric.take(NetworkHost.server.link(of: interface), down: down)
    }

    /// The connections of an interface reach their peers no more; their ends find out by
    /// themselves.
    package mutating func cutWays(of interface: Int, _ cut: WayCut) {
        stack.cutWays(of: interface, cut, &fabric)
    }

    /// Who connects over an interface finds a captive portal from now on, or the servers again. A
    /// port that the portal does not serve is refused, or `dropsOthers`.
    package mutating func makeCaptive(
        _ interface: Int, _ isCaptive: Bool, dropsOthers: Bool = false
    ) {
        stack.makeCaptive(interface, isCaptive, dropsOthers: dropsOthers)
    }

    /// The host has lost the network that this connection is on: this end is over at once, which
    /// is an event, and the peer hears nothing.
    package mutating func lose(_ handle: StreamHandle) { stack.lose(handle, &fabric) }

    // MARK: Private parts

    /// Whether nothing is left to happen but cross traffic, which goes on for ever. What a host has
    /// not been told yet is not looked at.
    private var isQuiet: Bool {
        @inline(never) mutating get {
            pendingSlots == 0 && !fabric.hasOwnPackets && !stack.hasDeadline
        }
    }

    /// When the first event is really due: endpoints leave entries behind when deadlines move on.
    private mutating func nextMoment() -> Instant? {
        var next = fabric.kernel.first
        while next.source.kind == .endpoint, !stack.isDue(next.source.index, &fabric) {
            next = fabric.kernel.first
        }
        return next.nanoseconds < Instant.end.nanoseconds
            ? Instant(nanoseconds: next.nanoseconds) : nil
    }

    /// Transparent, and so are those by which it leads on: in a function as long as the loop above,
    /// the compiler does not heed a mere wish that they be inlined.
    @_transparent
    private mutating func arrived(_ packet: UnsafePointer<Packet>) {
        if packet.pointee.isForeign {
            traffic.arrived(packet, &fabric)
        } else if !packet.pointee.isCorrupted {
            // What does not pass the checksum never came (RFC 9293 §3.1).
            stack.arrived(packet, &fabric)
        }
    }

    /// The other kinds.
    @inline(never)
    private mutating func carryOut(_ source: EventSource, atNanoseconds time: UInt64) {
        if source.kind == .endpoint, !stack.isDue(source.index, &fabric) { return }
        fabric.kernel.advance(toNanoseconds: time)
        eventCount &+= 1
        switch source.kind {
        case .link: preconditionFailure("a packet that arrives is not another kind of event")
        case .departure: fabric.depart(from: source.index)
        case .endpoint: stack.wake(source.index, &fabric)
        case .timerSlot:
            if source.index >= CrossTrafficHost.firstSlot {
                traffic.wake(slot: source.index, &fabric)
            } else if source.index == AddressTranslators.slot {
                for mapping in fabric.forgetMappings() { stack.forget(mapping, &fabric) }
            } else {
                cancelTimer(slot: source.index)
                stack.news.append(.timer(slot: source.index))
            }
        }
    }
}
