import Quantities

@testable import Protocols

// The bytes of packets as the specification has them. No host sends real packets yet; until one
// does, they show that the sizes in simulation are those of real packets, and that nothing a peer
// may say stops either end.

/// The head of every packet of the paced transport, which is authenticated and can be read by
/// everybody.
struct PacedHead: Hashable, Sendable {
    var kind: Kind
    var session: UInt64
    /// The packet's number in its direction.
    var number: UInt64

    enum Kind: Hashable, Sendable {
        case packet(PacedPacket.Kind)
        case report
    }

    private static let reportByte: UInt8 = 16

    init(_ kind: Kind, session: UInt64, number: UInt64) {
        self.kind = kind
        self.session = session
        self.number = number
    }

    /// Reads the first bytes of a datagram; `nil` if it is not one of this transport.
    init?(_ datagram: some Collection<UInt8>) {
        var reader = WireReader(datagram)
        guard let byte = reader.number(of: 1), let session = reader.number(of: 8),
            let number = reader.number(of: 8)
        else { return nil }
        if byte == Self.reportByte {
            kind = .report
        } else {
            guard let known = PacedPacket.Kind(rawValue: UInt8(byte)) else { return nil }
            kind = .packet(known)
        }
        self.session = session
        self.number = number
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        switch kind {
        case .packet(let kind): bytes.append(kind.rawValue)
        case .report: bytes.append(Self.reportByte)
        }
        bytes.append(session, of: 8)
        bytes.append(number, of: 8)
        return bytes
    }
}

extension PacedPacket {
    /// Returns what follows the head, before it is sealed: times, then each chunk with its content.
    func body(_ chunks: [(chunk: PacedChunk, content: [UInt8])]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(sentAt.nanoseconds / 1_000, of: 4)
        bytes.append(min(number - floor, UInt64(UInt32.max)), of: 4)
        bytes.append(UInt64(reportEvery.nanoseconds / 10_000), of: 2)
        for (chunk, content) in chunks {
            precondition(
                content.count == Int(chunk.length),
                "a chunk of \(chunk.length) B comes with \(content.count) B")
            bytes.append(UInt64(chunk.file), of: 4)
            bytes.append(chunk.offset, of: 6)
            bytes.append(UInt64(chunk.length), of: 2)
            bytes += content
        }
        return bytes
    }

    /// Reads a packet and its chunks, whose content is at the ranges of `body`; `nil` if it is
    /// malformed. The time of sending is the one nearest to `latest`.
    static func read(
        _ kind: Kind, number: UInt64, body: [UInt8], near latest: Instant
    ) -> (packet: PacedPacket, chunks: [(chunk: PacedChunk, content: Range<Int>)])? {
        var reader = WireReader(body)
        guard let time = reader.number(of: 4), let distance = reader.number(of: 4),
            let interval = reader.number(of: 2), distance <= number
        else { return nil }
        var chunks: [(PacedChunk, Range<Int>)] = []
        while !reader.isAtEnd {
            guard kind == .data, let file = reader.number(of: 4),
                let offset = reader.number(of: 6), let length = reader.number(of: 2), length > 0,
                let content = reader.range(of: Int(length))
            else { return nil }
            chunks.append(
                (PacedChunk(file: UInt32(file), offset: offset, length: UInt32(length)), content))
        }
        guard !chunks.isEmpty || kind != .data else { return nil }
        let known = Int64(latest.nanoseconds / 1_000)
        let nearest = known.nearest(with: time)
        let sentAt = nearest < 0 ? nearest + 1 << 32 : nearest
        let packet = PacedPacket(
            kind, number: number, floor: number - distance,
            sentAt: Instant(nanoseconds: UInt64(sentAt) * 1_000),
            reportEvery: .microseconds(Int64(interval) * 10),
            size: PacedFormat.outerHeaders + PacedFormat.openHeader + body.count + PacedFormat.tag)
        return (packet, chunks)
    }
}

