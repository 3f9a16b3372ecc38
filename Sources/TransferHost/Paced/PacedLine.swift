import Glibc
package import Protocols
package import Quantities

/// One end of a session over the paced transport, with the bytes of its two streams: it makes and
/// reads sealed datagrams, which its host sends and receives.
package struct PacedLine: ~Copyable {
    private var end: PacedEnd
    private let seal: PacedSeal
    private let side: PacedSeal.Side
    /// What may have to be sent again, and what was not read.
    private var outgoing = StreamContent()
    private var incoming = StreamContent()
    /// The greatest number of a packet that has arrived, and when the peer sent that.
    private var newest: (number: UInt64, sentAt: Instant) = (0, .start)
    private var latestWay = TimeSpan.zero

    /// Datagrams have at most so many bytes.
    private static let longest = PacedFormat.usualPacket - PacedFormat.outerHeaders
    /// The header of IPv6 is longer than that of IPv4.
    private static let moreOfIPv6 = 20

    package init(
        _ keys: PacedKeys, session: UInt64, at side: PacedSeal.Side, _ settings: PacedSettings,
        overIPv6 isIPv6: Bool = false, at now: Instant
    ) {
        seal = PacedSeal(keys, session: session, at: side)
        end = PacedEnd(
            settings, packetSize: PacedFormat.usualPacket - (isIPv6 ? Self.moreOfIPv6 : 0), at: now)
        self.side = side
        if side == .client { end.greet(at: now) }
    }

    // MARK: The stream

    package var settings: PacedSettings {
        get { end.settings }
        set { end.settings = newValue }
    }

    /// How many bytes may be written now.
    package var room: Int { Int(end.room) }

    /// Bytes that have left, without repetitions.
    package var transmitted: ByteCount { ByteCount(end.transmitted) }

    /// Takes bytes to send, as many as there is room for; returns how many.
    package mutating func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        let count = min(bytes.count, room)
        guard count > 0 else { return 0 }
        outgoing.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: end.written)
        end.write(UInt64(count))
        return count
    }

    package var hasUnread: Bool { end.unread > 0 }

    /// Returns bytes that have arrived, at most so many.
    package mutating func read(atMost limit: Int, at now: Instant) -> [UInt8] {
        let start = incoming.start
        let count = min(Int(end.unread), limit)
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            incoming.copy(from: start, to: UnsafeMutableRawBufferPointer(buffer))
            filled = count
        }
        incoming.forget(below: start + UInt64(count))
        end.read(UInt64(count), at: now)
        return bytes
    }

    /// Writes no more; the session ends once both sides have everything.
    package mutating func finish() { end.finish() }

    /// Breaks the session off; the peer is told.
    package mutating func abort(at now: Instant) { end.abort(at: now) }

    package mutating func wasRefused() -> [PacedEnd.News] { end.wasRefused() }

    /// Returns what the host has not been told.
    package mutating func news() -> [PacedEnd.News] { end.news() }

    /// Whether nothing will be sent any more.
    package var isGone: Bool { end.isOver && end.deadline == nil }

    // MARK: Datagrams

    /// When a datagram is due.
    package var deadline: Instant? { end.deadline }

    /// Adds all datagrams that are due, as far as there is room. Each says when it was made: those
    /// that are made last wait least for the rest, and show how long the way is.
    package mutating func send(into batch: some DatagramRoom, by now: () -> Instant) {
        while let room = batch.space(of: Self.longest), let report = end.report(at: now()) {
            let size = report.bodySize + PacedFormat.openHeader + PacedFormat.tag
            let space = UnsafeMutableRawBufferPointer(rebasing: room[..<size])
            report.write(to: Self.body(of: space))
            seal.seal(.report, number: report.number, space)
            batch.add(size)
        }
        while let room = batch.space(of: Self.longest), let packet = end.next(at: now()) {
            let size = packet.size - PacedFormat.outerHeaders
            let space = UnsafeMutableRawBufferPointer(rebasing: room[..<size])
            end.write(packet, to: Self.body(of: space)) { chunk, bytes in
                outgoing.copy(from: chunk.offset, to: bytes)
            }
            seal.seal(.packet(packet.kind), number: packet.number, space)
            batch.add(size)
        }
    }

    /// Takes a datagram with this head, whose bytes it changes; returns false if it is not genuine.
    package mutating func take(
        _ head: PacedHead, _ datagram: UnsafeMutableRawBufferPointer, at now: Instant
    ) -> Bool {
        guard let body = seal.open(head, datagram) else { return false }
        switch head.kind {
        case .packet(let kind): return take(kind, head.number, body, at: now)
        case .report:
            guard
                let report = PacedReport(number: head.number, body: body, at: now, near: latestWay)
            else { return false }
            if let way = report.shortestWay { latestWay = way }
            if end.heard(report, at: now) { outgoing.forget(below: end.sender.inOrder) }
            return true
        }
    }

    private mutating func take(
        _ kind: PacedPacket.Kind, _ number: UInt64, _ body: UnsafeRawBufferPointer, at now: Instant
    ) -> Bool {
        guard let packet = PacedPacket(kind, number: number, body: body, near: newest.sentAt),
            PacedChunks(of: body).allSatisfy({ end.mayTake($0.chunk) })
        else { return false }
        if number >= newest.number { newest = (number, packet.sentAt) }
        if side == .server { end.accept() }
        guard end.arrived(packet, at: now) else { return true }
        for (chunk, content) in PacedChunks(of: body) {
            // What was read is not needed again.
            let known = max(incoming.start, chunk.offset) - chunk.offset
            if known < chunk.length {
                incoming.write(
                    UnsafeRawBufferPointer(rebasing: content[Int(known)...]),
                    at: chunk.offset + known)
            }
            end.take(chunk)
        }
        return true
    }

    private static func body(
        of datagram: UnsafeMutableRawBufferPointer
    ) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(
            rebasing: datagram[PacedFormat.openHeader..<datagram.count - PacedFormat.tag])
    }
}
