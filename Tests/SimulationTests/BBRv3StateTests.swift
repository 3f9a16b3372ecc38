import Quantities
import Testing

@testable import Simulation

/// State × event of the diagram in `BBRv3`.
@Suite struct BBRv3StateTests {
    private static let segment = PathOfBBRv3.segment
    private static let half: UInt64 = 128

    @Test func `a rate that grows no more ends startup, and an empty queue the drain`() {
        var path = PathOfBBRv3()
        let crowd = 3 * path.product
        path.rate = 1
        for _ in 0..<4 {
            path.milliseconds(41, inFlight: crowd)
            path.rate *= 2
        }
        #expect(path.controller.mode == .startup)
        #expect(path.controller.pacingGain == 710)
        path.rate = 8
        path.milliseconds(200, inFlight: crowd)
        #expect(path.controller.isPipeFull)
        #expect(path.isDraining)
        #expect(path.controller.pacingGain == Self.half)
        path.millisecond(inFlight: path.full)
        // With nothing to drain, down lasts for an acknowledgement.
        #expect(path.controller.mode == .cruise)
    }

    @Test func `a drain takes three rounds at most`() {
        var path = PathOfBBRv3()
        path.play(inFlight: 3 * path.product) { !$0.isPipeFull }
        path.milliseconds(3 * 41, inFlight: 3 * path.product)
        #expect(path.isDraining)
        path.milliseconds(41, inFlight: 3 * path.product)
        #expect(path.controller.mode == .down)
    }

    @Test func `an application that sends little does not fill the pipe`() {
        var path = PathOfBBRv3()
        path.isApplicationLimited = true
        path.milliseconds(1_000, inFlight: path.full)
        #expect(path.controller.mode == .startup)
    }

    @Test func `four phases follow each other, with their gains`() throws {
        var path = Self.cruising()
        var phases: [BBRv3.Mode] = []
        var gains: [UInt64] = []
        var lengths: [UInt64] = []
        for _ in 0..<3_500 {
            path.millisecond(inFlight: path.full)
            if phases.last != path.controller.mode {
                phases.append(path.controller.mode)
                gains.append(path.controller.pacingGain)
                lengths.append(0)
            }
            lengths[lengths.count - 1] += 1
        }
        #expect(phases == [.cruise, .refill, .up, .down, .cruise])
        #expect(gains == [256, 256, 320, 230, 256])
        // The rate must not grow for three rounds.
        try #require(lengths.count > 2)
        #expect(lengths[1] == 40 && lengths[2] == 3 * 40, "\(lengths)")
    }

    @Test func `a probe may have a quarter of the product more in flight`() {
        var path = Self.cruising()
        let room = path.controller.window
        #expect(room >= 2 * path.full)
        path.play(until: .up, inFlight: path.full)
        path.milliseconds(41, inFlight: path.full)
        let more = path.controller.window - room
        #expect(PathOfBBRv3.isNear(more, path.product / 4 + 2 * Self.segment), "\(more) B")
    }

    @Test func `the wait is drawn between two and three seconds, and a round more or less`() {
        let probes = (UInt64(0)..<300).map { seed in
            var controller = BBRv3(random: RandomStream(seed: seed, name: "tcp/bbr3/0"))
            controller.startDown(at: 0)
            return controller.probe
        }
        let waits = probes.map { $0.wait / 1_000_000 }
        #expect(Set(probes.map(\.rounds)) == [0, 1])
        #expect(waits.allSatisfy { (2_000..<3_000).contains($0) })
        let mean = waits.reduce(0, +) / 300
        // The mean of 300 has a standard deviation of 1000 / √12 / √300 = 17 ms.
        #expect((2_440...2_560).contains(mean), "\(mean) ms")
    }

    @Test(arguments: [(2, 16), (10, 63)] as [(UInt64, UInt64)])
    func `a probe comes after as many rounds as a Reno flow would have without a loss`(
        roundTrip: UInt64, rounds: UInt64
    ) {
        var path = PathOfBBRv3()
        path.roundTrip = roundTrip
        path.play(until: .cruise, inFlight: path.full)
        let before = path.controller.rounds
        path.play(during: .cruise, inFlight: path.full)
        #expect((rounds - 1...rounds).contains(path.controller.rounds - before))
    }

