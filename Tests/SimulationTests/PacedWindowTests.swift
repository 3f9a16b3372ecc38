import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

/// CUBIC and NewReno with paced segments, as Linux has them under `fq`.
@Suite struct PacedWindowTests {
    /// A rate at which a packet takes almost no time.
    private static let fast: UInt64 = 100_000

    /// 32 segments in a round trip of 100 ms, at twice the window's rate: one each 1.5625 ms of
    /// content. Linux lets the first ten leave at once.
    @Test(arguments: [TCPSettings.Controller.cubic, .newReno])
    func `in slow start segments leave at twice a window in a round trip`(
        controller: TCPSettings.Controller
    ) {
        let hosts = Self.hosts(
            TCPSettings(controller: controller, initialWindow: 32, pacesWindows: true))
        hosts.open(sending: [.content(.file(1, 32 * 1448))])
        hosts.play()
        let times = Self.departures(of: hosts)
        #expect(times.count == 32)
        #expect(times[9] == times[0])
        for place in 11..<31 {
            let gap = Double(times[place] - times[place - 1])
            #expect(abs(gap / 1_562_500 - 1) < 0.01, "\(place): \(gap) ns")
        }
    }

    /// The twentieth segment is lost, so that slow start is over; then a burst after a pause.
    @Test func `after slow start they leave at a fifth more than a window in a round trip`() throws
    {
        let hosts = Self.hosts(
            TCPSettings(controller: .newReno, pacesWindows: true), losing: [20])
        hosts.staysOpen = true
        hosts.open(sending: [.content(.file(1, 100 * 1448))])
        hosts.play()
        let handle = try #require(hosts.client)
        let window = hosts.network.window(handle)
        let roundTrip = try #require(window.smoothedRoundTrip)
        let count = window.size.bytes / 1448
        #expect(window.threshold != nil && count >= 8)
        let start = hosts.network.now.nanoseconds
        hosts.waiting[handle] = [.content(.file(2, count * 1448))]
        hosts.feed(handle)
        hosts.play()
        let times = Self.departures(of: hosts).filter { $0 >= start }
        let expected =
            roundTrip.seconds * 1e9 / 1.2 * 1448 / Double(window.size.bytes)
        // The first makes up for the pause by half of a segment's time.
        for place in 2..<Int(count) {
            let gap = Double(times[place] - times[place - 1])
            #expect(abs(gap / expected - 1) < 0.01, "\(place): \(gap) and \(expected) ns")
        }
    }

    /// A first flight of 40 segments overflows a queue of 30 at once; paced it does not.
    @Test func `a paced first flight passes a queue that a burst overflows`() {
        func dropped(paced: Bool) -> Int {
            let hosts = TwoHosts(
                .plain("uplink", megabits: 20, delay: .milliseconds(50), queue: 30 * 1500),
                .plain("downlink", megabits: 20, delay: .milliseconds(50)),
                tcp: TCPSettings(initialWindow: 40, pacesWindows: paced))
            hosts.open(sending: [.content(.file(1, 40 * 1448))])
            hosts.play()
            #expect(hosts.received.values.first == [.file(1, 40 * 1448)])
            return hosts.packets.count { $0.kind == .dropped }
        }
        #expect(dropped(paced: false) > 5)
        #expect(dropped(paced: true) == 0)
    }

    @Test(arguments: [TCPSettings.Controller.cubic, .newReno])
    func `pacing costs a long transfer nothing`(controller: TCPSettings.Controller) {
        func seconds(paced: Bool) -> Double {
            let hosts = TwoHosts(
                .plain("uplink", megabits: 20, delay: .milliseconds(20), queue: 100_000),
                .plain("downlink", megabits: 20, delay: .milliseconds(20)),
                tcp: TCPSettings(controller: controller, pacesWindows: paced))
            hosts.open(sending: [.content(.file(1, 20_000_000))])
            hosts.play()
            return hosts.network.now.seconds
        }
        #expect(seconds(paced: true) < 1.05 * seconds(paced: false))
    }

    private static func hosts(_ tcp: TCPSettings, losing: [UInt64] = []) -> TwoHosts {
        TwoHosts(
            .plain(
                "uplink", megabits: fast, delay: .milliseconds(50), queue: 10_000_000
            ).losing(losing),
            .plain("downlink", megabits: fast, delay: .milliseconds(50)), tcp: tcp)
    }

    private static func departures(of hosts: TwoHosts) -> [UInt64] {
        hosts.packets.filter { $0.link == 0 && $0.kind == .sent && $0.payload > 0 }
            .map(\.atNanoseconds)
    }
}
