import Content
import LinkModels
import Quantities
import RunLog
import Testing

@testable import Simulation

@Suite struct NewRenoRecoveryTests {
    private static let segment: UInt64 = 1448

    @Test func `duplicates of what a timeout sent again start no recovery, later ones do`() {
        var recovery = NewRenoRecovery(initialSequence: 0)
        var controller = CongestionController.newReno(NewReno())
        let end = 20 * Self.segment
        recovery.timedOut(maximum: end)
        for unacknowledged in [Self.segment, end] {
            for _ in 0..<5 {
                #expect(
                    !recovery.duplicateArrived(
                        unacknowledged: unacknowledged, maximum: end + Self.segment,
                        controller: &controller))
            }
            _ = recovery.advanced(by: Self.segment, to: unacknowledged + Self.segment)
        }
        let found = (0..<3).map { _ in
            recovery.duplicateArrived(
                unacknowledged: end + 1, maximum: 2 * end, controller: &controller)
        }
        #expect(found == [false, false, true])
    }

    @Test func `two losses of one window are repaired one round trip apart, by one recovery`()
        throws
    {
        // The third and the sixth segment of content.
        let pattern = try #require(LossPattern(on: "uplink", dropping: [4, 7], ofFirst: 40))
        let hosts = TwoHosts(
            .plain("uplink", losing: pattern.percent), .plain("downlink"), seed: pattern.seed)
        hosts.open(sending: [.content(.file(1, 20 * Self.segment))])
        hosts.play()
        #expect(hosts.received.values.first == [.file(1, 20 * Self.segment)])
        let sent = hosts.packets.filter { $0.kind == .sent && $0.link == 0 && $0.payload > 0 }
        #expect(sent.count == 22)
        // A timeout would have taken 200 ms alone.
        #expect(hosts.network.now < Instant(nanoseconds: 200_000_000))
        let firstTimes = Dictionary(
            sent.map { ($0.sequence, $0) }, uniquingKeysWith: { one, _ in one })
        let again = sent.filter { firstTimes[$0.sequence] != $0 }
        #expect(again.count == 2)
        let apart = again[1].atNanoseconds - again[0].atNanoseconds
        #expect((20_000_000...45_000_000).contains(apart), "\(apart) ns")
    }
}
