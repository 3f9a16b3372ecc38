import Capture
import Content
import LinkModels
import Quantities
import RunLog
import Simulation
import Testing

/// TCP's options in captures, in which an end can only speak of what has come to it, and the bits
/// of congestion notification.
@Suite struct PacketOptionTests {
    private static func play() throws -> TappedHosts {
        try TappedHosts(
            .plain("uplink", losing: 3), .plain("downlink", losing: 3),
            sending: [.content(.file(1, 400_000))], answering: [.content(.file(2, 400_000))])
    }

    @Test(arguments: TappedHosts.Place.allCases)
    func `selective acknowledgements name packets that have come, and lie beyond a hole`(
        place: TappedHosts.Place
    ) throws {
        var begins: Set<UInt32> = []
        var ends: Set<UInt32> = []
        var blocks = 0
        for frame in try Self.play().frames(at: place) {
            let packet = try frame.packet
            guard frame.isSent(from: place) else {
                begins.insert(packet.sequence)
                let last: UInt32 = packet.flags.contains(.fin) ? 1 : 0
                ends.insert(packet.sequence &+ UInt32(packet.payload) &+ last)
                continue
            }
            for block in frame.selectiveBlocks {
                blocks += 1
                #expect(begins.contains(block.begin), "\(block) at the \(place)")
                #expect(ends.contains(block.end), "\(block) at the \(place)")
                #expect(Int32(bitPattern: block.begin &- packet.acknowledgement) > 0)
            }
        }
        #expect(blocks > 10, "\(blocks) blocks")
    }

    @Test(arguments: TappedHosts.Place.allCases)
    func `a stamp that is echoed has come before, and stamps never go back`(
        place: TappedHosts.Place
    ) throws {
        var stamps: Set<UInt32> = []
        var latest: UInt32 = 0
        var echoes = 0
        for frame in try Self.play().frames(at: place) {
            let (stamp, echo) = try #require(frame.stamps)
            guard frame.isSent(from: place) else {
                stamps.insert(stamp)
                continue
            }
            #expect(stamp >= latest)
            latest = stamp
            guard try frame.packet.flags.contains(.ack) else { continue }
            echoes += 1
            #expect(stamps.contains(echo), "\(echo) at the \(place)")
        }
        #expect(echoes > 100 && stamps.count > 50)
    }

    @Test(arguments: TappedHosts.Place.allCases)
    func `what is said of congestion stands in the headers of IP and TCP`(
        place: TappedHosts.Place
    ) throws {
        var control = CoDel.Options()
        control.marks = true
        var uplink = LinkPlan.plain("uplink")
        uplink.bottleneck = BottleneckPlan(
            rate: uplink.bottleneck.rate,
            queue: .disciplined(.coDel(control), limit: ByteCount(500_000)))
        let run = try TappedHosts(
            uplink, .plain("downlink"), sending: [.content(.file(1, 2_000_000))],
            marksCongestion: true)
        let frames = try run.frames(at: place)
        let records = run.records(at: place)
        try #require(frames.count == records.count)
        for (frame, record) in zip(frames, records) {
            #expect(frame.bytes[1] == record.codepoint.rawValue)
            #expect(frame.bytes[33] == record.flags.rawValue)
        }
        // A mark is made on the way, and echoed to its sender.
        let marked = frames.count { $0.bytes[1] == 3 }
        #expect((marked > 5) == (place == .server), "\(marked) marked at the \(place)")
        #expect(frames.contains { $0.bytes[33] == 0x50 })
        #expect(frames.contains { $0.bytes[33] == 0x90 })
    }
}

extension CapturedFrame {
    fileprivate struct Block: Hashable {
        var begin: UInt32
        var end: UInt32
    }

    fileprivate func isSent(from place: TappedHosts.Place) -> Bool {
        let isUp = (try? packet.destination.port) == TwoHosts.port
        return isUp == (place == .client)
    }

    fileprivate var selectiveBlocks: [Block] {
        guard let place = option(5) else { return [] }
        return stride(from: place + 2, to: place + Int(bytes[place + 1]), by: 8).map {
            Block(begin: long($0), end: long($0 + 4))
        }
    }

    /// Milliseconds: its own, and the one that it answers.
    fileprivate var stamps: (own: UInt32, echo: UInt32)? {
        option(8).map { (long($0 + 2), long($0 + 6)) }
    }

    /// Where an option of this kind begins.
    private func option(_ kind: UInt8) -> Int? {
        let end = 20 + Int(bytes[32] >> 4) * 4
        var place = 40
        while place < end, bytes[place] != 0 {
            if bytes[place] == kind { return place }
            place += bytes[place] == 1 ? 1 : Int(bytes[place + 1])
        }
        return nil
    }

    private func long(_ place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
