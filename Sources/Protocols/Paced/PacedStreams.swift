package import Quantities

/// One end of a session over the paced transport with the bytes of its two streams, before packets
/// are sealed and after they are opened.
package struct PacedStreams: ~Copyable {
    package private(set) var end: PacedEnd
    /// What may have to be sent again, and what was not read.
    private var outgoing = StreamContent()
    private var incoming = StreamContent()
    /// The greatest number of a packet that has arrived, and when the peer sent that.
    private var newest: (number: UInt64, sentAt: Instant) = (0, .start)
    private var latestWay = TimeSpan.zero
    private let side: PacedSide
    /// Whether nobody will read what comes.
    private var isIgnoring = false

    /// The most that is kept until the peer has it, whatever it says of its room: what a peer of
    /// this kind takes, and what waits to leave.
    private static let mostKept = Int(PacedEnd.window) + (1 << 20)

    package init(
        at side: PacedSide, _ settings: PacedSettings, packetSize: Int, at now: Instant
    ) {
        end = PacedEnd(settings, packetSize: packetSize, at: now)
        self.side = side
        if side == .client { end.greet(at: now) }
    }

    // MARK: What the host does

    package var settings: PacedSettings {
        get { end.settings }
        set { end.settings = newValue }
    }

    /// How many bytes may be written now.
    package var room: Int {
        min(Int(end.room), max(Self.mostKept - Int(end.written - outgoing.start), 0))
    }

    /// Takes bytes to send, as many as there is room for; returns how many.
    package mutating func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        let count = min(bytes.count, room)
        guard count > 0 else { return 0 }
        outgoing.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: end.written)
        end.write(UInt64(count))
        return count
    }

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

    /// Drops what was not read and what still comes.
    package mutating func ignore() { isIgnoring = true }

    package mutating func finish() { end.finish() }

    package mutating func abort(at now: Instant) { end.abort(at: now) }

    package mutating func wasRefused() -> [PacedEnd.News] { end.wasRefused() }

    package mutating func news() -> [PacedEnd.News] { end.news() }

    package mutating func challenge(at now: Instant) -> PacedPacket { end.challenge(at: now) }

    package mutating func moves(at now: Instant) { end.moves(at: now) }

    // MARK: Packets and reports

    /// Returns a report, if one is due.
    package mutating func report(at now: Instant) -> PacedReport? {
        if isIgnoring, end.unread > 0 {
            incoming.forget(below: incoming.start + end.unread)
            end.read(end.unread, at: now)
        }
        return end.report(at: now)
    }

    /// Returns a packet that may leave now, if there is one; `write` is to follow at once.
    package mutating func next(at now: Instant) -> PacedPacket? { end.next(at: now) }

    /// Writes what follows the head of a packet.
    package func write(_ packet: PacedPacket, to body: UnsafeMutableRawBufferPointer) {
        packet.write(end.sender.chunks(of: packet.number), to: body) { chunk, bytes in
            outgoing.copy(from: chunk.offset, to: bytes)
        }
    }

    /// Takes what follows the head of a packet or a report; returns false if it is malformed, or
    /// cannot be true.
    package mutating func take(
        _ head: PacedHead, _ body: UnsafeRawBufferPointer, at now: Instant
    ) -> Bool {
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
}
