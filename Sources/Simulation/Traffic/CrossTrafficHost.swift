import Content
import LinkModels
import Quantities
import RunLog
import RunPlan

/// Cross traffic on the run's links: streams of unanswered packets, greedy TCP flows, and flows of
/// the paced transport.
///
/// Its packets pass the same stages and queues as the run's own, with flow numbers from the upper
/// half. Its timers have kernel slots of their own. Traffic without a name never keeps a run alive;
/// a run lasts until its named flows have sent their bytes, and until their time is over.
struct CrossTrafficHost: ~Copyable, Clonable {
    private var streams: [PacketStream] = []
    private var flows: [CompetingFlow] = []
    private var paced: PacedFlows
    private var openedCount = 0
    private var stack: TCPStack
    /// Named flows with a length that are not over.
    private var awaitedCount = 0
    /// The end of the time in which named flows send.
    private var measuredUntil = Instant.start
    /// Windows of the named flows since they were taken; `nil` if nobody asks for them.
    private var windows: [CongestionWindow]?

    /// First timer slot of cross traffic; lower slots belong to the hosts.
    static let firstSlot: Int32 = 64
    private static let port: UInt16 = 1

    /// `links` are the links of the interfaces, before the ways to servers that are further away.
    init(
        _ plan: CrossTraffic, links: [LinkPlan], tcp: TCPSettings, seed: UInt64,
        followsWindows: Bool = false
    ) {
        windows = followsWindows ? [] : nil
        for var stream in plan.streams {
            let link = stream.direction.link(of: stream.interface)
            // Other hosts know the limit of the interface, too.
            if let limit = links[Int(link)].largestPacket(told: .byInterface) {
                stream.source.packetSize = min(stream.source.packetSize, limit)
            }
            let earlier = streams.count { $0.link == link }
            let name = "\(links[Int(link)].name)/cross-traffic"
            streams.append(
                PacketStream(
                    stream, number: streams.count,
                    random: RandomStream(
                        seed: seed, name: earlier == 0 ? name : "\(name)-\(earlier + 1)")))
        }
        var way = Int32(links.count)
        for group in plan.flows {
            let ways = Int32(group.ways.count)
            for begin in group.beginnings(seed: seed) {
                for _ in 0..<group.count {
                    flows.append(CompetingFlow(group, from: begin, over: ways > 0 ? way : nil))
                }
            }
            way += ways
        }
        // Flows are numbered like their connections, in order of opening.
        let order = flows.enumerated().sorted {
            ($0.element.begin, $0.offset) < ($1.element.begin, $1.offset)
        }
        flows = order.map(\.element).filter { $0.plan.paced == nil }
        awaitedCount = flows.count(where: \.isAwaited)
        for group in plan.flows where group.name != nil {
            if let until = group.until { measuredUntil = max(measuredUntil, .start + until) }
        }
        // A timer for each stream and each flow, and one for the end of the measured time.
        var slots = Int32(streams.count + flows.count + 1)
        paced = PacedFlows(
            order.map(\.element).filter { $0.plan.paced != nil }, over: links,
            firstNumber: flows.count, firstSlot: Self.firstSlot + slots)
        slots += paced.slotCount
        stack = TCPStack(
            tcp, seed: seed, streamName: "competing", foreignFrom: Self.firstSlot + slots)
        if !flows.isEmpty {
            stack.listen(.client, port: Self.port, onlyCounting: true)
            stack.listen(.server, port: Self.port, onlyCounting: true)
        }
    }

    var isEmpty: Bool { streams.isEmpty && flows.isEmpty && paced.isEmpty }

    /// Whether the run has to go on for the sake of named flows.
    func isAwaited(at now: Instant) -> Bool {
        awaitedCount > 0 || paced.isAwaited || now < measuredUntil
    }

    /// Returns the windows of the named flows since the last call.
    mutating func takeWindows() -> [CongestionWindow] {
        guard let taken = windows, !taken.isEmpty else { return [] }
        windows = []
        return taken
    }

    mutating func unshare() {
        keep(streams)
        keep(flows)
        keep(paced)
        stack.unshare()
    }

    // MARK: What the network calls

    /// Announces all flows and sets their first timers.
    mutating func begin(_ fabric: inout NetworkFabric) {
        for place in streams.indices {
            fabric.log.record(streams[place].announcement, at: .start)
            scheduleStream(place, &fabric)
        }
        for place in flows.indices {
            fabric.log.record(flows[place].announcement(number: place), at: .start)
            set(streams.count + place, at: flows[place].begin, &fabric)
        }
        paced.begin(&fabric)
        guard measuredUntil > .start else { return }
        set(streams.count + flows.count, at: measuredUntil, &fabric)
    }

