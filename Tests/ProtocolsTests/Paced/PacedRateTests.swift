import Quantities
import Testing

@testable import Protocols

/// Rates without a queue: what the settings say, whatever the path says.
@Suite struct PacedRateTests {
    @Test func `a fixed sender keeps its rate however much is lost`() {
        var path = PacedPath(
            PacedSettings(policy: .fixed, target: Bitrate(bitsPerSecond: 4_000_000)))
        path.fate = { place, _ in place % 2 == 0 ? [] : [.milliseconds(20)] }
        path.sender.add(file: 1, to: 600_000)
        path.sender.finish()
        path.play()
        let data = path.packets.filter { $0.kind == .data && $0.sentAt.seconds < 2 }
        let rate = data.reduce(0) { $0 + $1.size } * 8 / 2
        #expect((3_600_000...4_200_000).contains(rate), "\(rate) bit/s")
    }

    @Test func `no sender is faster than its target, or slower than its minimum`() {
        var path = PacedPath(
            PacedSettings(
                policy: .low, target: Bitrate(bitsPerSecond: 6_000_000),
                minimum: Bitrate(bitsPerSecond: 1_000_000)))
        // The way becomes longer and longer, as if a queue grew.
        path.fate = { _, packet in
            [.milliseconds(20 + min(packet.sentAt.sinceStart.nanoseconds / 10_000_000, 300))]
        }
        path.sender.add(file: 1, to: 3_000_000)
        path.play(until: .start + .seconds(4))
        let late = path.packets.filter { $0.sentAt.seconds >= 2 && $0.kind == .data }
        let rate = late.reduce(0) { $0 + $1.size } * 8 / 2
        #expect((900_000...1_100_000).contains(rate), "\(rate) bit/s")
    }

    @Test func `target and policy change in mid-transfer`() {
        var path = PacedPath(
            PacedSettings(policy: .fixed, target: Bitrate(bitsPerSecond: 2_000_000)))
        path.sender.add(file: 1, to: 10_000_000)
        path.play(until: .start + .seconds(2))
        path.sender.settings.target = Bitrate(bitsPerSecond: 8_000_000)
        path.play(until: .start + .seconds(4))
        path.sender.settings.policy = .fair
        path.sender.settings.target = Bitrate(bitsPerSecond: 1_000_000)
        path.play(until: .start + .seconds(6))
        let rates = [0.0..<2, 2..<4, 4..<6].map { time in
            path.packets.filter { time.contains($0.sentAt.seconds) }.reduce(0) { $0 + $1.size } * 4
        }
        #expect((1_900_000...2_150_000).contains(rates[0]), "\(rates[0]) bit/s")
        #expect((7_800_000...8_150_000).contains(rates[1]), "\(rates[1]) bit/s")
        #expect((900_000...1_050_000).contains(rates[2]), "\(rates[2]) bit/s")
    }

    @Test func `a pause before the content does not count as its time`() {
        var path = PacedPath(
            PacedSettings(policy: .fair, target: Bitrate(bitsPerSecond: 50_000_000)))
        path.carry(megabits: 10, after: .milliseconds(50))
        path.sender.greet(at: .start)
        // Three short messages, as before a long one.
        for (second, length) in [(1, 200), (2, 300), (3, 3_000_000)] {
            path.play(until: .start + .seconds(Int64(second)))
            path.now = .start + .seconds(Int64(second))
            path.sender.add(file: UInt32(second), to: UInt64(length))
        }
        path.play(until: .start + .milliseconds(3_500))
        // It takes half a second to 10 Mbit/s; a byte more per round trip would be 0.1.
        let late = path.packets.filter { $0.sentAt.seconds >= 3.4 }
        let rate = late.reduce(0) { $0 + $1.size } * 80
        #expect((9_000_000...11_500_000).contains(rate), "\(rate) bit/s")
    }

    @Test(arguments: 1...20) func `a line that loses two of a hundred packets is no short queue`(
        seed: UInt64
    ) {
        var path = PacedPath(
            PacedSettings(policy: .fair, target: Bitrate(bitsPerSecond: 50_000_000)))
        path.carry(megabits: 10, after: .milliseconds(50), losingOneIn: 50, seed: seed)
        path.countsBytes = false
        path.sender.add(file: 1, to: 4_000_000)
        path.play(until: .start + .seconds(3))
        let content = path.packets.filter { $0.sentAt.seconds >= 1 }
        let rate = content.reduce(0) { $0 + $1.size } * 4
        #expect((9_500_000...10_800_000).contains(rate), "\(rate) bit/s")
    }

    @Test func `a sender without a queue reaches its target at once`() {
        var path = PacedPath(
            PacedSettings(policy: .fair, target: Bitrate(bitsPerSecond: 10_000_000)))
        // The first packets come as fast as a line of 10 Mbit/s carries them.
        path.carry(megabits: 10, after: .milliseconds(20))
        path.sender.add(file: 1, to: 3_000_000)
        path.play(until: .start + .seconds(2))
        let late = path.packets.filter { $0.sentAt.seconds >= 1 }
        let rate = late.reduce(0) { $0 + $1.size } * 8
        #expect((9_700_000...10_200_000).contains(rate), "\(rate) bit/s")
    }

    @Test func `what a host is late does not pass for a queue on a short way`() {
        var rate = PacedRate(PacedSettings())
        var random = RandomStream(seed: 1, name: "host")
        var end: UInt64 = 0
        for report in 1...1_000 as ClosedRange<Int64> {
            let packets = UInt64(max(rate.bitsPerSecond / 12_000 * 0.005, 3))
            end += packets
            rate.heard(
                PacedRate.Sample(
                    now: .start + .milliseconds(5) * report, roundTrip: .microseconds(150),
                    wait: .microseconds(Int64(random.below(30))), isPausing: false,
                    received: rate.bitsPerSecond, numbers: packets, packets: packets, end: end,
                    sentEnd: end))
        }
        #expect(rate.bitsPerSecond > 5e9, "\(rate.bitsPerSecond) bit/s")
    }
}
