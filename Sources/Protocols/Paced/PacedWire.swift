package import Quantities

/// The head of every packet of the paced transport, which is authenticated and can be read by
/// everybody.
package struct PacedHead: Hashable, Sendable {
    package var kind: Kind
    package var session: UInt64
    /// The packet's number in its direction.
    package var number: UInt64

    package enum Kind: Hashable, Sendable {
        case packet(PacedPacket.Kind)
        case report
    }

    private static let reportByte: UInt8 = 16

    package init(_ kind: Kind, session: UInt64, number: UInt64) {
        self.kind = kind
        self.session = session
        self.number = number
    }

    /// Reads the first bytes of a datagram; `nil` if it is not one of this transport.
    package init?(_ datagram: UnsafeRawBufferPointer) {
        guard datagram.count >= PacedFormat.openHeader else { return nil }
        var reader = WireReader(datagram)
        let byte = UInt8(reader.number(of: 1))
        if byte == Self.reportByte {
            kind = .report
        } else {
            guard let known = PacedPacket.Kind(rawValue: byte) else { return nil }
            kind = .packet(known)
        }
        session = reader.number(of: 8)
        number = reader.number(of: 8)
    }

    /// Writes the head to the first bytes of a datagram.
    package func write(to datagram: UnsafeMutableRawBufferPointer) {
        var writer = WireWriter(datagram)
        switch kind {
        case .packet(let kind): writer.put(UInt64(kind.rawValue), of: 1)
        case .report: writer.put(UInt64(Self.reportByte), of: 1)
        }
        writer.put(session, of: 8)
        writer.put(number, of: 8)
    }
}

extension PacedPacket {
    /// The bytes of a packet with such content, between the head and the tag.
    static func bodySize(of chunks: some Sequence<PacedChunk>) -> Int {
        chunks.reduce(PacedFormat.emptyData - PacedFormat.openHeader - PacedFormat.tag) {
            $0 + PacedFormat.chunkHeader + Int($1.length)
        }
    }

    /// Writes what follows the head, before it is sealed; `content` puts the bytes of each chunk.
    func write(
        _ chunks: some Sequence<PacedChunk>, to body: UnsafeMutableRawBufferPointer,
        content: (PacedChunk, UnsafeMutableRawBufferPointer) -> Void
    ) {
        var writer = WireWriter(body)
        writer.put(sentAt.nanoseconds / 1_000, of: 4)
        writer.put(min(number - floor, UInt64(UInt32.max)), of: 4)
        writer.put(UInt64(reportEvery.nanoseconds / 10_000), of: 2)
        for chunk in chunks {
            writer.put(UInt64(chunk.file), of: 4)
            writer.put(chunk.offset, of: 6)
            writer.put(UInt64(chunk.length), of: 2)
            content(chunk, writer.space(of: Int(chunk.length)))
        }
    }

    /// Reads a packet without its chunks; `nil` if any of it is malformed. The time of sending is
    /// the one nearest to `latest`.
    package init?(
        _ kind: Kind, number: UInt64, body: UnsafeRawBufferPointer, near latest: Instant
    ) {
        var reader = WireReader(body)
        guard body.count >= Self.bodySize(of: []) else { return nil }
        let time = reader.number(of: 4)
        let distance = reader.number(of: 4)
        let interval = reader.number(of: 2)
        guard distance <= number else { return nil }
        var chunks = PacedChunks(of: body)
        while chunks.next() != nil {}
        guard chunks.isAtEnd, (body.count > Self.bodySize(of: [])) == (kind == .data)
        else { return nil }
        let known = Int64(latest.nanoseconds / 1_000)
        let nearest = known.nearest(with: time)
        let sentAt = nearest < 0 ? nearest + 1 << 32 : nearest
        self.init(
            kind, number: number, floor: number - distance,
            sentAt: Instant(nanoseconds: UInt64(sentAt) * 1_000),
            reportEvery: .microseconds(Int64(interval) * 10),
            size: PacedFormat.outerHeaders + PacedFormat.openHeader + body.count + PacedFormat.tag)
    }
}

