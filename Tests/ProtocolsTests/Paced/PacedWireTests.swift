import Quantities
import Testing

@testable import Protocols

/// Packets and reports of the paced transport as bytes.
@Suite struct PacedWireTests {
    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `what is written is read, and has the size that the sender counts on`(
        seed: UInt64
    ) throws {
        var random = RandomStream(seed: seed, name: "wire")
        let packet = Self.packet(&random)
        let chunks = Self.chunks(&random)
        let body = packet.body(chunks)
        let size = chunks.reduce(PacedFormat.emptyData) {
            $0 + PacedFormat.chunkHeader + $1.content.count
        }
        #expect(PacedFormat.openHeader + body.count + PacedFormat.tag == size)
        let near = packet.sentAt + .seconds(Int64(random.below(2_000)))
        let read = try #require(Read(.data, number: packet.number, body: body, near: near))
        var expected = packet
        expected.size = PacedFormat.outerHeaders + size
        #expect(read.packet == expected)
        #expect(read.chunks.map(\.chunk) == chunks.map(\.chunk))
        #expect(read.chunks.map(\.content) == chunks.map(\.content))
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `a report is read as it was written`(seed: UInt64) throws {
        var random = RandomStream(seed: seed, name: "wire")
        let now = Instant.start + .seconds(20_000)
        let report = Self.report(&random, before: now)
        let body = report.body
        #expect(
            PacedFormat.outerHeaders + PacedFormat.openHeader + body.count + PacedFormat.tag
                == report.size)
        let near = report.shortestWay ?? .zero
        let read = Self.read(
            body, number: report.number, at: now, near: near + .seconds(1_500))
        #expect(read == report)
    }

    @Test func `a head tells kind, session and number`() throws {
        for kind in [.report] + PacedPacket.Kind.allCases.map(PacedHead.Kind.packet) {
            let head = PacedHead(kind, session: 0x0102_0304_0506_0708, number: 1 << 40)
            var bytes = [UInt8](repeating: 0, count: PacedFormat.openHeader)
            bytes.withUnsafeMutableBytes { head.write(to: $0) }
            #expect((bytes + [1, 2, 3]).withUnsafeBytes { PacedHead($0) } == head)
            #expect(bytes.dropLast().withUnsafeBytes { PacedHead($0) } == nil)
        }
        let other = [UInt8](repeating: 99, count: 40)
        #expect(other.withUnsafeBytes { PacedHead($0) } == nil)
    }

    @Test func `bytes of a packet have their places`() {
        let packet = PacedPacket(
            .data, number: 9, floor: 7, sentAt: .start + .microseconds(0x0102_0304),
            reportEvery: .milliseconds(50), size: 0)
        let chunk = PacedChunk(file: 5, offset: 0x0a0b, length: 3)
        let bytes: [UInt8] = [1, 2, 3, 4, 0, 0, 0, 2, 0x13, 0x88]
        let piece: [UInt8] = [0, 0, 0, 5, 0, 0, 0, 0, 0x0a, 0x0b, 0, 3, 97, 98, 99]
        #expect(packet.body([(chunk, [97, 98, 99])]) == bytes + piece)
    }

    @Test func `what is cut off is malformed`() {
        var random = RandomStream(seed: 1, name: "wire")
        let packet = Self.packet(&random)
        let chunks = Self.chunks(&random)
        let body = packet.body(chunks)
        var ends: Set<Int> = [10]
        for chunk in chunks {
            ends.insert((ends.max() ?? 0) + PacedFormat.chunkHeader + chunk.content.count)
        }
        for length in 0..<body.count where !ends.contains(length) {
            let read = Read(
                .data, number: packet.number, body: Array(body.prefix(length)), near: .start)
            #expect(read == nil, "\(length) of \(body.count) bytes")
        }
        let now = Instant.start + .seconds(20_000)
        let report = Self.report(&random, before: now)
        for length in 0..<report.body.count {
            let read = Self.read(Array(report.body.prefix(length)), number: 1, at: now)
            #expect(read == nil)
        }
        #expect(Self.read(report.body + [0], number: 1, at: now) == nil)
    }

