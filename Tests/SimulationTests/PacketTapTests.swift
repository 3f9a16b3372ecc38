import Capture
import Content
import LinkModels
import Quantities
import RunLog
import Simulation
import Testing

@Suite struct PacketTapTests {
    private static let content = ContentRange.file(1, 600_000)

    /// Links that do to packets whatever can be done to them.
    private static func cruel(_ name: String) -> LinkPlan {
        var plan = LinkPlan.plain(name, losing: 1)
        plan.filters += [
            .duplication(.percent(3)), .corruption(.percent(2)),
            .reordering(.init(chance: .percent(3), hold: .milliseconds(4))),
        ]
        return plan
    }

    private static func play(snapLength: Int? = nil) throws -> TappedHosts {
        try TappedHosts(
            cruel("uplink"), cruel("downlink"),
            sending: [.bytes(Array("POST /in HTTP/1.1\r\n\r\n".utf8)), .content(content)],
            answering: [.bytes(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))], snapLength: snapLength)
    }

    @Test(arguments: TappedHosts.Place.allCases)
    func `a capture that is read back tells what the log tells`(place: TappedHosts.Place) throws {
        let run = try Self.play()
        var flows = CapturedFlows(serverPort: TwoHosts.port)
        let read = try run.frames(at: place).compactMap { frame in
            let packet = try TCPFrame(
                parsing: frame.bytes, originalLength: frame.originalLength, link: .raw)
            return flows.record(of: packet, at: Instant(nanoseconds: frame.wallNanoseconds))
        }
        let told = run.records(at: place)
        #expect(told.count > 400)
        #expect(read.map(Fact.init) == told.map(Fact.init))
    }

    @Test func `as many packets and bytes are captured as stand in the links' books`() throws {
        let run = try Self.play()
        let counts = run.hosts.facts.compactMap { event -> LinkCount? in
            if case .link(.counted(_, let count)) = event.fact { count } else { nil }
        }
        for (place, own) in zip(TappedHosts.Place.allCases, [0, 1]) {
            let sizes = try run.frames(at: place).map { ($0.isUp, $0.originalLength) }
            for link in 0...1 {
                let seen = sizes.filter { $0.0 == (link == 0) }.map(\.1)
                let booked = link == own ? counts[link].sent : counts[link].delivered
                #expect(UInt64(seen.count) == booked.packets, "link \(link) at the \(place)")
                #expect(UInt64(seen.reduce(0, +)) == booked.bytes, "link \(link) at the \(place)")
            }
        }
    }

    @Test func `headers and contents are whole, and the bytes are those that were sent`() throws {
        let run = try Self.play()
        let sent = try run.frames(at: .client).filter(\.isUp)
        #expect(sent.allSatisfy { $0.hasGoodHeaderChecksum && $0.hasGoodChecksum })
        var stream = [UInt8](repeating: 0, count: 21 + 600_000)
        let first = try #require(sent.first).packet.sequence
        for frame in sent {
            let packet = try frame.packet
            guard packet.payload > 0 else { continue }
            let start = Int(packet.sequence &- first) - 1
            let payload = frame.bytes.suffix(packet.payload)
            stream.replaceSubrange(start..<start + payload.count, with: payload)
        }
        let head = Array("POST /in HTTP/1.1\r\n\r\n".utf8)
        #expect(stream == head + DeterministicBytes.bytes(of: Self.content))
    }

    @Test func `a damaged packet has one bit of another value, and arrives so`() throws {
        let run = try Self.play()
        let sent = try run.frames(at: .client).filter(\.isUp)
        let arrived = try run.frames(at: .server).filter(\.isUp)
        let damaged = arrived.filter { !$0.hasGoodChecksum }
        #expect(damaged.count > 3)
        for frame in damaged {
            let original = try #require(sent.first { $0.identification == frame.identification })
            let bits = zip(original.bytes, frame.bytes).map { ($0 ^ $1).nonzeroBitCount }
            #expect(bits.reduce(0, +) == 1 && frame.hasGoodHeaderChecksum)
        }
    }

    @Test func `a packet that is doubled on the way arrives twice, and was sent once`() throws {
        let run = try Self.play()
        let doubled = run.hosts.packets.filter { $0.link == 0 && $0.kind == .duplicated }
        #expect(doubled.count > 3)
        let sent = try run.frames(at: .client).filter(\.isUp)
        let arrived = try run.frames(at: .server).filter(\.isUp)
        let delivered = run.hosts.packets.filter { $0.link == 0 && $0.kind == .delivered }
        for record in doubled {
            let name = UInt16(truncatingIfNeeded: record.packet)
            #expect(sent.count { $0.identification == name } == 1)
            let copies = delivered.count { $0.packet == record.packet }
            #expect(arrived.count { $0.identification == name } == copies)
        }
    }

    @Test func `a snap length keeps the headers and says how long each packet was`() throws {
        let (whole, cut) = (try Self.play(), try Self.play(snapLength: 80))
        let frames = (try whole.frames(at: .client), try cut.frames(at: .client))
        #expect(frames.0.map(\.originalLength) == frames.1.map(\.originalLength))
        #expect(frames.0.map { Array($0.bytes.prefix(80)) } == frames.1.map(\.bytes))
    }

    @Test func `a packet that comes when another connection has its place has its own port`()
        throws
    {
        var uplink = LinkPlan.plain("uplink")
        uplink.filters = [.reordering(.init(chance: .percent(5), hold: .seconds(3)))]
        let run = try TappedHosts(uplink, .plain("downlink"), sending: [.content(.file(1, 20_000))])
        { hosts in
            for turn in UInt64(1)...20 {
                let moment = Instant(nanoseconds: turn * 2_000_000_000)
                hosts.network.setTimer(slot: 0, at: moment)
                hosts.play(until: moment)
                for end in [hosts.client, hosts.server].compactMap(\.self) {
                    hosts.network.release(end)
                }
                hosts.open(listening: false, sending: [.content(.file(1, 20_000))])
            }
        }
        let sent = try run.frames(at: .client).filter(\.isUp)
        let arrived = try run.frames(at: .server).filter(\.isUp)
        for frame in arrived {
            let original = try #require(sent.first { $0.identification == frame.identification })
            #expect(try original.packet.source == frame.packet.source)
        }
        #expect(Set(try sent.map { try $0.packet.source.port }).count == 21)
        // Of them only the headers are known.
        #expect(arrived.contains { $0.bytes.count < $0.originalLength })
        #expect(arrived.count { $0.bytes.count == $0.originalLength } > 200)
    }

    @Test func `numbers go round after 4 GiB`() throws {
        // A seed with which the client's first number lies less than 100 kB before the end.
        let seed = try #require(
            (UInt64(0)..<1_000_000).first { seed in
                var random = RandomStream(seed: seed, name: "tcp/initial-sequence")
                return UInt32(truncatingIfNeeded: random.next()) > .max - 100_000
            })
        let run = try TappedHosts(
            .plain("uplink"), .plain("downlink"), sending: [.content(Self.content)], seed: seed)
        let up = try run.frames(at: .client).filter(\.isUp).map { try $0.packet.sequence }
        #expect(try #require(up.first) > .max - 100_000)
        #expect(try #require(up.last) < 600_000)
        // And so do those that answer them.
        let down = try run.frames(at: .client).filter { !$0.isUp }
        let answers = try down.map { try $0.packet.acknowledgement }
        #expect(answers.contains { $0 > .max - 100_000 })
        #expect(answers.contains { $0 < 600_000 && $0 > 400_000 })
    }

    @Test func `a file that cannot be opened is said with its name and the reason`() throws {
        do {
            let tap = try PacketTap(client: "/nowhere/capture.pcap", server: nil)
            try tap.finish()
            Issue.record("there is no such folder")
        } catch {
            #expect(error.what.contains("/nowhere/capture.pcap"))
            #expect(error.what.contains("No such file or directory"))
        }
    }

    /// What the log and a capture both know of a packet.
    private struct Fact: Hashable {
        var at: UInt64
        var link: UInt16
        var flow: UInt16
        var size: UInt16
        var payload: UInt16
        var sequence: UInt32
        var acknowledgement: UInt32?
        var flags: PacketRecord.Flags

        init(_ record: PacketRecord) {
            at = record.atNanoseconds
            link = record.link
            flow = record.flow
            size = record.size
            payload = record.payload
            sequence = record.sequence
            acknowledgement = record.flags.contains(.ack) ? record.acknowledgement : nil
            flags = record.flags
        }
    }
}

