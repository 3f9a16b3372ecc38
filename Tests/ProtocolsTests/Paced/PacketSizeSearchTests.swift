import Quantities
import Testing

@testable import Protocols

/// A path that carries only small packets, and says so to nobody.
@Suite struct PacketSizeSearchTests {
    /// Packets larger than `limit` vanish from some moment on, and one of so many others.
    private static func path(
        upTo limit: Int, from moment: Instant = .start, losingOneIn count: UInt64 = .max
    ) -> PacedPath {
        var path = PacedPath(
            PacedSettings(policy: .fair, target: Bitrate(bitsPerSecond: 5_000_000)))
        var random = RandomStream(seed: 1, name: "losses")
        path.fate = { _, packet in
            let isTooLarge = packet.size > limit && packet.sentAt >= moment
            return isTooLarge || random.below(count) == 0 ? [] : [.milliseconds(20)]
        }
        path.sender.add(file: 1, to: 2_000_000)
        path.sender.finish()
        path.play()
        return path
    }

    @Test(arguments: [1_499, 1_280, 1_000, 576]) func `all arrives in packets that pass`(
        limit: Int
    ) {
        let path = Self.path(upTo: limit)
        #expect(path.hasArrived(1, 2_000_000))
        #expect(path.sender.state == .complete)
        let lost = path.packets.count { $0.size > limit }
        #expect((12...100).contains(lost), "\(lost) were too large")
        #expect(path.now < .start + .seconds(12))
    }

    @Test func `a path may become narrower in mid-transfer`() {
        let path = Self.path(upTo: 1_400, from: .start + .seconds(1))
        #expect(path.hasArrived(1, 2_000_000))
        let sizes = path.packets.filter { $0.kind == .data }.map(\.size)
        #expect(sizes.prefix(100).contains(1_500))
        #expect(sizes.suffix(100).allSatisfy { $0 <= 1_280 })
    }

    @Test func `losses by chance and outages leave packets as large as they were`() {
        var path = Self.path(upTo: 1_500, losingOneIn: 5)
        #expect(path.packets.suffix(200).contains { $0.size == 1_500 })
        path = PacedPath(PacedSettings(policy: .fair, target: Bitrate(bitsPerSecond: 5_000_000)))
        path.fate = { _, packet in
            (1..<2).contains(packet.sentAt.seconds) ? [] : [.milliseconds(20)]
        }
        path.sender.add(file: 1, to: 2_000_000)
        path.play()
        #expect(path.hasArrived(1, 2_000_000))
        #expect(path.packets.suffix(200).contains { $0.size == 1_500 })
    }
}
