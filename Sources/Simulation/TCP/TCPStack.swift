import CProcessor
import Content
import LinkModels
import Quantities
import RunLog
import RunPlan

/// All endpoints of all hosts, and the ports on which hosts listen.
///
/// The two ends of a connection are neighbours, the opener at an even index, so that packets find
/// their ends without a look-up. Raw storage, because every packet needs an endpoint.
struct TCPStack: ~Copyable, Clonable {
    var news = HostNews()
    private(set) var endpoints: UnsafeMutablePointer<TCPEndpoint>
    private var capacity = 8
    private var count = 0
    private var listeners: [PortListener] = []
    /// State that the two ends of a connection share, indexed by half of their index.
    private var pairs: [Pair] = []
    private var retired = RetiredPairs()
    /// Connections so far.
    private var connections: UInt32 = 0
    private var initialSequences: RandomStream
    private let settings: TCPSettings
    private let seed: UInt64
    /// First timer slot of the endpoints; `nil` unless this stack is for cross traffic. The
    /// endpoints of cross traffic have negative numbers, which tell its packets apart.
    private let firstSlot: Int32?
    /// Mask that translates a place into the number of an endpoint and back, by exclusive or.
    private let numbering: Int32
    /// Interfaces whose new connections lead the client to a captive portal.
    private var captive: [Portal] = []
    private var routes = KnownRoutes()

    private struct Pair {
        /// Host and port where the accepting end would listen.
        var destination: PortListener
        var interface: Int
        var generation: UInt8 = 0
        var isRetired = false
        /// Answer to the client's packets after its way was cut.
        var stray = WayCut.Answer.none
    }

    init(
        _ settings: TCPSettings, seed: UInt64, streamName: String = "tcp",
        foreignFrom firstSlot: Int32? = nil
    ) {
        self.settings = settings
        self.seed = seed
        self.firstSlot = firstSlot
        numbering = firstSlot == nil ? 0 : -1
        endpoints = .allocate(capacity: capacity)
        initialSequences = RandomStream(seed: seed, name: "\(streamName)/initial-sequence")
    }

    deinit {
        endpoints.deinitialize(count: count)
        endpoints.deallocate()
    }

    mutating func unshare() {
        news.unshare()
        let originals = endpoints
        endpoints = .allocate(capacity: capacity)
        for place in 0..<count {
            (endpoints + place).initialize(to: originals[place].clone())
        }
        keep(listeners)
        keep(pairs)
        keep(retired)
        keep(routes)
    }

    mutating func listen(_ host: NetworkHost, port: UInt16, onlyCounting: Bool = false) {
        let listener = PortListener(host: host, port: port, onlyCounts: onlyCounting)
        if !listeners.contains(where: listener.isFor) { listeners.append(listener) }
    }

    mutating func stopListening(_ host: NetworkHost, port: UInt16) {
        listeners.removeAll(where: PortListener(host: host, port: port).isFor)
    }

    mutating func connect(
        from host: NetworkHost, to peer: NetworkHost, port: UInt16, over interface: Int = 0,
        controller: TCPSettings.Controller? = nil, isBackground: Bool = false,
        serverLink: Int32? = nil, address: PeerAddress = PeerAddress(),
        _ fabric: inout NetworkFabric
    ) -> StreamHandle {
        precondition(host != peer, "\(host) cannot reach itself over a link")
        let portal = captive.first { $0.interface == interface && host == .client }
        // Nobody listens at an address that cannot be reached.
        let target: NetworkHost = address.reach == .open ? peer : host
        let destination = PortListener(host: portal == nil ? target : .portal, port: port)
        let handle = StreamHandle(
            index: Int32(2 * pair(for: destination, over: interface, &fabric)))
        connections &+= 1
        let segment = fabric.segment(over: interface, by: address.family)
        let ofOpener = isBackground ? settings.backgroundController : nil
        let ends = [
            controller ?? ofOpener ?? settings.controller(of: host),
            controller ?? settings.controller(of: peer),
        ]
        var settings = settings
        // Both ends can count marks where one of them needs that.
        if ends.contains(where: \.countsMarks) { settings.ecn = .accurate }
        for (place, host) in [(handle.place, host), (handle.otherEnd.place, peer)] {
            let link = (host == .client ? nil : serverLink) ?? host.link(of: interface)
            begin(
                place, on: host, by: link, address.family,
                place == handle.place ? ends[0] : ends[1], settings,
                segment: min(segment, routes.segment(by: link, address.family, fabric) ?? segment))
        }
        if numbering == 0 {
            fabric.tap?.opened(
                handle, number: connections, port: port, over: interface, segment: segment)
        }
        if let portal, portal.dropsOthers, !listeners.contains(where: destination.isFor) {
            cut(handle, .init(answer: .none), &fabric)
        } else if portal == nil, address.reach == .blackHole {
            cut(handle, .init(answer: .none), &fabric)
        }
        endpoints[handle.place].connect(&fabric)
        return handle
    }