/// The chunks in the body of a packet, with their content.
package struct PacedChunks: Sequence, IteratorProtocol {
    private var reader: WireReader

    package init(of body: UnsafeRawBufferPointer) {
        reader = WireReader(body)
        reader.skip(PacedPacket.bodySize(of: []))
    }

    /// Whether nothing malformed is left.
    var isAtEnd: Bool { reader.rest == 0 }

    package mutating func next() -> (chunk: PacedChunk, content: UnsafeRawBufferPointer)? {
        guard reader.rest >= PacedFormat.chunkHeader else { return nil }
        let before = reader
        let file = UInt32(reader.number(of: 4))
        let offset = reader.number(of: 6)
        let length = Int(reader.number(of: 2))
        guard length > 0, reader.rest >= length else {
            reader = before
            return nil
        }
        let chunk = PacedChunk(file: file, offset: offset, length: UInt32(length))
        return (chunk, reader.bytes(of: length))
    }
}

extension PacedReport {
    private static let hasNoWay: UInt8 = 0x80

    /// The bytes of the report, between the head and the tag.
    package var bodySize: Int {
        size - PacedFormat.outerHeaders - PacedFormat.openHeader - PacedFormat.tag
    }

    /// Writes what follows the head, before it is sealed.
    package func write(to body: UnsafeMutableRawBufferPointer) {
        var writer = WireWriter(body)
        writer.put(contiguous, of: 6)
        writer.put(end - contiguous, of: 4)
        writer.put(told.lowerBound - contiguous, of: 4)
        writer.put(told.upperBound - told.lowerBound, of: 4)
        writer.put(echo.nanoseconds / 1_000, of: 4)
        writer.put(UInt64(held.nanoseconds / 1_000), of: 4)
        writer.put(UInt64(bitPattern: (shortestWay?.nanoseconds ?? 0).flooredMicroseconds), of: 4)
        writer.put(received.bytes, of: 8)
        writer.put(UInt64(span.nanoseconds / 1_000), of: 8)
        writer.put(packets, of: 6)
        writer.put(unneeded, of: 6)
        writer.put(intake.inOrder, of: 6)
        writer.put(intake.room.map { min($0, UInt64(UInt32.max) - 1) } ?? UInt64(UInt32.max), of: 4)
        writer.put(UInt64(ending.rawValue | (shortestWay == nil ? Self.hasNoWay : 0)), of: 1)
        writer.put(UInt64(missing.count), of: 2)
        var number = told.lowerBound
        for range in missing {
            writer.putShort(range.lowerBound - number)
            writer.putShort(range.upperBound - range.lowerBound)
            number = range.upperBound
        }
    }

