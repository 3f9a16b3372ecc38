import Quantities
import Testing

@testable import Protocols

/// The sender sends again what the receiver misses, and nothing else.
@Suite struct PreciseRepairTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `each lost packet is sent again once for each of its losses`(seed: UInt64) {
        var path = PacedPath()
        path.lose(oneIn: 5, seed: seed)
        path.sender.add(file: 7, to: 200_000)
        path.sender.finish()
        path.play()
        #expect(path.sender.state == .complete)
        #expect(path.receiver.ending == .complete)
        #expect(path.hasArrived(7, 200_000))
        #expect(path.contentSent == 200_000 + path.contentLost, "seed \(seed)")
        #expect(path.arrived[7]?.values.allSatisfy { $0 == 1 } == true)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `lost reports delay, and nothing is sent in vain`(seed: UInt64) {
        var path = PacedPath()
        path.lose(oneIn: 10, seed: seed)
        var reports = RandomStream(seed: seed, name: "reports")
        path.losesReport = { _ in reports.below(3) == 0 }
        path.sender.add(file: 1, to: 100_000)
        path.sender.finish()
        path.play()
        #expect(path.sender.state == .complete)
        #expect(path.hasArrived(1, 100_000))
        #expect(path.contentSent == 100_000 + path.contentLost)
    }

    @Test func `the last packets are missed although none follows`() {
        var path = PacedPath()
        // The 10 packets of the file, and the first that asks for a report.
        path.fate = { place, _ in 5...10 ~= place ? [] : [.milliseconds(20)] }
        path.sender.add(file: 1, to: 10 * 1_417)
        path.sender.finish()
        path.play()
        #expect(path.sender.state == .complete)
        #expect(path.hasArrived(1, 10 * 1_417))
        #expect(path.contentSent == 15 * 1_417)
        #expect(path.now < .start + .milliseconds(700))
    }

    @Test func `packets that are doubled are not needed, and do no harm`() {
        var path = PacedPath(fate: { _, _ in [.milliseconds(20), .milliseconds(25)] })
        path.sender.add(file: 1, to: 300_000)
        path.sender.finish()
        path.play()
        #expect(path.sender.state == .complete)
        #expect(path.contentSent == 300_000)
        let last = path.reports.last
        #expect(last.map { 2 * $0.unneeded >= $0.packets - 2 } == true)
    }

    @Test func `overtaken packets are sent in vain only until their lateness is known`() {
        var path = PacedPath(
            PacedSettings(policy: .fixed, target: Bitrate(bitsPerSecond: 20_000_000)))
        // Every tenth packet comes 8 ms later than it should.
        path.fate = { place, _ in [.milliseconds(place % 10 == 0 ? 28 : 20)] }
        path.sender.add(file: 1, to: 2_000_000)
        path.sender.finish()
        path.play()
        #expect(path.sender.state == .complete)
        #expect(path.hasArrived(1, 2_000_000))
        let again = path.contentSent - 2_000_000
        #expect(again < 20 * 1_417, "\(again) bytes were sent in vain")
    }

    @Test func `a long gap is told in several reports`() {
        var path = PacedPath(
            PacedSettings(policy: .fixed, target: Bitrate(bitsPerSecond: 400_000_000)),
            delay: .milliseconds(100))
        // Every second packet is lost, so that no report has room for all ranges.
        path.fate = { place, _ in place < 2_400 && place % 2 == 1 ? [] : [.milliseconds(100)] }
        path.sender.add(file: 1, to: 3_000_000)
        path.sender.finish()
        path.play()
        #expect(path.sender.state == .complete)
        #expect(path.reports.contains { $0.told.upperBound < $0.end })
        #expect(path.reports.allSatisfy { $0.size <= 1_280 - 20 })
        #expect(path.arrived[1]?.values.allSatisfy { $0 == 1 } == true)
    }

    @Test func `small files share a packet`() {
        var path = PacedPath()
        for file in 0..<300 as Range<UInt32> { path.sender.add(file: file, to: 100) }
        path.sender.finish()
        path.play()
        #expect(path.sender.state == .complete)
        #expect((0..<300).allSatisfy { path.hasArrived($0, 100) })
        // Twelve files of 112 bytes fit into a packet, and a part of the next.
        #expect(path.packets.count { $0.kind == .data } <= 300 * 112 / 1_400 + 1)
    }

    @Test func `the rest of a file is sent, and an empty rest is nothing`() {
        var path = PacedPath()
        path.sender.add(file: 3, from: 5_000, to: 9_000)
        path.sender.add(file: 4, from: 8, to: 8)
        path.sender.finish()
        path.play()
        #expect(path.sender.state == .complete)
        #expect(path.arrived[3]?.keys.min() == 5_000)
        #expect(path.arrived[3]?.count == 4_000)
        #expect(path.arrived[4] == nil)
    }
}