    typealias Portal = (interface: Int, dropsOthers: Bool, answersPage: Bool)

    mutating func makeCaptive(_ portal: Portal?, before interface: Int) {
        captive.removeAll { $0.interface == interface }
        if let portal { captive.append(portal) }
    }

    func portalAnswersPage(_ handle: StreamHandle) -> Bool {
        captive.contains { $0.interface == interface(of: handle) && $0.answersPage }
    }

    mutating func cutWays(of interface: Int, _ cut: WayCut, _ fabric: inout NetworkFabric) {
        for pair in pairs.indices where pairs[pair].interface == interface {
            guard !pairs[pair].isRetired else { continue }
            self.cut(StreamHandle(index: Int32(2 * pair)), cut, &fabric)
        }
    }

    private mutating func cut(
        _ opener: StreamHandle, _ cut: WayCut, _ fabric: inout NetworkFabric
    ) {
        pairs[opener.place / 2].stray = cut.answer
        for place in [opener.place, opener.otherEnd.place] {
            let link = endpoints[place].link
            guard cut.isOfBothEnds || !NetworkHost.isUplink(link) else { continue }
            endpoints[place].cutOff(sendingTo: fabric.linkToNowhere(inPlaceOf: link))
        }
        if numbering == 0 { fabric.tap?.wayIsCut(opener) }
    }

    /// Handles a translator that has forgotten a connection, unless the connection is over or cut.
    mutating func forget(
        _ mapping: AddressTranslators.Mapping, _ fabric: inout NetworkFabric
    ) {
        let opener = StreamHandle(index: Int32(2 * mapping.place))
        let acceptor = opener.otherEnd.place
        guard endpoints[acceptor].hears == mapping.generation,
            !endpoints[opener.place].isOver || !endpoints[acceptor].isOver
        else { return }
        let fact = NetworkFact.mappingForgotten(
            interface: UInt16(mapping.interface), after: mapping.plan.forgetsAfter)
        fabric.log.record(.network(fact), at: fabric.kernel.now)
        cut(opener, WayCut(answer: mapping.plan.resets ? .reset : .none), &fabric)
    }

    /// Ends one end of a connection at once. The peer hears nothing.
    mutating func lose(_ handle: StreamHandle, _ fabric: inout NetworkFabric) {
        guard endpoints[handle.place].end == nil else { return }
        endpoints[handle.place].lose(&fabric)
        tell(.ended, of: handle)
    }

    /// Releases a stream. Once both ends are over and released, their places may be reused.
    mutating func release(_ handle: StreamHandle, _ fabric: inout NetworkFabric) {
        endpoints[handle.place].isHeld = false
        retire(handle.place, &fabric)
    }

    mutating func send(
        _ handle: StreamHandle, _ segments: [Segment], _ fabric: inout NetworkFabric
    ) {
        // Writes to a closed connection are ignored, as with a socket.
        guard endpoints[handle.place].end == nil else { return }
        for segment in segments { endpoints[handle.place].sender.table.append(segment) }
        if numbering == 0 { fabric.tap?.given(segments, to: handle) }
        endpoints[handle.place].queue(segments.length.bytes, &fabric)
    }

    mutating func read(
        _ handle: StreamHandle, into output: inout [Segment], _ fabric: inout NetworkFabric
    ) {
        let count = endpoints[handle.place].read(&fabric)
        endpoints[handle.otherEnd.place].sender.table.take(count, into: &output)
    }

    mutating func keepBack(_ handle: StreamHandle, upTo count: ByteCount) {
        endpoints[handle.place].keepBack(upTo: count.bytes)
    }

