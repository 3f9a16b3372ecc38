import Quantities
import Testing

@testable import RunLog

@Suite struct RunDigestTests {
    static let log: [RunEvent] = [
        RunEvent(at: .start, .device(.appLaunched(launch: 1))),
        RunEvent(at: Instant(nanoseconds: 5), .queue(.callback(ItemName(1), .willActivate))),
        RunEvent(
            at: Instant(nanoseconds: 9),
            .queue(.callback(ItemName(1), .didDeactivate(.completed)))),
    ]

    @Test func `the digest of a known log is known, in any build and process`() {
        #expect(digest(of: Self.log) == "a9486bc55ac14ac6")
    }

    private static let wholes: [SessionProgress?] = [
        nil, SessionProgress(done: ByteCount(9), total: nil),
        SessionProgress(done: ByteCount(9), total: ByteCount(1 << 41)),
    ]

    @Test(arguments: [(nil, .queue), (2, .queue), (nil, .bucket)] as [(UInt16?, Facade)], wholes)
    func `the short way to the bytes of progress is the long one`(
        whose: (app: UInt16?, facade: Facade), whole: SessionProgress?
    ) {
        let progress = SessionCallback.progress(
            name: "vidéo.mov", done: ByteCount(7), total: ByteCount(1 << 40), ofSession: whole)
        let event = RunEvent(
            at: Instant(nanoseconds: 9), app: whose.app,
            .queue(.callback(ItemName(3, of: whose.facade), progress)))
        var encoder = CanonicalEncoder()
        let bytes = encoder.encode(event)
        #expect(bytes == encoder.walk(event))
        #expect(bytes.count > 100)
    }

    @Test func `changing, dropping or swapping one event changes the digest`() {
        let whole = digest(of: Self.log)
        var changed = Self.log
        changed[1].at = Instant(nanoseconds: 6)
        #expect(digest(of: changed) != whole)
        var other = Self.log
        other[1].fact = .queue(.callback(ItemName(2), .willActivate))
        #expect(digest(of: other) != whole)
        var whose = Self.log
        whose[1].app = 2
        #expect(digest(of: whose) != whole)
        #expect(digest(of: Array(Self.log.dropLast())) != whole)
        #expect(digest(of: [Self.log[1], Self.log[0], Self.log[2]]) != whole)
    }

    @Test func `one packet more or one nanosecond later changes the digest`() {
        let packet = PacketRecord(
            atNanoseconds: 7, kind: .sent, packet: 0, link: 0, flow: 0, size: 1500, payload: 1448,
            sequence: 1, acknowledgement: 1, flags: .ack)
        var later = packet
        later.atNanoseconds += 1
        let digests = [[], [packet], [later], [packet, later]].map { digest(of: Self.log, $0) }
        #expect(Set(digests).count == 4)
    }

    @Test func `each field of a packet counts, and two that change places`() {
        let packet = PacketRecord(
            atNanoseconds: 7, kind: .sent, packet: 1, link: 0, flow: 2, size: 1500, payload: 1448,
            sequence: 3, acknowledgement: 4, flags: .ack)
        let changes: [(inout PacketRecord) -> Void] = [
            { $0.atNanoseconds = 8 }, { $0.kind = .delivered }, { $0.packet = 2 }, { $0.link = 1 },
            { $0.flow = 3 }, { $0.size = 1499 }, { $0.payload = 1447 }, { $0.sequence = 4 },
            { $0.acknowledgement = 3 }, { $0.flags = .syn }, { $0.codepoint = .capable },
            { $0.ae = 1 },
        ]
        var digests: Set = [digest(of: [], [packet])]
        for change in changes {
            var other = packet
            change(&other)
            digests.insert(digest(of: [], [packet, other]))
            digests.insert(digest(of: [], [other, packet]))
            digests.insert(digest(of: [], [other]))
        }
        #expect(digests.count == 1 + 3 * changes.count)
    }

    @Test func `no bit of a packet makes up for the same bit of another`() {
        let packet = PacketRecord(
            atNanoseconds: 7, kind: .sent, packet: 1, link: 0, flow: 2, size: 1500, payload: 1448,
            sequence: 3, acknowledgement: 4, flags: .ack)
        func bits<Field: FixedWidthInteger>(
            of field: WritableKeyPath<PacketRecord, Field>
        ) -> [PacketRecord] {
            (0..<Field.bitWidth).map { bit in
                var other = packet
                other[keyPath: field] ^= 1 << Field(bit)
                return other
            }
        }
        let others =
            bits(of: \.atNanoseconds) + bits(of: \.packet) + bits(of: \.sequence)
            + bits(of: \.acknowledgement) + bits(of: \.link) + bits(of: \.flow)
            + bits(of: \.size) + bits(of: \.payload)
        var digests: Set = [digest(of: [], [packet, packet, packet])]
        for other in others {
            digests.insert(digest(of: [], [other, packet, packet]))
            digests.insert(digest(of: [], [other, other, packet]))
            digests.insert(digest(of: [], [other, packet, other]))
        }
        #expect(digests.count == 1 + 3 * others.count)
    }

    @Test func `what was played counts, and not from where it was started`() {
        func digest(_ change: (inout RunBeginning) -> Void) -> String {
            var beginning = RunBeginning(
                scenario: "a", world: .simulated, seed: 1, text: "name: a", path: "a.yaml",
                sentences: ["It ends."], sessions: 1, command: "./lab run a.yaml")
            change(&beginning)
            return self.digest(of: [RunEvent(at: .start, .run(.began(beginning)))])
        }
        let whole = digest { _ in }
        #expect(digest { $0.path = "/b/a.yaml" } == whole)
        #expect(digest { $0.command = "./lab run /b/a.yaml" } == whole)
        #expect(digest { $0.seed = 2 } != whole)
        #expect(digest { $0.text = "name: b" } != whole)
        #expect(digest { $0.world = .live } != whole)
        #expect(digest { $0.sessions = 2 } != whole)
    }

    private func digest(of log: [RunEvent], _ packets: [PacketRecord] = []) -> String {
        var digest = RunDigest()
        for event in log { digest.read(event) }
        packets.withUnsafeBufferPointer { digest.read(packets: $0) }
        return digest.text
    }
}