extension CapturedFrame {
    var packet: TCPFrame {
        get throws { try TCPFrame(parsing: bytes, originalLength: originalLength, link: .raw) }
    }

    /// Whether the client sent it.
    fileprivate var isUp: Bool { (try? packet.destination.port) == TwoHosts.port }

    /// The number that its sender gave to the packet.
    fileprivate var identification: UInt16 { UInt16(bytes[4]) << 8 | UInt16(bytes[5]) }

    fileprivate var hasGoodHeaderChecksum: Bool { Self.sum(bytes[..<20]) == 0xffff }

    fileprivate var hasGoodChecksum: Bool {
        let length = bytes.count - 20
        let pseudo = bytes[12..<20] + [0, 6, UInt8(length >> 8), UInt8(length & 255)]
        return Self.sum(pseudo + bytes[20...]) == 0xffff
    }

    /// RFC 1071, in its own words: the sum of all words, carries brought round.
    private static func sum(_ bytes: ArraySlice<UInt8>) -> Int {
        let words = Array(bytes) + (bytes.count % 2 == 0 ? [] : [0])
        var sum = stride(from: 0, to: words.count, by: 2)
            .reduce(0) { $0 + Int(words[$1]) << 8 + Int(words[$1 + 1]) }
        while sum > 0xffff { sum = sum & 0xffff + sum >> 16 }
        return sum
    }
}