    @Test func `an empty packet of data, and content in other packets, is malformed`() {
        let packet = PacedPacket(
            .probe, number: 9, floor: 9, sentAt: .start, reportEvery: .milliseconds(5), size: 0)
        let empty = packet.body([])
        let full = packet.body([(PacedChunk(file: 1, offset: 0, length: 1), [7])])
        for kind in PacedPacket.Kind.allCases {
            let isData = kind == .data
            let reads = [empty, full].map {
                Read(kind, number: 9, body: $0, near: .start) != nil
            }
            #expect(reads == [!isData, isData], "\(kind)")
        }
        // A floor before the first packet.
        #expect(
            Read(.probe, number: 1, body: [0, 0, 0, 0, 0, 0, 0, 2, 0, 0], near: .start) == nil)
    }

    /// Nothing that a peer sends may stop either end.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `bytes that are changed at random are refused, or do no harm`(seed: UInt64) {
        var random = RandomStream(seed: seed, name: "changes")
        let now = Instant.start + .seconds(20_000)
        var receiver = PacedReceiver()
        var sender = PacedSender(PacedSettings(), at: now)
        sender.add(file: 1, to: 1_000_000)
        while sender.next(at: now) != nil {}
        for _ in 0..<2_000 {
            var packet = Self.packet(&random).body(Self.chunks(&random))
            Self.change(&packet, &random)
            if let read = Read(.data, number: random.below(1 << 20), body: packet, near: now) {
                _ = receiver.arrived(read.packet, at: now)
                _ = receiver.report(at: now + .seconds(1))
            }
            var report = Self.report(&random, before: now).body
            Self.change(&report, &random)
            if let read = Self.read(report, number: random.below(100), at: now) {
                sender.heard(read, at: now)
                _ = sender.deadline
            }
        }
    }

    /// A packet that was read, and its chunks.
    private struct Read {
        let packet: PacedPacket
        let chunks: [(chunk: PacedChunk, content: [UInt8])]

        init?(_ kind: PacedPacket.Kind, number: UInt64, body: [UInt8], near: Instant) {
            let read = body.withUnsafeBytes { bytes in
                PacedPacket(kind, number: number, body: bytes, near: near).map { packet in
                    (packet, PacedChunks(of: bytes).map { ($0.chunk, Array($0.content)) })
                }
            }
            guard let read else { return nil }
            (packet, chunks) = read
        }
    }

    private static func read(
        _ body: [UInt8], number: UInt64, at now: Instant, near way: TimeSpan = .zero
    ) -> PacedReport? {
        body.withUnsafeBytes { PacedReport(number: number, body: $0, at: now, near: way) }
    }

    // MARK: Random packets

    private static func packet(_ random: inout RandomStream) -> PacedPacket {
        let number = random.below(1 << 40) + 1
        return PacedPacket(
            .data, number: number, floor: number - random.below(min(number, 1 << 20)),
            sentAt: .start + .microseconds(Int64(random.below(1 << 34)) + 3_000_000_000),
            reportEvery: .microseconds(Int64(random.below(5_000)) * 10), size: 0)
    }

    private static func chunks(
        _ random: inout RandomStream
    ) -> [(chunk: PacedChunk, content: [UInt8])] {
        (0...random.below(5)).map { _ in
            let length = random.below(300) + 1
            let chunk = PacedChunk(
                file: UInt32(random.below(1 << 32)), offset: random.below(1 << 48),
                length: UInt32(length))
            return (chunk, (0..<length).map { _ in UInt8(random.below(256)) })
        }
    }

    private static func report(
        _ random: inout RandomStream, before now: Instant
    ) -> PacedReport {
        let contiguous = random.below(1 << 40)
        let start = contiguous + random.below(1_000)
        var missing: [Range<UInt64>] = []
        var next = start
        for _ in 0..<random.below(200) {
            let begin = next + random.below(400) + 1
            next = begin + random.below(200) + 1
            missing.append(begin..<next)
        }
        let age = TimeSpan.microseconds(Int64(random.below(10_000_000)))
        let way = TimeSpan.microseconds(Int64(random.below(1 << 40)) - 1 << 39)
        return PacedReport(
            number: random.below(1 << 30) + 1, contiguous: contiguous,
            end: next + random.below(100), told: start..<next, missing: missing,
            echo: now + (.zero - age), held: .microseconds(Int64(random.below(5_000_000))),
            shortestWay: random.below(9) == 0 ? nil : way,
            received: ByteCount(random.below(1 << 60)),
            span: .microseconds(Int64(random.below(1 << 50))), packets: random.below(1 << 40),
            unneeded: random.below(1 << 40),
            intake: PacedIntake(
                inOrder: random.below(1 << 48),
                room: random.below(9) == 0 ? nil : random.below(1 << 31)),
            ending: random.below(3) == 0 ? .complete : .none)
    }

    private static func change(_ bytes: inout [UInt8], _ random: inout RandomStream) {
        for _ in 0...random.below(3) {
            let place = Int(random.below(UInt64(bytes.count)))
            switch random.below(3) {
            case 0: bytes[place] = UInt8(random.below(256))
            case 1: bytes.remove(at: place)
            default: bytes.insert(UInt8(random.below(256)), at: place)
            }
            if bytes.isEmpty { return }
        }
    }
}

extension PacedPacket {
    /// What follows the head, with these chunks and their content.
    fileprivate func body(_ chunks: [(chunk: PacedChunk, content: [UInt8])]) -> [UInt8] {
        var rest = chunks.map(\.content)[...]
        var bytes = [UInt8](
            repeating: 0, count: PacedPacket.bodySize(of: chunks.map(\.chunk)))
        bytes.withUnsafeMutableBytes {
            write(chunks.map(\.chunk), to: $0) { _, space in
                space.copyBytes(from: rest.removeFirst())
            }
        }
        return bytes
    }
}

extension PacedReport {
    fileprivate var body: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: bodySize)
        bytes.withUnsafeMutableBytes { write(to: $0) }
        return bytes
    }
}
