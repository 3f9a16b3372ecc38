import Glibc
package import Protocols
package import Quantities

/// One end of a session over the paced transport: it makes and reads sealed datagrams, which its
/// host sends and receives.
package struct PacedLine: ~Copyable {
    private var streams: PacedStreams
    private let seal: PacedSeal

    /// Datagrams have at most so many bytes.
    private static let longest = PacedFormat.usualPacket - PacedFormat.outerHeaders
    /// The header of IPv6 is longer than that of IPv4.
    private static let moreOfIPv6 = 20

    package init(
        _ keys: PacedKeys, session: UInt64, at side: PacedSide, _ settings: PacedSettings,
        overIPv6 isIPv6: Bool = false, at now: Instant
    ) {
        seal = PacedSeal(keys, session: session, at: side)
        streams = PacedStreams(
            at: side, settings,
            packetSize: PacedFormat.usualPacket - (isIPv6 ? Self.moreOfIPv6 : 0), at: now)
    }

    // MARK: The stream

    package var settings: PacedSettings {
        get { streams.settings }
        set { streams.settings = newValue }
    }

    /// How many bytes may be written now.
    package var room: Int { streams.room }

    /// Bytes that have left, without repetitions.
    package var transmitted: ByteCount { ByteCount(streams.end.transmitted) }

    /// Takes bytes to send, as many as there is room for; returns how many.
    package mutating func write(_ bytes: UnsafeRawBufferPointer) -> Int { streams.write(bytes) }

    package var hasUnread: Bool { streams.end.unread > 0 }

    /// Returns bytes that have arrived, at most so many.
    package mutating func read(atMost limit: Int, at now: Instant) -> [UInt8] {
        streams.read(atMost: limit, at: now)
    }

    /// Writes no more; the session ends once both sides have everything.
    package mutating func finish() { streams.finish() }

    /// Drops all that still comes, as nobody will read it.
    package mutating func ignore() { streams.ignore() }

    /// Breaks the session off; the peer is told.
    package mutating func abort(at now: Instant) { streams.abort(at: now) }

    package mutating func wasRefused() -> [PacedEnd.News] { streams.wasRefused() }

    /// Returns what the host has not been told.
    package mutating func news() -> [PacedEnd.News] { streams.news() }

    /// Whether nothing will be sent any more.
    package var isGone: Bool { streams.end.isOver && streams.end.deadline == nil }

    // MARK: Another address of the peer

    /// Grows with each datagram that is newer than all before.
    package var newest: UInt64 { streams.end.newest }

    /// Whether the peer has answered the last challenge.
    package var hasAnswer: Bool { streams.end.hasAnswer }

    /// Adds a probe for another address.
    package mutating func challenge(into batch: some DatagramRoom, at now: Instant) {
        guard let room = batch.space(of: Self.longest) else { return }
        add(streams.challenge(at: now), to: batch, room)
    }

    /// Sends to another address from now on.
    package mutating func moves(at now: Instant) { streams.moves(at: now) }

    // MARK: Datagrams

    /// When a datagram is due.
    package var deadline: Instant? { streams.end.deadline }

    /// Adds all datagrams that are due, as far as there is room. Each says when it was made: those
    /// that are made last wait least for the rest, and show how long the way is.
    package mutating func send(into batch: some DatagramRoom, by now: () -> Instant) {
        while let room = batch.space(of: Self.longest), let report = streams.report(at: now()) {
            let size = report.bodySize + PacedFormat.openHeader + PacedFormat.tag
            let space = UnsafeMutableRawBufferPointer(rebasing: room[..<size])
            report.write(to: Self.body(of: space))
            seal.seal(.report, number: report.number, space)
            batch.add(size)
        }
        while let room = batch.space(of: Self.longest), let packet = streams.next(at: now()) {
            add(packet, to: batch, room)
        }
    }

    private func add(
        _ packet: PacedPacket, to batch: some DatagramRoom, _ room: UnsafeMutableRawBufferPointer
    ) {
        let size = packet.size - PacedFormat.outerHeaders
        let space = UnsafeMutableRawBufferPointer(rebasing: room[..<size])
        streams.write(packet, to: Self.body(of: space))
        seal.seal(.packet(packet.kind), number: packet.number, space)
        batch.add(size)
    }

    /// Takes a datagram with this head, whose bytes it changes; returns false if it is not genuine.
    package mutating func take(
        _ head: PacedHead, _ datagram: UnsafeMutableRawBufferPointer, at now: Instant
    ) -> Bool {
        guard let body = seal.open(head, datagram) else { return false }
        return streams.take(head, body, at: now)
    }

    private static func body(
        of datagram: UnsafeMutableRawBufferPointer
    ) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(
            rebasing: datagram[PacedFormat.openHeader..<datagram.count - PacedFormat.tag])
    }
}
