import Content
import LinkModels
import Protocols
import Quantities
import RunLog
import RunPlan

/// A session of the paced transport between a client and the server: a stream of bytes in each
/// direction.
///
/// Both ends are here. Either may die without a word; the other then finds out by the silence.
struct PacedStream: Sendable {
    let session: UInt64
    let interface: Int
    private let number: Int
    /// The ends by their sides; none once all is over.
    private var ends: [PacedEnd]
    /// The way of what each end sends.
    private var ways: [PacedWay]
    /// What the host of each end has written and the other has not read.
    private var contents = [SegmentTable(), SegmentTable()]
    /// Whether there is no process at an end.
    private var isDead: [Bool]
    /// What is left of each end once all is over.
    private var remains = [Remains(), Remains()]

    private struct Remains: Sendable {
        var unread: UInt64 = 0
        var transmitted: UInt64 = 0
    }

    enum Side: Int {
        case client, server

        var other: Side { self == .client ? .server : .client }
    }

    /// `back` are the rates of the server's end; `nil` if the server does not know the session.
    init(
        _ session: UInt64, _ settings: PacedSettings, back: PacedSettings?, number: Int,
        over interface: Int, packetSize: Int, at now: Instant
    ) {
        self.session = session
        self.interface = interface
        self.number = number
        ends = [
            PacedEnd(settings, packetSize: packetSize, at: now),
            PacedEnd(back ?? settings, packetSize: packetSize, at: now),
        ]
        isDead = [false, back == nil]
        let links = (NetworkHost.client.link(of: interface), NetworkHost.server.link(of: interface))
        ways = [
            PacedWay(to: PacedStack.endpoint(of: number, .server), over: links.0, links.1),
            PacedWay(to: PacedStack.endpoint(of: number, .client), over: links.1, links.0),
        ]
        ends[0].greet(at: now)
    }

    /// Whether nothing will happen to the stream again.
    var isGone: Bool {
        deadline == nil && ends.indices.allSatisfy { ends[$0].isOver || isDead[$0] }
    }

    /// Forgets all but what the hosts may still read and ask for.
    mutating func retire() {
        for (place, end) in ends.enumerated() {
            remains[place] = Remains(unread: end.unread, transmitted: end.transmitted)
        }
        ends = []
        ways = []
        isDead = [true, true]
    }

    /// When something is due at one of the ends.
    var deadline: Instant? {
        var next: Instant?
        for (place, end) in ends.enumerated() where !isDead[place] {
            next.advance(to: end.deadline)
        }
        return next
    }

    // MARK: What the hosts do

    func handle(of side: Side) -> StreamHandle { PacedStack.handle(of: number, side) }

    mutating func send(_ side: Side, _ segments: [Segment], _ fabric: inout NetworkFabric) {
        let place = side.rawValue
        guard !isDead[place], ends[place].mayWrite else { return }
        for segment in segments {
            contents[place].append(segment)
            ends[place].write(segment.length.bytes)
        }
        sendPackets(side, &fabric)
    }

    mutating func pace(_ side: Side, _ settings: PacedSettings) {
        guard !isDead[side.rawValue] else { return }
        ends[side.rawValue].settings = settings
    }

    mutating func read(
        _ side: Side, into segments: inout [Segment], _ fabric: inout NetworkFabric
    ) {
        let place = side.rawValue
        let count: UInt64
        if ends.isEmpty {
            count = remains[place].unread
            remains[place].unread = 0
        } else {
            count = ends[place].unread
            ends[place].read(count, at: fabric.kernel.now)
        }
        contents[side.other.rawValue].take(count, into: &segments)
        if !isDead[place] { sendReports(side, &fabric) }
    }

    mutating func finish(_ side: Side, _ fabric: inout NetworkFabric, _ news: inout HostNews) {
        let place = side.rawValue
        guard !isDead[place] else { return }
        ends[place].finish()
        // Who has greeted nobody leaves nothing behind.
        if !ends[place].isOpen { isDead[place] = true }
        sendPackets(side, &fabric)
        tell(side, &news)
    }

    /// Breaks the stream off; the peer is told. The host hears of it if there is a reason.
    mutating func abort(
        _ side: Side, because why: ConnectionEnd?, _ fabric: inout NetworkFabric,
        _ news: inout HostNews
    ) {
        let place = side.rawValue
        guard !isDead[place], !ends[place].isOver else { return }
        ends[place].abort(at: fabric.kernel.now)
        sendPackets(side, &fabric)
        if let why { news.append(.ended(handle(of: side), why)) }
    }

