import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

@Suite struct QuickAcknowledgementTests {
    /// The first ten segments leave at once; the client's own SYN is answered in both cases.
    @Test(arguments: [(true, 10), (false, 5)])
    func `the first segments are acknowledged one by one, unless that is switched off`(
        isQuick: Bool, count: Int
    ) {
        let hosts = TwoHosts(
            .plain("uplink"), .plain("downlink"),
            tcp: TCPSettings(controller: .newReno, acknowledgesQuickly: isQuick))
        hosts.open(sending: [.content(.file(1, 100_000))])
        hosts.play()
        let acknowledgements = hosts.packets.filter {
            $0.link == 1 && $0.kind == .sent && !$0.flags.contains(.syn)
        }
        let base = hosts.packets.first { $0.link == 0 && $0.flags.contains(.syn) }?.sequence ?? 0
        let early = acknowledgements.filter { $0.acknowledgement &- base <= 1 + 10 * 1448 }
        #expect(early.count == count)
        // What falls out of this phase is acknowledged in pairs, or pushed.
        #expect(hosts.received.values.first == [.file(1, 100_000)])
    }
}
