import Content
import Device
import LinkModels
import Protocols
import Quantities
import RunLog
import RunPlan
import Simulation

/// A client and a server over one link each way, for tests: each sends what it has, as the buffer
/// takes it, reads at once, and ends its direction after the last byte.
final class TwoHosts {
    var network: VirtualNetwork
    var events: [NetworkEvent] = []
    var packets: [PacketRecord] = []
    var facts: [RunEvent] = []
    /// What arrived at each end, joined.
    var received: [StreamHandle: [ContentRange]] = [:]
    var ends: [StreamHandle: ConnectionEnd] = [:]
    /// What each end still has to send.
    var waiting: [StreamHandle: [Segment]] = [:]
    /// How much the stack has taken from each end.
    private(set) var queued: [StreamHandle: ByteCount] = [:]
    /// Those whose peers have finished.
    private var hasHeardAll: Set<StreamHandle> = []
    /// What the server answers to each connection that it accepts.
    var answer: [Segment] = []
    /// Whether the ends stay open when they have nothing more to send.
    var staysOpen = false
    /// Whether the hosts read what comes at once; if not, a test calls `read`.
    var readsAtOnce = true
    private(set) var client: StreamHandle?
    private(set) var server: StreamHandle?

    static let port: UInt16 = 80

    init(
        _ uplink: LinkPlan, _ downlink: LinkPlan, controller: TCPSettings.Controller = .newReno,
        tcp: TCPSettings? = nil, marksCongestion: Bool = false,
        crossTraffic: CrossTraffic = CrossTraffic(), seed: UInt64 = 7, ties: UInt64? = nil,
        tap: consuming PacketTap? = nil
    ) {
        network = VirtualNetwork(
            uplink: uplink, downlink: downlink,
            tcp: tcp ?? TCPSettings(controller: controller, ecn: marksCongestion ? .on : .off),
            crossTraffic: crossTraffic, seed: seed, ties: ties, tap: tap)
    }

    /// A client with several interfaces.
    init(_ interfaces: [InterfacePlan], seed: UInt64 = 7, tap: consuming PacketTap? = nil) {
        network = VirtualNetwork(interfaces, seed: seed, tap: tap)
    }

    /// A client that has to ask for the server's addresses.
    init(
        _ interfaces: [InterfacePlan], names: NamePlan, tcp: TCPSettings = TCPSettings(),
        seed: UInt64 = 7, ties: UInt64? = nil, tap: consuming PacketTap? = nil
    ) {
        network = VirtualNetwork(
            interfaces, tcp: tcp, names: names, seed: seed, ties: ties, tap: tap)
    }

    /// Opens a connection by name; its number is that of the call.
    @discardableResult
    func call(
        _ number: UInt32 = 1, over interface: Int = 0, sending content: [Segment] = []
    ) -> StreamHandle {
        network.listen(.server, port: Self.port)
        let handle = network.connect(
            as: ConnectionName(launch: 1, number: number), of: nil, port: Self.port,
            over: interface, isBackground: false)
        client = handle
        waiting[handle] = content
        return handle
    }

    @discardableResult
    func open(
        listening: Bool = true, over interface: Int = 0, isBackground: Bool = false,
        sending content: [Segment] = []
    ) -> StreamHandle {
        if listening { network.listen(.server, port: Self.port) }
        let handle = network.connect(
            from: .client, to: .server, port: Self.port, over: interface,
            isBackground: isBackground)
        client = handle
        waiting[handle] = content
        return handle
    }

    /// Opens a stream of the paced transport, to a session that the server knows or does not know.
    @discardableResult
    func openPaced(
        _ session: UInt64 = 1, isKnown: Bool = true, sending content: [Segment] = []
    ) -> StreamHandle {
        if isKnown { network.admit(session, PacedSettings()) }
        let handle = network.connect(to: session, PacedSettings(), over: 0)
        client = handle
        waiting[handle] = content
        return handle
    }

