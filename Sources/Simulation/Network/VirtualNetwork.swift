package import Capture
package import LinkModels
package import Quantities
package import RunLog
package import RunPlan

/// The virtual network: the clients' interfaces with two links each, the servers behind them, TCP
/// between both, and the clock of the run.
///
/// A host calls the verbs, then `advance`, then `takeEvent`, again and again. All calls happen at
/// `now`, the time of the latest event. Packets and the hosts' facts go to the log; the world
/// drains it in batches.
package struct VirtualNetwork: ~Copyable, Clonable {
    var fabric: NetworkFabric
    var stack: TCPStack
    /// Streams of the paced transport.
    var paced: PacedStack
    private var traffic: CrossTrafficHost
    /// Connections by name; `nil` if the hosts know the server's address.
    var names: NameService?
    private let isShared: Bool
    /// Pending timers of the hosts, one bit per slot.
    private var pendingSlots: UInt64 = 0
    /// Number of events so far: arrivals, departures and timers.
    package private(set) var eventCount: UInt64 = 0

    /// Creates a network. Random streams are named after the links: `uplink/loss`.
    ///
    /// `ties` is a seed for a random order of simultaneous events. Without it, they keep the order
    /// of insertion.
    package init(
        _ interfaces: [InterfacePlan], tcp: TCPSettings = TCPSettings(),
        crossTraffic: CrossTraffic = CrossTraffic(), names: NamePlan? = nil,
        pacedDoor: PacedDoor = .open, seed: UInt64, ties: UInt64? = nil,
        followsWindows: Bool = false, tap: consuming PacketTap? = nil
    ) {
        let links = interfaces.flatMap { [$0.uplink, $0.downlink] }
        fabric = NetworkFabric(
            links + crossTraffic.flows.flatMap(\.ways), flows: interfaces.flatMap(tcp.bulkFlows),
            radios: InterfaceRadios(interfaces.map(\.radio)), seed: seed, ties: ties, tap: tap)
        fabric.tap?.windowsTravel(
            inUnitsOf: ReceiveWindow.shift(for: tcp.receiveWindow.bytes))
        fabric.pass(by: AddressTranslators(interfaces.map(\.translator)))
        stack = TCPStack(tcp, seed: seed)
        paced = PacedStack(behind: pacedDoor, interfaces.map(\.translator))
        traffic = CrossTrafficHost(
            crossTraffic, links: links, tcp: tcp, seed: seed, followsWindows: followsWindows)
        self.names = NameService(names)
        if let names { fabric.tap?.keepsNames = names.keep }
        isShared = !traffic.isEmpty || names != nil
        traffic.begin(&fabric)
        self.names?.begin(links: links.count, &fabric)
    }

    /// Creates a network of one client with one interface.
    package init(
        uplink: LinkPlan, downlink: LinkPlan, tcp: TCPSettings = TCPSettings(),
        crossTraffic: CrossTraffic = CrossTraffic(), seed: UInt64, ties: UInt64? = nil,
        tap: consuming PacketTap? = nil
    ) {
        self.init(
            [InterfacePlan(uplink: uplink, downlink: downlink)], tcp: tcp,
            crossTraffic: crossTraffic, seed: seed, ties: ties, tap: tap)
    }

    /// Makes a clone independent. It continues like the original, but writes no capture files.
    package mutating func unshare() {
        fabric.unshare()
        stack.unshare()
        traffic.unshare()
        keep(paced)
        keep(names)
    }

    package var log: RunLogSink {
        mutating _read { yield fabric.log }
        _modify { yield &fabric.log }
    }

    package var isLogRipe: Bool { fabric.isLogRipe }

    package mutating func drainLog(into reader: inout some RunLogReader) {
        fabric.drainLog(into: &reader)
    }

    // MARK: Time

    package var now: Instant { fabric.kernel.now }

    /// Time of the next event; `nil` if nothing happens by itself before the end of time.
    package var nextEventTime: Instant? {
        mutating get {
            if isShared, isQuiet { return nil }
            return nextMoment()
        }
    }

    /// Carries out events up to and including `limit`, but stops early if there is news for a host
    /// or the log is ripe. Returns whether it stopped early.
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
                arrived(packet, from: next.source.index)
            } else {
                carryOut(next.source, atNanoseconds: next.nanoseconds)
            }
        }
        return true
    }

    /// Returns the next event for a host, if there is one.
    package mutating func takeEvent() -> NetworkEvent? {
        guard names != nil else { return stack.news.take() }
        while let event = stack.news.take() {
            if let heard = names?.heard(event, &stack, &fabric) { return heard }
        }
        return nil
    }

    /// Sets or moves a host's timer. Each slot has at most one time; it must not be in the past.
    package mutating func setTimer(slot: Int32, at time: Instant) {
        precondition(slot < PacedStack.slot, "slot \(slot) is not a host's")
        fabric.kernel.set(EventSource(.timerSlot, slot), atNanoseconds: time.nanoseconds)
        pendingSlots |= 1 << UInt64(slot)
    }

    package mutating func cancelTimer(slot: Int32) {
        fabric.kernel.cancel(EventSource(.timerSlot, slot))
        pendingSlots &= ~(1 << UInt64(slot))
    }

    package func checkTap() throws(CaptureError) { try fabric.tap?.check() }

    package func finishTap() throws(CaptureError) { try fabric.tap?.finish() }

    /// Writes the books of the links at the end of the run.
    package mutating func closeBooks() {
        traffic.closeBooks(&fabric)
        names?.closeBooks(&fabric)
        fabric.closeBooks()
    }

    /// Returns the windows of the named flows since the last call.
    package mutating func takeWindows() -> [CongestionWindow] { traffic.takeWindows() }

    // MARK: Interfaces

    /// Takes both links of an interface down, with all packets on them, or brings them up. With
    /// `hasMoved`, the interface gets another address.
    package mutating func take(_ interface: Int, down: Bool, hasMoved: Bool = false) {
        if hasMoved { cutWays(of: interface, .ofFormerAddress) }
        if down || hasMoved { names?.networkChanged(interface, &fabric) }
        fabric.take(NetworkHost.client.link(of: interface), down: down)
        fabric.take(NetworkHost.server.link(of: interface), down: down)
    }

    /// Cuts the connections of an interface off from their peers. Both ends have to find out by
    /// themselves.
    package mutating func cutWays(of interface: Int, _ cut: WayCut) {
        stack.cutWays(of: interface, cut, &fabric)
        paced.cutWays(of: interface, &fabric)
    }

    /// Puts a captive portal in the servers' place for new connections, or removes it. The portal
    /// refuses ports that it does not serve, or drops their packets.
    package mutating func makeCaptive(
        _ interface: Int, _ isCaptive: Bool, dropsOthers: Bool = false, answersPage: Bool = false
    ) {
        stack.makeCaptive(
            isCaptive ? (interface, dropsOthers, answersPage) : nil, before: interface)
    }

    /// Whether the portal that a client has reached answers with a page instead of a redirect.
    package func portalAnswersPage(_ handle: StreamHandle) -> Bool {
        stack.portalAnswersPage(handle)
    }

    /// Ends one end of a connection at once, with an event, because its network is gone. The peer
    /// hears nothing.
    package mutating func lose(_ handle: StreamHandle) {
        guard let stream = stream(of: handle) else {
            return cancel(handle, because: .networkLost)
        }
        guard !stream.isPaced else {
            return paced.vanish(stream, because: .networkLost, &fabric, &stack.news)
        }
        stack.lose(stream, &fabric)
    }

    // MARK: Private parts

    /// Whether only cross traffic is left for which nobody waits. Ignores events not yet reported
    /// to a host.
    private var isQuiet: Bool {
        @_transparent mutating get {
            pendingSlots == 0 && !traffic.isAwaited(at: now) && isIdle
        }
    }

    /// Whether no host does or awaits anything.
    private var isIdle: Bool {
        @inline(never) mutating get {
            !fabric.hasOwnPackets && !stack.hasDeadline && !paced.isBusy && names?.isBusy != true
        }
    }

    /// Returns the time of the first real event: endpoints leave entries behind when deadlines
    /// move.
    private mutating func nextMoment() -> Instant? {
        var next = fabric.kernel.first
        while next.source.kind == .endpoint, !stack.isDue(next.source.index, &fabric) {
            next = fabric.kernel.first
        }
        return next.nanoseconds < Instant.end.nanoseconds
            ? Instant(nanoseconds: next.nanoseconds) : nil
    }

    /// Handles an arrival. It is transparent, like the functions it calls, because the compiler
    /// ignores `@inline(__always)` in a long function.
    @_transparent
    private mutating func arrived(_ packet: UnsafePointer<Packet>, from link: Int32) {
        if packet.pointee.isForeign {
            if !packet.pointee.isLostOnWay { foreignArrived(packet, from: link) }
        } else if packet.pointee.isWhole {
            // A packet with a wrong checksum is discarded (RFC 9293 §3.1).
            stack.arrived(packet, &fabric)
        }
    }

    @inline(never)
    private mutating func foreignArrived(_ packet: UnsafePointer<Packet>, from link: Int32) {
        if packet.pointee.isPaced {
            paced.arrived(packet.pointee, from: link, &fabric, &stack.news)
        } else if packet.pointee.endpoint == NamePackets.endpoint {
            names?.arrived(packet, from: link, &stack, &fabric)
        } else {
            traffic.arrived(packet, from: link, &fabric)
        }
    }

    /// Carries out events that are not arrivals.
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
            } else if source.index == NameService.slot {
                names?.wake(&stack, &fabric)
            } else if source.index == AddressTranslators.slot {
                for mapping in fabric.forgetMappings() { stack.forget(mapping, &fabric) }
            } else if source.index == PathRouters.slot {
                fabric.answerLargePackets()
            } else if source.index == PacedStack.slot {
                paced.wake(&fabric, &stack.news)
            } else {
                cancelTimer(slot: source.index)
                stack.news.append(.timer(slot: source.index))
            }
        }
    }
}
