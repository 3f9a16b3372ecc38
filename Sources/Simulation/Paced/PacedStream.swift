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
    private var ends: [End]
    /// What each end sends.
    private var courses: [PacedCourse]

    /// One end of the stream, as its host knows it.
    private struct End: Sendable {
        /// What the host has written.
        var content = SegmentTable()
        var written: UInt64 = 0
        /// How much of the other's content has arrived in order, and what is beyond a gap.
        var arrived: UInt64 = 0
        var beyond = ReassemblyRanges()
        var read: UInt64 = 0
        var isOpen = false
        /// Whether the host has been told of content that it has not read.
        var hasToldContent = false
        var hasToldEnd = false
        var awaitsRoom = false
        /// Whether the host writes no more.
        var hasFinished = false
        /// Whether the host hears no more.
        var isOver = false
        /// Whether there is no process at this end.
        var isDead = false
    }

    enum Side: Int {
        case client, server

        var other: Side { self == .client ? .server : .client }
    }

    /// What an end keeps for its host until it has left.
    private static let capacity: UInt64 = 1 << 20

    /// `back` are the rates of the server's end; `nil` if the server does not know the session.
    init(
        _ session: UInt64, _ settings: PacedSettings, back: PacedSettings?, number: Int,
        over interface: Int, packetSize: Int, at now: Instant
    ) {
        self.session = session
        self.interface = interface
        self.number = number
        ends = [End(), End()]
        ends[Side.server.rawValue].isDead = back == nil
        let links = (NetworkHost.client.link(of: interface), NetworkHost.server.link(of: interface))
        courses = [
            PacedCourse(
                PacedSender(settings, packetSize: packetSize, at: now),
                to: PacedStack.endpoint(of: number, .server), over: links.0, links.1),
            PacedCourse(
                PacedSender(back ?? settings, packetSize: packetSize, at: now),
                to: PacedStack.endpoint(of: number, .client), over: links.1, links.0),
        ]
        courses[0].sender.greet(at: now)
    }

    /// Whether nothing will happen to the stream again.
    var isGone: Bool {
        deadline == nil && ends.allSatisfy { $0.isOver || $0.isDead }
    }

    /// Forgets all but what the hosts may still read and ask for.
    mutating func retire() {
        guard !courses.isEmpty else { return }
        for place in ends.indices {
            ends[place].written -= courses[place].sender.waiting
            (ends[place].isOver, ends[place].isDead) = (true, true)
        }
        courses = []
    }

    /// When something is due at one of the ends.
    var deadline: Instant? {
        var next: Instant?
        for side in [Side.client, .server] where !ends[side.rawValue].isDead {
            next.advance(to: courses[side.rawValue].sender.deadline)
            next.advance(to: courses[side.other.rawValue].receiver.deadline)
        }
        return next
    }

    // MARK: What the hosts do

    func handle(of side: Side) -> StreamHandle { PacedStack.handle(of: number, side) }

    mutating func send(_ side: Side, _ segments: [Segment], _ fabric: inout NetworkFabric) {
        let place = side.rawValue
        guard !ends[place].isOver, !ends[place].isDead, !ends[place].hasFinished else { return }
        for segment in segments {
            ends[place].content.append(segment)
            let end = ends[place].written + segment.length.bytes
            courses[place].sender.add(file: 0, from: ends[place].written, to: end)
            ends[place].written = end
        }
        if courses[place].sender.waiting >= Self.capacity { ends[place].awaitsRoom = true }
        courses[place].send(&fabric)
    }

    mutating func pace(_ side: Side, _ settings: PacedSettings) {
        guard !ends[side.rawValue].isDead else { return }
        courses[side.rawValue].sender.settings = settings
    }

    mutating func read(_ side: Side, into segments: inout [Segment]) {
        let place = side.rawValue
        ends[place].hasToldContent = false
        let count = ends[place].arrived - ends[place].read
        ends[place].read += count
        ends[side.other.rawValue].content.take(count, into: &segments)
    }

    mutating func finish(_ side: Side, _ fabric: inout NetworkFabric, _ news: inout HostNews) {
        let place = side.rawValue
        guard !ends[place].isOver, !ends[place].isDead else { return }
        guard ends[place].isOpen else { return vanish(side, because: .closed, &news) }
        ends[place].hasFinished = true
        courses[place].sender.finish()
        courses[place].send(&fabric)
        look(side, &news)
    }

    /// Breaks the stream off; the peer is told. The host hears of it if there is a reason.
    mutating func abort(
        _ side: Side, because why: ConnectionEnd?, _ fabric: inout NetworkFabric,
        _ news: inout HostNews
    ) {
        let place = side.rawValue
        guard !ends[place].isOver, !ends[place].isDead else { return }
        let now = fabric.kernel.now
        if ends[place].isOpen {
            courses[place].sender.abort(at: now)
            courses[side.other.rawValue].abort(at: now)
            courses[place].send(&fabric)
        } else {
            courses[place].sender.vanish()
        }
        ends[place].isOver = true
        if let why { news.append(.ended(handle(of: side), why)) }
    }

    /// Ends one end without a word to its peer. The host hears of it if there is a reason.
    mutating func vanish(_ side: Side, because why: ConnectionEnd?, _ news: inout HostNews) {
        let place = side.rawValue
        guard !ends[place].isDead else { return }
        ends[place].isDead = true
        courses[place].sender.vanish()
        guard !ends[place].isOver, let why else { return }
        ends[place].isOver = true
        news.append(.ended(handle(of: side), why))
    }

    /// Leads all later packets to nowhere.
    mutating func cutWay(_ fabric: inout NetworkFabric) {
        for place in courses.indices {
            let (there, back) = (courses[place].senderLink, courses[place].receiverLink)
            courses[place].senderLink = fabric.linkToNowhere(inPlaceOf: there)
            courses[place].receiverLink = fabric.linkToNowhere(inPlaceOf: back)
        }
    }

    func room(_ side: Side) -> ByteCount {
        guard !ends[side.rawValue].isOver, !ends[side.rawValue].isDead else { return .zero }
        let waiting = courses[side.rawValue].sender.waiting
        return ByteCount(Self.capacity - min(waiting, Self.capacity))
    }

    /// Bytes sent, without repetitions.
    func transmitted(_ side: Side) -> ByteCount {
        let waiting = courses.isEmpty ? 0 : courses[side.rawValue].sender.waiting
        return ByteCount(ends[side.rawValue].written - waiting)
    }

    // MARK: What happens

    /// Does what is due.
    mutating func wake(_ fabric: inout NetworkFabric, _ news: inout HostNews) {
        for side in [Side.client, .server] where !ends[side.rawValue].isDead {
            courses[side.rawValue].send(&fabric)
            courses[side.other.rawValue].report(&fabric)
            look(side, &news)
        }
    }

    /// Takes a packet; returns false if there is nobody to take it.
    mutating func arrived(
        _ packet: borrowing Packet, at side: Side, _ fabric: inout NetworkFabric,
        _ news: inout HostNews
    ) -> Bool {
        let place = side.rawValue
        guard !ends[place].isDead else { return false }
        let now = fabric.kernel.now
        if packet.generation == PacedCourse.kindOfReport {
            guard courses[place].heard(packet, at: now) else { return true }
            courses[place].send(&fabric)
        } else {
            if side == .server, !ends[place].isOpen { accept(&news) }
            let other = side.other.rawValue
            if courses[other].arrived(packet, at: now) {
                for chunk in courses[other].sender.chunkNumbers(of: packet.acknowledgement) {
                    take(courses[other].sender.chunk(chunk), at: place)
                }
            }
            courses[other].report(&fabric)
        }
        look(side, &news)
        return true
    }

    /// Nobody listens at the other end.
    mutating func wasRefused(_ side: Side, _ news: inout HostNews) {
        guard !ends[side.rawValue].isDead else { return }
        courses[side.rawValue].sender.vanish()
        end(side, ends[side.rawValue].isOpen ? .reset : .refused, &news)
    }

    private mutating func accept(_ news: inout HostNews) {
        ends[Side.server.rawValue].isOpen = true
        news.append(.accepted(handle(of: .server), .server, port: PacedDoor.port))
    }

    private mutating func take(_ chunk: PacedChunk, at place: Int) {
        let content = chunk.offset..<chunk.offset + UInt64(chunk.length)
        if content.lowerBound <= ends[place].arrived, ends[place].beyond.isEmpty {
            ends[place].arrived = max(ends[place].arrived, content.upperBound)
        } else if content.upperBound > ends[place].arrived {
            ends[place].beyond.insert(content)
            ends[place].arrived = ends[place].beyond.absorb(from: ends[place].arrived)
        }
    }

    /// Tells the host what has changed at its end.
    private mutating func look(_ side: Side, _ news: inout HostNews) {
        let place = side.rawValue
        guard !ends[place].isOver else { return }
        let state = courses[place].sender.state
        let ending = courses[side.other.rawValue].receiver.ending
        if !ends[place].isOpen, state == .sending || state == .closing {
            ends[place].isOpen = true
            news.append(.connected(handle(of: side)))
        }
        if ends[place].arrived > ends[place].read, !ends[place].hasToldContent {
            ends[place].hasToldContent = true
            news.append(.readable(handle(of: side)))
        }
        if ends[place].awaitsRoom, courses[place].sender.waiting <= Self.capacity / 2 {
            ends[place].awaitsRoom = false
            news.append(.roomAvailable(handle(of: side)))
        }
        switch (state, ending) {
        case (.silent, _): end(side, .timedOut, &news)
        case (.aborted, _), (_, .aborted):
            courses[place].sender.vanish()
            end(side, .reset, &news)
        case (.complete, .complete): end(side, .closed, &news)
        case (_, .complete) where !ends[place].hasToldEnd:
            ends[place].hasToldEnd = true
            news.append(.peerFinished(handle(of: side)))
        case (.opening, _), (.sending, _), (.closing, _), (.complete, _): break
        }
    }

    private mutating func end(_ side: Side, _ why: ConnectionEnd, _ news: inout HostNews) {
        guard !ends[side.rawValue].isOver else { return }
        ends[side.rawValue].isOver = true
        news.append(.ended(handle(of: side), why))
    }
}
