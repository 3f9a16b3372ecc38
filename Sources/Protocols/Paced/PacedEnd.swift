import Content
package import Quantities

/// One end of a session of the paced transport: a stream of bytes to the peer and one from it, both
/// by their offsets. The host keeps the bytes themselves.
///
///     opening ──▶ open ──▶ over, with a reason that the host is told
///
/// The host passes on all that `next` and `report` return, calls `arrived` or `heard` for all that
/// comes, and `news` after any of these.
package struct PacedEnd: Sendable {
    package private(set) var sender: PacedSender
    private var receiver = PacedReceiver()
    /// Bytes that the host has written.
    package private(set) var written: UInt64 = 0
    /// Bytes of the peer that have arrived in order, and what is beyond a gap.
    private var arrived: UInt64 = 0
    private var beyond = ArrivedRanges()
    /// Bytes that the host has read.
    private var read: UInt64 = 0
    package private(set) var isOpen = false
    /// Whether the host is told of nothing more.
    package private(set) var isOver = false
    private var hasFinished = false
    /// Whether the host has been told of bytes that it has not read.
    private var hasToldContent = false
    private var hasToldEnd = false
    private var awaitsRoom = false
    /// The room that the latest report told of.
    private var toldRoom = Self.window

    package enum News: Hashable, Sendable {
        case opened
        /// There are bytes to read.
        case content
        /// There is room to write again.
        case room
        /// The peer writes no more.
        case peerFinished
        case over(End)
    }

    package enum End: Hashable, Sendable {
        /// In order, by both sides.
        case closed
        /// By the peer, which may have lost something.
        case reset
        /// Nobody listens there.
        case refused
        case silent
    }

    /// What an end keeps for its host until it has left.
    private static let capacity: UInt64 = 1 << 20
    /// The bytes that an end takes beyond those that its host has read: enough for a hundred
    /// megabits per second half around the globe while losses are repaired.
    package static let window: UInt64 = 32 << 20

    package init(_ settings: PacedSettings, packetSize: Int, at now: Instant) {
        sender = PacedSender(settings, packetSize: packetSize, at: now)
        receiver.intake = PacedIntake(inOrder: 0, room: Self.window)
    }

    // MARK: What the host does

    /// Opens the session: a client speaks first.
    package mutating func greet(at now: Instant) { sender.greet(at: now) }

    /// Lets a server take the session for open, because a packet of the client has arrived.
    package mutating func accept() { isOpen = true }

    package var settings: PacedSettings {
        get { sender.settings }
        set { sender.settings = newValue }
    }

    /// Whether the host may still write.
    package var mayWrite: Bool { !isOver && !hasFinished }

    /// Writes so many bytes.
    package mutating func write(_ count: UInt64) {
        sender.add(file: 0, from: written, to: written + count)
        written += count
        if sender.waiting >= Self.capacity { awaitsRoom = true }
    }

    /// How much the host may write now.
    package var room: UInt64 {
        mayWrite ? Self.capacity - min(sender.waiting, Self.capacity) : 0
    }

    /// Bytes that have left, without repetitions.
    package var transmitted: UInt64 { written - sender.waiting }

    /// Bytes that have arrived in order, and were not read.
    package var unread: UInt64 { arrived - read }

    /// Reads bytes that have arrived in order.
    package mutating func read(_ count: UInt64, at now: Instant) {
        precondition(count <= unread, "\(count) B are read of \(unread) B")
        hasToldContent = false
        read += count
        // Whoever waits for room is told at once.
        if toldRoom < Self.window / 2, count > 0 { receiver.tell(at: now) }
    }

    /// Writes no more. The session ends when both sides have everything.
    package mutating func finish() {
        guard mayWrite else { return }
        hasFinished = true
        if isOpen { sender.finish() } else { sender.vanish() }
    }

    /// Breaks the session off, and tells the peer if it knows of it.
    package mutating func abort(at now: Instant) {
        guard !isOver else { return }
        isOver = true
        guard isOpen else { return sender.vanish() }
        sender.abort(at: now)
        receiver.abort(at: now)
    }

    /// Ends without a word to the peer.
    package mutating func vanish() {
        isOver = true
        sender.vanish()
    }

    // MARK: Another address of the peer

    /// Grows with each datagram that is newer than all before.
    package var newest: UInt64 { receiver.end + sender.newestReport }

    /// Whether the peer has answered the last challenge.
    package var hasAnswer: Bool { sender.hasAnswer }

    /// Returns a probe for another address.
    package mutating func challenge(at now: Instant) -> PacedPacket { sender.challenge(at: now) }

    /// Sends to another address from now on.
    package mutating func moves(at now: Instant) { sender.moves(at: now) }

    // MARK: Packets and reports

    /// When something is due.
    package var deadline: Instant? {
        var next = sender.deadline
        next.advance(to: receiver.deadline)
        return next
    }

    /// Returns a packet that may leave now, if there is one.
    package mutating func next(at now: Instant) -> PacedPacket? { sender.next(at: now) }

    /// Returns a report, if one is due.
    package mutating func report(at now: Instant) -> PacedReport? {
        let room = Self.window - (arrived - read)
        receiver.intake = PacedIntake(inOrder: arrived, room: room)
        guard let report = receiver.report(at: now) else { return nil }
        toldRoom = room
        return report
    }

    /// Whether a chunk can be of this stream: there is room for it.
    package func mayTake(_ chunk: PacedChunk) -> Bool {
        chunk.file == 0 && chunk.offset + UInt64(chunk.length) <= read + Self.window
    }

    /// Notes a packet; returns whether its chunks are new, and `take` is to be called for each.
    package mutating func arrived(_ packet: PacedPacket, at now: Instant) -> Bool {
        receiver.arrived(packet, at: now)
    }

    package mutating func take(_ chunk: PacedChunk) {
        let content = chunk.offset..<chunk.offset + UInt64(chunk.length)
        if content.lowerBound <= arrived, beyond.isEmpty {
            arrived = max(arrived, content.upperBound)
        } else if content.upperBound > arrived {
            beyond.insert(content)
            arrived = beyond.absorb(from: arrived)
        }
    }

    /// Reads a report of the peer; returns whether it says anything new.
    package mutating func heard(_ report: PacedReport, at now: Instant) -> Bool {
        sender.heard(report, at: now)
    }

    /// Takes it that nobody listens at the other end.
    package mutating func wasRefused() -> [News] {
        sender.vanish()
        return end(isOpen ? .reset : .refused)
    }

    // MARK: News

    /// Returns what the host has not been told.
    package mutating func news() -> [News] {
        guard !isOver else { return [] }
        var news: [News] = []
        let ending = receiver.ending
        if !isOpen, sender.state == .sending || sender.state == .closing {
            isOpen = true
            news.append(.opened)
        }
        if arrived > read, !hasToldContent {
            hasToldContent = true
            news.append(.content)
        }
        if awaitsRoom, sender.waiting <= Self.capacity / 2 {
            awaitsRoom = false
            news.append(.room)
        }
        switch (sender.state, ending) {
        case (.silent, _): news += end(.silent)
        case (.aborted, _) where hasFinished && !isOpen: news += end(.closed)
        case (.aborted, _), (_, .aborted):
            sender.vanish()
            news += end(.reset)
        case (.complete, .complete): news += end(.closed)
        case (_, .complete) where !hasToldEnd:
            hasToldEnd = true
            news.append(.peerFinished)
        case (.opening, _), (.sending, _), (.closing, _), (.complete, _): break
        }
        return news
    }

    private mutating func end(_ why: End) -> [News] {
        guard !isOver else { return [] }
        isOver = true
        return [.over(why)]
    }
}