extension PacedReport {
    private static let hasNoWay: UInt8 = 0x80

    /// What follows the head, before it is sealed.
    var body: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(contiguous, of: 6)
        bytes.append(end - contiguous, of: 4)
        bytes.append(told.lowerBound - contiguous, of: 4)
        bytes.append(told.upperBound - told.lowerBound, of: 4)
        bytes.append(echo.nanoseconds / 1_000, of: 4)
        bytes.append(UInt64(held.nanoseconds / 1_000), of: 4)
        bytes.append(
            UInt64(bitPattern: (shortestWay?.nanoseconds ?? 0).flooredMicroseconds), of: 4)
        bytes.append(received.bytes, of: 8)
        bytes.append(UInt64(span.nanoseconds / 1_000), of: 8)
        bytes.append(packets, of: 6)
        bytes.append(unneeded, of: 6)
        bytes.append(UInt64(ending.rawValue | (shortestWay == nil ? Self.hasNoWay : 0)), of: 1)
        bytes.append(UInt64(missing.count), of: 2)
        var number = told.lowerBound
        for range in missing {
            bytes.appendShort(range.lowerBound - number)
            bytes.appendShort(range.upperBound - range.lowerBound)
            number = range.upperBound
        }
        return bytes
    }

    /// Reads a report; `nil` if it is malformed. The echo is the latest time up to `now` with its
    /// last bits, and the way is the one nearest to `latestWay`.
    init?(number: UInt64, body: [UInt8], at now: Instant, near latestWay: TimeSpan) {
        var reader = WireReader(body)
        guard let contiguous = reader.number(of: 6), let length = reader.number(of: 4),
            let skipped = reader.number(of: 4), let told = reader.number(of: 4),
            let echo = reader.number(of: 4), let held = reader.number(of: 4),
            let way = reader.number(of: 4), let received = reader.number(of: 8),
            let span = reader.number(of: 8), let packets = reader.number(of: 6),
            let unneeded = reader.number(of: 6), let flags = reader.number(of: 1),
            let count = reader.number(of: 2), span < UInt64(Int64.max) / 1_000,
            let ending = Ending(rawValue: UInt8(flags) & ~Self.hasNoWay)
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
        guard reader.isAtEnd else { return nil }
        let microseconds = now.nanoseconds / 1_000
        let age = UInt64(UInt32(truncatingIfNeeded: microseconds) &- UInt32(echo))
        guard age <= microseconds else { return nil }
        let shortest = latestWay.nanoseconds.flooredMicroseconds.nearest(with: way)
        self.init(
            number: number, contiguous: contiguous, end: contiguous + length,
            told: contiguous + skipped..<contiguous + skipped + told, missing: missing,
            echo: Instant(nanoseconds: (microseconds - age) * 1_000),
            held: .microseconds(Int64(held)),
            shortestWay: UInt8(flags) & Self.hasNoWay == 0 ? .microseconds(shortest) : nil,
            received: ByteCount(received), span: .microseconds(Int64(span)), packets: packets,
            unneeded: unneeded, ending: ending)
    }
}

/// Numbers in network byte order, read one after the other.
private struct WireReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

    var isAtEnd: Bool { place == bytes.count }

    mutating func number(of count: Int) -> UInt64? {
        guard let range = range(of: count) else { return nil }
        return bytes[range].reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func range(of count: Int) -> Range<Int>? {
        guard bytes.count - place >= count else { return nil }
        place += count
        return place - count..<place
    }

    /// Reads a number that is written with seven bits per byte, the last of them first.
    mutating func shortNumber() -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 63, by: 7) {
            guard let byte = self.number(of: 1) else { return nil }
            number |= (byte & 0x7f) << shift
            if byte & 0x80 == 0 { return number }
        }
        return nil
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ number: UInt64, of count: Int) {
        for place in (0..<count).reversed() {
            append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place)))
        }
    }

    fileprivate mutating func appendShort(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
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
