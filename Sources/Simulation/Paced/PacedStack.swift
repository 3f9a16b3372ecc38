import Content
import LinkModels
import Protocols
import Quantities
import RunLog
import RunPlan

/// The streams of the paced transport between the hosts, beside those of TCP.
///
/// A client opens a stream to a session that the server has admitted before. Its packets have flow
/// numbers between those of the hosts' connections and those of cross traffic.
struct PacedStack: Sendable {
    private var streams: [PacedStream] = []
    /// Those to which something may still happen, in the order of opening.
    private var lively: [Int] = []
    /// Sessions that wait for their client, with the rates of the server's end.
    private var admitted: [UInt64: PacedSettings] = [:]
    private var isServerThere = true
    private let door: PacedDoor
    /// Translators of addresses, by interface.
    private let translators: [TranslatorPlan?]

    /// Timer slot after those of the hosts.
    static let slot = PathRouters.slot - 1
    private static let firstFlow = PacketRecord.firstPacedFlow
    private static let flowCount = Int(firstFlow)
    /// The lowest endpoints of all: they end with the flow's number and the side.
    private static let firstEndpoint = Int32.min + 2 * Int32(firstFlow)
    static let endpoints = firstEndpoint..<firstEndpoint + 2 * Int32(flowCount)
    /// What the host's system says of a port on which nobody listens (RFC 792).
    private static let kindOfRefusal: UInt8 = 17
    /// The headers of IP and UDP that it quotes, after its own.
    private static let refusalPayload: UInt16 = 28

    init(behind door: PacedDoor, _ translators: [TranslatorPlan?] = []) {
        self.door = door
        self.translators = translators
    }

    static func endpoint(of number: Int, _ side: PacedSide) -> Int32 {
        firstEndpoint + 2 * Int32(number % flowCount) + Int32(side.rawValue ^ 1)
    }

    static func handle(of number: Int, _ side: PacedSide, _ channel: Int) -> StreamHandle {
        let place = number * PacedChannels.most + channel
        return StreamHandle(index: StreamHandle.firstPaced + Int32(2 * place + side.rawValue))
    }

    /// Whether something will happen by itself.
    var isBusy: Bool { lively.contains { streams[$0].deadline != nil } }

    // MARK: What the hosts do

    mutating func admit(_ session: UInt64, _ settings: PacedSettings) {
        admitted[session] = settings
    }

    mutating func serverGoes() {
        isServerThere = false
        admitted = [:]
    }

    mutating func serverComes() { isServerThere = true }

    mutating func connect(
        to session: UInt64, _ settings: PacedSettings, hasChannels: Bool, over interface: Int,
        _ fabric: inout NetworkFabric
    ) -> StreamHandle {
        let number = streams.count
        lively.append(number)
        let size = fabric.largestPacket(over: interface)
        streams.append(
            PacedStream(
                session, settings, back: admitted.removeValue(forKey: session), number: number,
                hasChannels: hasChannels, over: interface,
                behind: interface < translators.count ? translators[interface] : nil,
                packetSize: Int(size),
                at: fabric.kernel.now))
        setTimer(&fabric)
        return Self.handle(of: number, .client, 0)
    }

    /// Opens another channel of a client's session; `nil` if there is none to be had.
    mutating func open(beside handle: StreamHandle, _ news: inout HostNews) -> StreamHandle? {
        streams[handle.pacedNumber].open(&news).map {
            Self.handle(of: handle.pacedNumber, .client, $0)
        }
    }

    func interface(of handle: StreamHandle) -> Int { streams[handle.pacedNumber].interface }

    func session(of handle: StreamHandle) -> UInt64 { streams[handle.pacedNumber].session }

    mutating func send(
        _ handle: StreamHandle, _ segments: [Segment], _ fabric: inout NetworkFabric
    ) {
        streams[handle.pacedNumber].send(handle.pacedSide, handle.channel, segments, &fabric)
        setTimer(&fabric)
    }

    mutating func read(
        _ handle: StreamHandle, into segments: inout [Segment], _ fabric: inout NetworkFabric,
        _ news: inout HostNews
    ) {
        streams[handle.pacedNumber].read(
            handle.pacedSide, handle.channel, into: &segments, &fabric, &news)
        setTimer(&fabric)
    }

    mutating func finish(
        _ handle: StreamHandle, _ fabric: inout NetworkFabric, _ news: inout HostNews
    ) {
        streams[handle.pacedNumber].finish(handle.pacedSide, handle.channel, &fabric, &news)
        setTimer(&fabric)
    }

    mutating func abort(
        _ handle: StreamHandle, because why: ConnectionEnd?, _ fabric: inout NetworkFabric,
        _ news: inout HostNews
    ) {
        streams[handle.pacedNumber].abort(
            handle.pacedSide, handle.channel, because: why, &fabric, &news)
        setTimer(&fabric)
    }