    /// Reads a report; `nil` if it is malformed. The echo is the latest time up to `now` with its
    /// last bits, and the way is the one nearest to `latestWay`.
    package init?(
        number: UInt64, body: UnsafeRawBufferPointer, at now: Instant, near latestWay: TimeSpan
    ) {
        guard body.count >= Self.smallestBody else { return nil }
        var reader = WireReader(body)
        let contiguous = reader.number(of: 6)
        let length = reader.number(of: 4)
        let skipped = reader.number(of: 4)
        let told = reader.number(of: 4)
        let echo = reader.number(of: 4)
        let held = reader.number(of: 4)
        let way = reader.number(of: 4)
        let received = reader.number(of: 8)
        let span = reader.number(of: 8)
        let packets = reader.number(of: 6)
        let unneeded = reader.number(of: 6)
        let inOrder = reader.number(of: 6)
        let room = reader.number(of: 4)
        let flags = UInt8(reader.number(of: 1))
        let count = reader.number(of: 2)
        guard span < UInt64(Int64.max) / 1_000,
            let ending = Ending(rawValue: flags & ~Self.hasNoWay)
        else { return nil }
        var missing: [Range<UInt64>] = []
        var next = contiguous + skipped
        for _ in 0..<count {
            guard let gap = reader.shortNumber(), let length = reader.shortNumber(), length > 0,
                gap <= told, length <= told
            else { return nil }
            missing.append(next + gap..<next + gap + length)
            next += gap + length
        }
        guard reader.rest == 0 else { return nil }
        let microseconds = now.nanoseconds / 1_000
        let age = UInt64(UInt32(truncatingIfNeeded: microseconds) &- UInt32(echo))
        guard age <= microseconds else { return nil }
        let shortest = latestWay.nanoseconds.flooredMicroseconds.nearest(with: way)
        self.init(
            number: number, contiguous: contiguous, end: contiguous + length,
            told: contiguous + skipped..<contiguous + skipped + told, missing: missing,
            echo: Instant(nanoseconds: (microseconds - age) * 1_000),
            held: .microseconds(Int64(held)),
            shortestWay: flags & Self.hasNoWay == 0 ? .microseconds(shortest) : nil,
            received: ByteCount(received), span: .microseconds(Int64(span)), packets: packets,
            unneeded: unneeded,
            intake: PacedIntake(inOrder: inOrder, room: room == UInt64(UInt32.max) ? nil : room),
            ending: ending)
    }

    private static let smallestBody =
        PacedFormat.emptyReport - PacedFormat.openHeader - PacedFormat.tag
}

/// Reads numbers in network byte order, one after the other. The caller has compared the length.
private struct WireReader {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var rest: Int { bytes.count - place }

    mutating func skip(_ count: Int) { place += count }

    mutating func number(of count: Int) -> UInt64 {
        var number: UInt64 = 0
        for _ in 0..<count {
            number = number << 8 | UInt64(bytes[place])
            place += 1
        }
        return number
    }

    mutating func bytes(of count: Int) -> UnsafeRawBufferPointer {
        defer { place += count }
        return UnsafeRawBufferPointer(rebasing: bytes[place..<place + count])
    }

    /// Reads a number that is written with seven bits per byte, the last of them first; `nil` if it
    /// does not end.
    mutating func shortNumber() -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 63, by: 7) {
            guard rest > 0 else { return nil }
            let byte = self.number(of: 1)
            number |= (byte & 0x7f) << shift
            if byte & 0x80 == 0 { return number }
        }
        return nil
    }
}

/// Writes numbers in network byte order, one after the other.
private struct WireWriter {
    private let bytes: UnsafeMutableRawBufferPointer
    private var place = 0

    init(_ bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }

    mutating func put(_ number: UInt64, of count: Int) {
        for shift in stride(from: 8 * (count - 1), through: 0, by: -8) {
            bytes[place] = UInt8(truncatingIfNeeded: number >> UInt64(shift))
            place += 1
        }
    }

    mutating func putShort(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            put(rest & 0x7f | 0x80, of: 1)
            rest >>= 7
        }
        put(rest, of: 1)
    }

    mutating func space(of count: Int) -> UnsafeMutableRawBufferPointer {
        defer { place += count }
        return UnsafeMutableRawBufferPointer(rebasing: bytes[place..<place + count])
    }
}

extension Int64 {
    /// Returns the number nearest to this one with these last 32 bits.
    fileprivate func nearest(with bits: UInt64) -> Int64 {
        let own = UInt64(bitPattern: self)
        return self &+ Int64(Int32(bitPattern: UInt32(truncatingIfNeeded: bits &- own)))
    }

    /// Nanoseconds in whole microseconds, rounded down also below zero.
    fileprivate var flooredMicroseconds: Int64 {
        let (quotient, rest) = quotientAndRemainder(dividingBy: 1_000)
        return rest < 0 ? quotient - 1 : quotient
    }
}