    mutating func takeKeptBack(
        _ handle: StreamHandle, into output: inout [Segment]
    ) -> Instant {
        let (count, latest) = endpoints[handle.place].takeKeptBack()
        endpoints[handle.otherEnd.place].sender.table.take(count, into: &output)
        return Instant(nanoseconds: latest)
    }

    mutating func finish(_ handle: StreamHandle, _ fabric: inout NetworkFabric) {
        // A connection that is only being opened is gone at once (RFC 9293 §3.10.4).
        let isOpening = endpoints[handle.place].state == .synSent
        if isOpening { return reset(handle, because: .closed, &fabric) }
        endpoints[handle.place].finish(&fabric)
    }

    mutating func abandon(_ handle: StreamHandle, _ fabric: inout NetworkFabric) {
        endpoints[handle.place].abandon(&fabric)
        // A connection that was never established has vanished.
        if endpoints[handle.place].state == .closed { release(handle, &fabric) }
    }

    mutating func abort(_ handle: StreamHandle, _ fabric: inout NetworkFabric) {
        endpoints[handle.place].abort(&fabric)
        release(handle, &fabric)
    }

    /// Resets a connection for its own host, which hears of the end.
    mutating func reset(
        _ handle: StreamHandle, because reason: ConnectionEnd = .aborted,
        _ fabric: inout NetworkFabric
    ) {
        guard endpoints[handle.place].end == nil else { return }
        endpoints[handle.place].abort(because: reason, &fabric)
        tell(.ended, of: handle)
    }

    /// Prefetches the endpoint of a packet that will arrive soon, unless the current packet has the
    /// same.
    @inline(__always)
    func expect(_ coming: UnsafePointer<Packet>, after packet: UnsafePointer<Packet>) {
        guard coming.pointee.endpoint != packet.pointee.endpoint else { return }
        let end = UnsafeRawPointer(endpoints + Int(coming.pointee.endpoint))
        // By cache lines: the receiver comes first, and part of the sender is used only for
        // losses.
        if coming.pointee.payload > 0 {
            for line in 0..<4 { prefetch(end + 64 * line) }
        } else {
            for line in 0..<12 { prefetch(end + 64 * line) }
            for line in 16..<20 { prefetch(end + 64 * line) }
        }
    }

    @_transparent
    mutating func arrived(_ packet: UnsafePointer<Packet>, _ fabric: inout NetworkFabric) {
        let place = Int(packet.pointee.endpoint ^ numbering)
        // A packet of an earlier connection in this place: an exact check replaces a real stack's
        // timestamps (RFC 7323 §5.3).
        guard packet.pointee.generation == endpoints[place].hears else {
            return strayArrived(packet, at: place, &fabric)
        }
        var notice: TCPNotice
        if endpoints[place].isUsual(packet) {
            notice = endpoints[place].usualArrived(packet, &fabric)
        } else {
            if packet.pointee.flags.asksToOpen { asked(place) }
            routes.see(packet, by: endpoints[place].link, fabric)
            notice = endpoints[place].arrived(packet, &fabric)
            if endpoints[place].isOver { retire(place, &fabric) }
        }
        if notice.contains(.readable), endpoints[place].keepsBack(&fabric) {
            notice.remove(.readable)
        }
        guard !notice.isEmpty else { return }
        let handle = StreamHandle(index: Int32(place))
        // Nearly always this notice alone.
        if notice == .readable {
            news.append(.readable(handle))
        } else {
            tell(notice, of: handle)
        }
    }

    /// Drops a stray packet. If it belongs to the current connection, whose way is cut, it may be
    /// answered with a reset.
    @inline(never)
    private func strayArrived(
        _ packet: UnsafePointer<Packet>, at place: Int, _ fabric: inout NetworkFabric
    ) {
        let pair = pairs[place / 2]
        guard pair.stray == .reset, packet.pointee.generation == endpoints[place].generation,
            !packet.pointee.flags.contains(.rst)
        else { return }
        fabric.sendFromWay(
            endpoints[place].reset(answering: packet, fabric),
            on: NetworkHost.server.link(of: pair.interface))
    }