    /// Ends one end without a word to its peer.
    mutating func vanish(
        _ handle: StreamHandle, because why: ConnectionEnd?, _ fabric: inout NetworkFabric,
        _ news: inout HostNews
    ) {
        streams[handle.pacedNumber].vanish(handle.pacedSide, because: why, &news)
        setTimer(&fabric)
    }

    /// Lets the process at one end stand still, or go on.
    mutating func standStill(
        _ handle: StreamHandle, _ stands: Bool, _ fabric: inout NetworkFabric,
        _ news: inout HostNews
    ) {
        streams[handle.pacedNumber].standStill(handle.pacedSide, stands, &fabric, &news)
        setTimer(&fabric)
    }

    mutating func cutWays(of interface: Int, _ fabric: inout NetworkFabric) {
        for place in lively where streams[place].interface == interface {
            streams[place].cutWay(&fabric)
        }
    }

    mutating func pace(
        _ handle: StreamHandle, _ settings: PacedSettings, _ fabric: inout NetworkFabric
    ) {
        streams[handle.pacedNumber].pace(handle.pacedSide, settings)
        setTimer(&fabric)
    }

    func room(_ handle: StreamHandle) -> ByteCount {
        streams[handle.pacedNumber].room(handle.pacedSide, handle.channel)
    }

    func transmitted(_ handle: StreamHandle) -> ByteCount {
        streams[handle.pacedNumber].transmitted(handle.pacedSide, handle.channel)
    }

    // MARK: What the network tells

    mutating func wake(_ fabric: inout NetworkFabric, _ news: inout HostNews) {
        let now = fabric.kernel.now
        for place in lively {
            guard let due = streams[place].deadline, due <= now else { continue }
            streams[place].wake(&fabric, &news)
        }
        setTimer(&fabric)
    }

    mutating func arrived(
        _ packet: borrowing Packet, from link: Int32, _ fabric: inout NetworkFabric,
        _ news: inout HostNews
    ) {
        let side: PacedSide = NetworkHost.isUplink(link) ? .server : .client
        // The newest stream with the packet's flow.
        let flow = Int(packet.endpoint - Self.firstEndpoint) / 2
        var place = flow
        while place + Self.flowCount < streams.count { place += Self.flowCount }
        guard place < streams.count, !packet.isCorrupted else { return }
        switch (side, door) {
        case (.server, .blocked), (.client, .mute): return
        case (.server, .closed): return refuse(packet, from: link, &fabric)
        case (.client, _), (.server, .open), (.server, .missing), (.server, .mute): break
        }
        if packet.generation == Self.kindOfRefusal {
            streams[place].wasRefused(side, &news)
        } else if !streams[place].arrived(packet, at: side, &fabric, &news), side == .server,
            !isServerThere
        {
            refuse(packet, from: link, &fabric)
        }
        setTimer(&fabric)
    }

    /// Answers for the server's system that nobody listens at the port.
    private func refuse(
        _ packet: borrowing Packet, from link: Int32, _ fabric: inout NetworkFabric
    ) {
        fabric.send(
            Packet(
                endpoint: packet.endpoint ^ 1, generation: Self.kindOfRefusal, sequence: 0,
                stamp: fabric.kernel.nowNanoseconds, acknowledgement: 0, echo: 0, window: 0,
                payload: Self.refusalPayload, form: .datagram, flags: []),
            on: link ^ 1)
    }

    private mutating func setTimer(_ fabric: inout NetworkFabric) {
        var next: Instant?
        var hasGone = false
        for place in lively {
            let due = streams[place].deadline
            next.advance(to: due)
            if due == nil, streams[place].isGone {
                streams[place].retire()
                hasGone = true
            }
        }
        if hasGone { lively.removeAll { streams[$0].isGone } }
        let source = EventSource(.timerSlot, Self.slot)
        guard let next else { return fabric.kernel.cancel(source) }
        fabric.kernel.set(
            source, atNanoseconds: max(next.nanoseconds, fabric.kernel.nowNanoseconds))
    }
}

extension StreamHandle {
    /// Numbers of the paced transport begin far above those of TCP.
    static let firstPaced: Int32 = 1 << 30

    var isPaced: Bool {
        @inline(__always) get { index >= Self.firstPaced }
    }

    fileprivate var pacedNumber: Int { Int(index - Self.firstPaced) / 2 / PacedChannels.most }

    fileprivate var channel: Int { Int(index - Self.firstPaced) / 2 % PacedChannels.most }

    fileprivate var pacedSide: PacedSide { isOpener ? .client : .server }
}
