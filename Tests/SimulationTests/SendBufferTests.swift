import Content
import LinkModels
import Quantities
import Testing

@testable import Simulation

@Suite struct SendBufferTests {
    private static let segment: UInt64 = 1448

    @Test func `the buffer is 64 KiB, or twice the window when that is more`() {
        var sender = TCPSender(initialSequence: 0)
        #expect(sender.room == 65_536)
        sender.dataEnd += 65_000
        #expect(sender.room == 536)
        for _ in 0..<20 { sender.controller.acknowledged(2 * Self.segment) }
        #expect(sender.room == 2 * 50 * Self.segment - 65_000)
    }

    @Test func `a host that had room is told when a timeout has taken it and it is back`() {
        var sender = TCPSender(initialSequence: 0)
        for _ in 0..<20 { sender.controller.acknowledged(2 * Self.segment) }
        sender.dataEnd += 70_000
        sender.noteTightness()
        #expect(!sender.wantsRoom)
        sender.maximum = sender.dataEnd
        sender.timedOut()
        #expect(sender.room == 0)
        #expect(sender.wantsRoom)
    }

    @Test func `room comes back while a long transfer drains, and is told each time`() throws {
        let hosts = TwoHosts(.plain("uplink"), .plain("downlink"))
        hosts.open(sending: [.content(.file(1, 1_000_000))])
        hosts.play()
        let client = try #require(hosts.client)
        let told = hosts.events.count { $0 == .roomAvailable(client) }
        // At least a third of at least 64 KiB each time, and never all of it.
        #expect((4...45).contains(told), "\(told)")
    }
}