    /// Lets a closed endpoint listen if its host listens on the port.
    private mutating func asked(_ place: Int) {
        let destination = pairs[place / 2].destination
        guard endpoints[place].state == .closed, endpoints[place].end == nil,
            let listener = listeners.first(where: { $0.isFor(destination) })
        else { return }
        endpoints[place].listen(onlyCounting: listener.onlyCounts)
    }

    mutating func isDue(_ index: Int32, _ fabric: inout NetworkFabric) -> Bool {
        endpoints[Int(index)].isDue(&fabric)
    }

    mutating func wake(_ index: Int32, _ fabric: inout NetworkFabric) {
        let notice = endpoints[Int(index)].wake(&fabric)
        if endpoints[Int(index)].isOver { retire(Int(index), &fabric) }
        if !notice.isEmpty { tell(notice, of: StreamHandle(index: index)) }
    }

    func interface(of handle: StreamHandle) -> Int { pairs[handle.place / 2].interface }

    /// Whether any end has a deadline.
    var hasDeadline: Bool {
        (0..<count).contains { endpoints[$0].earliestDeadline != RetransmissionTimer.never }
    }

    // MARK: Places for connections

    /// Returns a place for two uninitialized ends: that of a former connection, or a new one.
    private mutating func pair(
        for destination: PortListener, over interface: Int, _ fabric: inout NetworkFabric
    ) -> Int {
        while let pair = retired.next(at: fabric.kernel.nowNanoseconds) {
            pairs[pair].isRetired = false
            // A late SYN may have revived the accepting end.
            guard endpoints[2 * pair].isOver, endpoints[2 * pair + 1].isOver else { continue }
            pairs[pair].destination = destination
            pairs[pair].interface = interface
            pairs[pair].stray = .none
            pairs[pair].generation &+= 1
            for place in (2 * pair)...(2 * pair + 1) {
                fabric.kernel.cancel(EventSource(.endpoint, Int32(place)))
            }
            (endpoints + 2 * pair).deinitialize(count: 2)
            return pair
        }
        if count == capacity {
            endpoints.move(count, toCapacity: 2 * capacity)
            capacity *= 2
        }
        count += 2
        pairs.append(Pair(destination: destination, interface: interface))
        return pairs.count - 1
    }

    private mutating func begin(
        _ place: Int, on host: NetworkHost, by link: Int32, _ family: AddressFamily,
        _ controller: TCPSettings.Controller, _ settings: TCPSettings, segment: UInt64
    ) {
        let source = firstSlot.map { EventSource(.timerSlot, $0 + Int32(place)) }
        let endpoint = TCPEndpoint(
            index: Int32(place) ^ numbering, link: link, generation: pairs[place / 2].generation,
            initialSequence: UInt64(UInt32(truncatingIfNeeded: initialSequences.next())),
            controller: CongestionController(
                controller, settings, segment: segment, family: family, seed: seed,
                endpoint: Int32(truncatingIfNeeded: 2 * (connections - 1)) + Int32(place & 1)
                    ^ numbering),
            segment: segment, family: family, blackHoles: settings.blackHoles(of: host),
            settings: settings, source: source)
        (endpoints + place).initialize(to: endpoint)
    }

    /// Frees a place if both ends are over and released. Cross traffic keeps its places, because
    /// they identify its flows.
    private mutating func retire(_ place: Int, _ fabric: inout NetworkFabric) {
        let pair = place / 2
        guard numbering == 0, !pairs[pair].isRetired, endpoints[2 * pair].mayBeReplaced,
            endpoints[2 * pair + 1].mayBeReplaced
        else { return }
        pairs[pair].isRetired = true
        retired.append(pair, at: fabric.kernel.nowNanoseconds)
    }

    private mutating func tell(_ notice: TCPNotice, of handle: StreamHandle) {
        if notice.contains(.connected) { news.append(.connected(handle)) }
        if notice.contains(.accepted) {
            let destination = pairs[handle.place / 2].destination
            news.append(.accepted(handle, destination.host, port: destination.port))
        }
        if notice.contains(.readable) { news.append(.readable(handle)) }
        if notice.contains(.peerFinished) { news.append(.peerFinished(handle)) }
        if notice.contains(.roomAvailable) { news.append(.roomAvailable(handle)) }
        if notice.contains(.ended), let end = endpoints[handle.place].end {
            news.append(.ended(handle, end))
        }
    }
}