    /// Plays until nothing is left to happen, or to the limit.
    func play(until limit: Instant = Instant(nanoseconds: 3_600_000_000_000)) {
        while network.advance(until: limit) {
            while let event = network.takeEvent() {
                react(to: event)
                events.append(event)
            }
        }
        collectLog()
    }

    func collectLog() {
        var reader = Collector()
        network.drainLog(into: &reader)
        packets += reader.packets
        facts += reader.facts
    }

    private func react(to event: NetworkEvent) {
        switch event {
        case .connected(let handle), .roomAvailable(let handle):
            feed(handle)
        case .accepted(let handle, _, _):
            server = handle
            waiting[handle] = answer
            feed(handle)
        case .readable(let handle):
            if readsAtOnce { read(handle) }
        case .ended(let handle, let end):
            ends[handle] = end
        case .peerFinished(let handle):
            hasHeardAll.insert(handle)
            feed(handle)
        case .timer:
            break
        }
    }

    func read(_ handle: StreamHandle) {
        var segments: [Segment] = []
        network.read(handle, into: &segments)
        for case .content(let range) in segments { received[handle, default: []].join(range) }
    }

    func feed(_ handle: StreamHandle) {
        guard var rest = waiting[handle] else { return }
        while let first = rest.first {
            let count = min(first.length, network.room(handle))
            guard count > .zero else { break }
            let (head, tail) = first.split(at: count)
            network.send(handle, [head])
            queued[handle, default: .zero] += head.length
            rest.removeFirst()
            if tail.length > .zero { rest.insert(tail, at: 0) }
        }
        waiting[handle] = rest
        if rest.isEmpty, !staysOpen, handle == client || hasHeardAll.contains(handle) {
            network.finish(handle)
            waiting[handle] = nil
        }
    }
}

private struct Collector: RunLogReader {
    var facts: [RunEvent] = []
    var packets: [PacketRecord] = []

    mutating func read(_ event: RunEvent) { facts.append(event) }
    mutating func read(packets batch: UnsafeBufferPointer<PacketRecord>) {
        packets.append(contentsOf: batch)
    }
}

extension LinkPlan {
    /// A link for a test: 8 Mbit/s are one byte a microsecond.
    static func plain(
        _ name: String, megabits: UInt64 = 8, delay: TimeSpan = .milliseconds(10),
        queue: UInt64 = 64_000, losing percent: Double = 0
    ) -> LinkPlan {
        let chance = Probability(percent: percent) ?? .never
        return LinkPlan(
            name: name, filters: percent == 0 ? [] : [.independentLoss(chance)], delay: delay,
            bottleneck: BottleneckPlan(
                rate: Bitrate(bitsPerSecond: megabits * 1_000_000),
                queue: .dropTail(limit: ByteCount(queue))))
    }
}

extension LinkPlan {
    /// The same, but it loses these packets, counted from 0.
    func losing(_ packets: [UInt64]) -> LinkPlan {
        var plan = self
        plan.filters.append(.listedLoss(packets))
        return plan
    }

    /// The same, but now and then a packet is held back so long.
    func holding(_ hold: TimeSpan, percent: Double) -> LinkPlan {
        var plan = self
        let chance = Probability(percent: percent) ?? .never
        plan.filters.append(.reordering(.init(chance: chance, hold: hold)))
        return plan
    }
}

extension InterfacePlan {
    /// Two ways into the network, the second slower than the first.
    static let wifiAndCellular = [
        InterfacePlan(
            .wifi, uplink: .plain("wifi/uplink"), downlink: .plain("wifi/downlink")),
        InterfacePlan(
            .cellular, uplink: .plain("cellular/uplink", megabits: 2),
            downlink: .plain("cellular/downlink", megabits: 2)),
    ]
}

extension ContentRange {
    /// The first bytes of a file.
    static func file(_ number: UInt32, _ length: UInt64) -> ContentRange {
        ContentRange(FileVersion(file: number, edit: 0), offset: .zero, length: ByteCount(length))
    }
}
