import Content
import LinkModels
import Quantities
import RunLog
import Testing

@testable import Simulation

@Suite struct IdleRestartTests {
    private static let segment: UInt64 = 1448

    @Test func `a window is halved for every timeout of a pause, to ten segments at least`() {
        for (pause, segments) in [(UInt64(90), 320), (110, 160), (210, 80), (5_000, 10)] {
            var controller = NewReno()
            controller.lossFound(flight: 640 * Self.segment)
            controller.resumed(
                at: 10_000_000_000, after: pause * 1_000_000, timeout: 100_000_000)
            #expect(controller.window == UInt64(segments) * Self.segment, "\(pause) ms")
            #expect(controller.threshold == 320 * Self.segment)
        }
    }

    @Test func `a pause does not count along the cubic curve`() {
        var steady = Cubic()
        var paused = Cubic()
        for round in UInt64(0)..<100 {
            for place in UInt64(0)..<10 {
                acknowledge(&steady, at: round * 100_000_000 + place)
                acknowledge(&paused, at: round * 100_000_000 + place)
            }
            if round == 20 {
                steady.lossFound(flight: 200 * Self.segment)
                paused.lossFound(flight: 200 * Self.segment)
            }
        }
        let end: UInt64 = 10_000_000_000
        // Ten seconds without a timeout's worth of doubt: the curve goes on where it was.
        paused.resumed(at: end + 10_000_000_000, after: 10_000_000_000, timeout: .max)
        for place in UInt64(0)..<1_000 {
            acknowledge(&steady, at: end + place * 1_000_000)
            acknowledge(&paused, at: end + 10_000_000_000 + place * 1_000_000)
        }
        #expect(steady.window == paused.window)
    }

    @Test func `after a pause of a second a sender begins with ten segments again`() throws {
        let hosts = TwoHosts(
            .plain("uplink", megabits: 100, queue: 1_000_000), .plain("downlink", megabits: 100))
        hosts.staysOpen = true
        hosts.open(sending: [.content(.file(1, 1_000_000))])
        hosts.play()
        let handle = try #require(hosts.client)
        let pauseEnd = Instant(nanoseconds: hosts.network.now.nanoseconds + 5_000_000_000)
        hosts.network.setTimer(slot: 0, at: pauseEnd)
        hosts.play(until: pauseEnd)
        hosts.waiting[handle] = [.content(.file(2, 60_000))]
        hosts.feed(handle)
        hosts.play()
        let burst = hosts.packets.filter {
            $0.link == 0 && $0.kind == .sent && $0.atNanoseconds == pauseEnd.nanoseconds
        }
        #expect(burst.count == 10)
    }

    private func acknowledge(_ controller: inout Cubic, at now: UInt64) {
        controller.acknowledged(
            2 * Self.segment,
            .init(
                now: now, roundTrip: 100_000_000, smoothed: 100_000_000, unacknowledged: now,
                next: now + 100_000_000))
    }
}