    mutating func wake(slot: Int32, _ fabric: inout NetworkFabric) {
        let place = Int(slot - Self.firstSlot)
        let firstOfPaced = streams.count + flows.count + 1
        if place < streams.count {
            let stream = streams[place]
            fabric.send(stream.packet(at: fabric.kernel.nowNanoseconds), on: stream.link)
            scheduleStream(place, &fabric)
        } else if place < streams.count + flows.count {
            fabric.kernel.cancel(EventSource(.timerSlot, slot))
            openNext(&fabric)
        } else if place < firstOfPaced {
            fabric.kernel.cancel(EventSource(.timerSlot, slot))
        } else if place < firstOfPaced + Int(paced.slotCount) {
            return paced.wake(slot: slot, &fabric)
        } else {
            stack.wake(Int32(place - firstOfPaced) - paced.slotCount, &fabric)
        }
        react(&fabric)
    }

    mutating func arrived(
        _ packet: UnsafePointer<Packet>, from link: Int32, _ fabric: inout NetworkFabric
    ) {
        if let place = PacketStream.number(of: packet.pointee) {
            streams[place].delivered.add(bytes: Int(packet.pointee.size))
            return
        }
        let place = CompetingFlow.number(of: packet.pointee)
        guard place < flows.count else { return paced.arrived(packet, from: link, &fabric) }
        if link == flows[place].link {
            flows[place].delivered.add(bytes: Int(packet.pointee.size))
        }
        if let next = flows[place].next(after: link) {
            let blocks = packet.pointee.hasBlocks ? fabric.blocks(of: packet, on: link) : nil
            return fabric.send(Packet(packet.pointee), with: blocks, on: next)
        }
        // A packet with a wrong checksum is discarded (RFC 9293 §3.1).
        guard !packet.pointee.isCorrupted else { return }
        stack.arrived(packet, &fabric)
        react(&fabric)
    }

    mutating func closeBooks(_ fabric: inout NetworkFabric) {
        let now = fabric.kernel.now
        for stream in streams { fabric.log.record(stream.account, at: now) }
        for (place, flow) in flows.enumerated() {
            fabric.log.record(flow.account(number: place), at: now)
        }
        paced.closeBooks(&fabric)
    }

    // MARK: Streams

    private mutating func scheduleStream(_ place: Int, _ fabric: inout NetworkFabric) {
        if let next = streams[place].next() {
            set(place, at: next, &fabric)
        } else {
            fabric.kernel.cancel(EventSource(.timerSlot, Self.firstSlot + Int32(place)))
        }
    }

    private func set(_ place: Int, at moment: Instant, _ fabric: inout NetworkFabric) {
        let source = EventSource(.timerSlot, Self.firstSlot + Int32(place))
        fabric.kernel.set(source, atNanoseconds: moment.nanoseconds)
    }

    // MARK: Flows

    /// Opens the next flow. Simultaneous flows may be woken in any order.
    private mutating func openNext(_ fabric: inout NetworkFabric) {
        let place = openedCount
        openedCount += 1
        let (sender, receiver) = flows[place].hosts
        let handle = stack.connect(
            from: sender, to: receiver, port: Self.port, over: flows[place].plan.interface,
            controller: flows[place].plan.controller, serverLink: flows[place].serverLink, &fabric)
        precondition(handle.connection == place, "flow \(place) became \(handle.connection)")
    }

    private mutating func react(_ fabric: inout NetworkFabric) {
        while let event = stack.news.take() { react(to: event, &fabric) }
    }

    private mutating func react(to event: NetworkEvent, _ fabric: inout NetworkFabric) {
        switch event {
        case .connected(let handle), .roomAvailable(let handle):
            noteWindow(of: handle, at: fabric.kernel.now)
            write(handle, &fabric)
        case .peerFinished(let handle):
            // The receiver sends nothing, and ends its direction as well; then the sender knows
            // that everything has arrived.
            if handle.isOpener { end(handle) } else { stack.finish(handle, &fabric) }
        case .ended(let handle, _): end(handle)
        case .readable, .accepted, .timer: break
        }
    }

    private mutating func end(_ handle: StreamHandle) {
        guard !flows[handle.connection].isOver else { return }
        flows[handle.connection].isOver = true
        if flows[handle.connection].isAwaited { awaitedCount -= 1 }
    }

    private mutating func noteWindow(of handle: StreamHandle, at now: Instant) {
        guard windows != nil, handle.isOpener, flows[handle.connection].plan.name != nil
        else { return }
        let flow = CompetingFlow.flow(handle.connection)
        windows?.append(stack.window(handle, of: flow, at: now))
    }

    private mutating func write(_ handle: StreamHandle, _ fabric: inout NetworkFabric) {
        guard handle.isOpener else { return }
        let room = stack.room(handle)
        let (content, isLast) = flows[handle.connection].take(
            room, number: handle.connection, at: fabric.kernel.now)
        if let content { stack.send(handle, [.content(content)], &fabric) }
        if isLast { stack.finish(handle, &fabric) }
    }
}

extension CrossTraffic.Direction {
    /// Returns the link of an interface for traffic in this direction.
    func link(of interface: Int) -> Int32 {
        switch self {
        case .uplink: NetworkHost.client.link(of: interface)
        case .downlink: NetworkHost.server.link(of: interface)
        }
    }
}