    /// Ends one end without a word to its peer. The host hears of it if there is a reason.
    mutating func vanish(_ side: Side, because why: ConnectionEnd?, _ news: inout HostNews) {
        let place = side.rawValue
        guard !isDead[place] else { return }
        isDead[place] = true
        if !ends[place].isOver, let why { news.append(.ended(handle(of: side), why)) }
        ends[place].vanish()
    }

    /// Leads all later packets to nowhere.
    mutating func cutWay(_ fabric: inout NetworkFabric) {
        for place in ways.indices {
            let (there, back) = (ways[place].senderLink, ways[place].receiverLink)
            ways[place].senderLink = fabric.linkToNowhere(inPlaceOf: there)
            ways[place].receiverLink = fabric.linkToNowhere(inPlaceOf: back)
        }
    }

    func room(_ side: Side) -> ByteCount {
        isDead[side.rawValue] ? .zero : ByteCount(ends[side.rawValue].room)
    }

    /// Bytes sent, without repetitions.
    func transmitted(_ side: Side) -> ByteCount {
        let place = side.rawValue
        return ByteCount(ends.isEmpty ? remains[place].transmitted : ends[place].transmitted)
    }

    // MARK: What happens

    /// Does what is due.
    mutating func wake(_ fabric: inout NetworkFabric, _ news: inout HostNews) {
        for side in [Side.client, .server] where !isDead[side.rawValue] {
            sendPackets(side, &fabric)
            sendReports(side, &fabric)
            tell(side, &news)
        }
    }

    /// Takes a packet; returns false if there is nobody to take it.
    mutating func arrived(
        _ packet: borrowing Packet, at side: Side, _ fabric: inout NetworkFabric,
        _ news: inout HostNews
    ) -> Bool {
        let place = side.rawValue
        guard !isDead[place] else { return false }
        let now = fabric.kernel.now
        if packet.generation == PacedWay.kindOfReport {
            guard let report = ways[place].takeReport(packet), ends[place].heard(report, at: now)
            else { return true }
            sendPackets(side, &fabric)
        } else {
            if side == .server, !ends[place].isOpen { accept(&news) }
            let other = side.other.rawValue
            if ends[place].arrived(PacedPacket(packet), at: now) {
                for number in ends[other].sender.chunkNumbers(of: packet.acknowledgement) {
                    ends[place].take(ends[other].sender.chunk(number))
                }
            }
            sendReports(side, &fabric)
        }
        tell(side, &news)
        return true
    }

    /// Nobody listens at the other end.
    mutating func wasRefused(_ side: Side, _ news: inout HostNews) {
        guard !isDead[side.rawValue] else { return }
        tell(ends[side.rawValue].wasRefused(), side, &news)
    }

    private mutating func sendPackets(_ side: Side, _ fabric: inout NetworkFabric) {
        let place = side.rawValue
        while let packet = ends[place].next(at: fabric.kernel.now) {
            ways[place].send(packet, offset: ends[place].sender.offset, &fabric)
        }
    }

    private mutating func sendReports(_ side: Side, _ fabric: inout NetworkFabric) {
        while let report = ends[side.rawValue].report(at: fabric.kernel.now) {
            ways[side.other.rawValue].send(report, &fabric)
        }
    }

    private mutating func accept(_ news: inout HostNews) {
        ends[Side.server.rawValue].accept()
        news.append(.accepted(handle(of: .server), .server, port: PacedDoor.port))
    }

    /// Tells the host what has changed at its end.
    private mutating func tell(_ side: Side, _ news: inout HostNews) {
        tell(ends[side.rawValue].news(), side, &news)
    }

    private func tell(_ changes: [PacedEnd.News], _ side: Side, _ news: inout HostNews) {
        let handle = handle(of: side)
        for change in changes {
            switch change {
            case .opened: news.append(.connected(handle))
            case .content: news.append(.readable(handle))
            case .room: news.append(.roomAvailable(handle))
            case .peerFinished: news.append(.peerFinished(handle))
            case .over(let why): news.append(.ended(handle, ConnectionEnd(why)))
            }
        }
    }
}

extension ConnectionEnd {
    fileprivate init(_ end: PacedEnd.End) {
        switch end {
        case .closed: self = .closed
        case .reset: self = .reset
        case .refused: self = .refused
        case .silent: self = .timedOut
        }
    }
}
