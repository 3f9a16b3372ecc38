import Content
import LinkModels
import Quantities
import RunLog
import Simulation
import Testing

/// RFC 2018: what is said of the stretches beyond a hole, and what that weighs.
@Suite struct SelectiveAcknowledgementTests {
    @Test func `an acknowledgement grows by 12, 20 and 28 bytes for one, two and three stretches`()
        throws
    {
        // Every other segment is lost: each that arrives makes one stretch more.
        let hosts = TwoHosts(.plain("uplink").losing([2, 4, 6, 8, 10]), .plain("downlink"))
        hosts.open(sending: [.content(.file(1, 10 * 1448))])
        hosts.play()
        let sizes = hosts.packets.filter { $0.link == 1 && $0.kind == .sent }.map(\.size)
        #expect(sizes.prefix(6) == [60, 64, 72, 80, 80, 80])
        #expect(hosts.received.values.first == [.file(1, 10 * 1448)])
    }
}
