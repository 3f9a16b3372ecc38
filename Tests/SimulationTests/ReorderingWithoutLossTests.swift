import Content
import LinkModels
import Quantities
import RunLog
import Simulation
import Testing

@Suite struct ReorderingWithoutLossTests {
    @Test(arguments: [UInt64(1), 2, 3, 4, 5])
    func `packets that overtake each other are sent again once at most, until that is understood`(
        seed: UInt64
    ) {
        let hosts = TwoHosts(
            .plain("uplink", megabits: 20, queue: 5_000_000)
                .holding(.milliseconds(4), percent: 2),
            .plain("downlink", megabits: 20), seed: seed)
        let content = ContentRange.file(1, 2_000_000)
        hosts.open(sending: [.content(content)])
        hosts.play()
        #expect(hosts.received.values.first == [content])
        let sent = hosts.packets.filter { $0.link == 0 && $0.kind == .sent && $0.payload > 0 }
        let once = Int((content.length.bytes + 1447) / 1448)
        #expect(sent.count <= once + 1, "seed \(seed): \(sent.count - once) sent again")
        // 2 MB take 0.83 s at 20 Mbit/s; an unforgiven false alarm would halve a window.
        #expect(hosts.network.now < Instant(nanoseconds: 1_200_000_000))
    }
}