    @Test func `every five seconds half the pipe is emptied for 200 ms and a round`() {
        var path = Self.cruising()
        path.play(inFlight: path.full) { !$0.isProbingRoundTrip }
        // The handshake was at 40 ms, and the first acknowledgement a millisecond later.
        #expect(path.now == 5_042_000_000)
        #expect(PathOfBBRv3.isNear(path.controller.window, path.product / 2))
        path.milliseconds(50, inFlight: path.product / 2 + Self.segment)
        #expect(path.controller.mode == .probingRoundTrip(.draining))
        let half = path.full / 2
        path.rate = 4
        path.milliseconds(201, inFlight: half)
        #expect(path.controller.isProbingRoundTrip)
        path.millisecond(inFlight: half)
        #expect(path.controller.mode == .cruise)
        let end = path.now
        path.rate = 8
        path.play(inFlight: path.full) { !$0.isProbingRoundTrip }
        #expect(path.now == end + 5_001_000_000)
    }

    @Test func `a long round trip is measured for a whole round`() {
        var path = PathOfBBRv3()
        path.roundTrip = 300
        path.play(inFlight: path.full) { !$0.isProbingRoundTrip }
        path.milliseconds(300, inFlight: path.full / 2)
        #expect(path.controller.isProbingRoundTrip)
        path.millisecond(inFlight: path.full / 2)
        #expect(!path.controller.isProbingRoundTrip)
    }

    @Test func `a shorter round trip puts the measurement off, a longer one counts after 10 s`() {
        var path = Self.cruising()
        path.milliseconds(4_000, inFlight: path.full)
        path.roundTrip = 39
        path.milliseconds(4_500, inFlight: path.product / 2)
        #expect(!path.controller.isProbingRoundTrip)
        #expect(path.controller.shortestRoundTrip == 39_000_000)
        path.roundTrip = 60
        path.milliseconds(5_000, inFlight: path.product / 8)
        #expect(path.controller.shortestRoundTrip == 39_000_000)
        path.milliseconds(6_000, inFlight: path.product / 8)
        #expect(path.controller.shortestRoundTrip == 60_000_000)
    }

    @Test func `after a pause a probe's pace is the path's rate`() {
        var path = Self.cruising()
        path.play(until: .up, inFlight: path.full)
        let fast = path.controller.pacingRate
        path.controller.resume(at: path.now)
        let slow = path.controller.pacingRate
        #expect(slow == path.controller.paced(path.controller.rate, gain: 256))
        #expect(fast == path.controller.paced(path.controller.rate, gain: 320))
    }

    @Test func `what an application did not ask for does not lower the rate`() {
        var path = Self.cruising()
        let before = path.controller.highestRate
        path.rate = 2
        path.isApplicationLimited = true
        path.milliseconds(8_000, inFlight: path.full)
        #expect(path.controller.highestRate == before)
    }

    @Test func `the rate is the highest of two cycles`() {
        var path = Self.cruising()
        let before = path.controller.highestRate
        path.rate = 6
        path.milliseconds(4_500, inFlight: path.full)
        #expect(path.controller.highestRate == before)
        path.milliseconds(1_500, inFlight: path.full / 2)
        #expect(path.controller.highestRate < before)
    }

    @Test func `windows keep their number of segments when segments shrink`() {
        var path = Self.cruising()
        path.controller.longTermFlight = 100 * Self.segment
        let segments = path.controller.window / Self.segment
        path.controller.resize(to: 1_000)
        #expect(path.controller.window == segments * 1_000)
        #expect(path.controller.longTermFlight == 100_000)
        #expect(path.controller.shortTermFlight == .max)
    }

    static func cruising() -> PathOfBBRv3 {
        var path = PathOfBBRv3()
        path.play(until: .cruise, inFlight: path.full)
        path.milliseconds(200, inFlight: path.full)
        return path
    }
}

extension PathOfBBRv3 {
    fileprivate var isDraining: Bool {
        if case .drain = controller.mode { return true }
        return false
    }
}
