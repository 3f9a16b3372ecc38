import Quantities
import Testing

@testable import Simulation

/// State × event of the diagram in `BBR`.
@Suite struct BBRStateTests {
    @Test func `a rate that grows no more ends startup, and an empty queue the drain`() {
        var path = PathOfBBR()
        let crowd = 3 * path.product
        path.rate = 1
        for _ in 0..<4 {
            path.milliseconds(40, inFlight: crowd)
            path.rate *= 2
        }
        #expect(path.controller.mode == .startup)
        path.rate = 8
        path.milliseconds(200, inFlight: crowd)
        #expect(path.controller.isPipeFull)
        #expect(path.controller.mode == .drain)
        path.millisecond(inFlight: path.product)
        #expect(path.phase == .open)
        #expect(path.isProbingBandwidth)
    }

    @Test func `an application that sends little does not fill the pipe`() {
        var path = PathOfBBR()
        path.isApplicationLimited = true
        path.milliseconds(1_000, inFlight: path.product)
        #expect(path.controller.mode == .startup)
    }

    @Test
    func `what an application did not ask for does not lower the rate, what it asked for does`() {
        var path = Self.cruising()
        let before = path.controller.bandwidth.value
        path.rate = 2
        path.isApplicationLimited = true
        path.milliseconds(20 * 40, inFlight: path.product)
        #expect(path.controller.bandwidth.value == before)
        path.isApplicationLimited = false
        path.milliseconds(20 * 40, inFlight: path.product)
        #expect(path.controller.bandwidth.value < before)
    }

    @Test func `eight phases follow each other, a round trip each, the fast one first`() {
        var path = Self.cruising()
        var gains: [UInt64] = []
        for _ in 0..<40 {
            // Above what the fast phase asks for, and never down to what ends the slow one.
            path.milliseconds(10, inFlight: 2 * path.product)
            if gains.last != path.controller.pacingGain { gains.append(path.controller.pacingGain) }
        }
        let firstFast = gains.firstIndex(of: 320) ?? 0
        #expect(Array(gains[firstFast...].prefix(3)) == [320, 192, 256])
        var counts: [UInt64: Int] = [:]
        for _ in 0..<(8 * 41 * 3) {
            path.millisecond(inFlight: 2 * path.product)
            counts[path.controller.pacingGain, default: 0] += 1
        }
        #expect(counts == [320: 123, 192: 123, 256: 738])
    }

    @Test func `the slow phase ends as soon as the queue is gone`() {
        var path = Self.cruising()
        while path.controller.pacingGain != 192 { path.millisecond(inFlight: 2 * path.product) }
        path.millisecond(inFlight: path.product)
        #expect(path.controller.pacingGain == 256)
    }

    @Test func `the first phase is drawn, but it is never the slow one`() {
        var counts = [Int](repeating: 0, count: 8)
        for seed in UInt64(0)..<200 {
            var path = PathOfBBR()
            path.controller.random = RandomStream(seed: seed, name: "tcp/bbr/0")
            while !path.isProbingBandwidth { path.millisecond(inFlight: path.product) }
            guard case .probingBandwidth(let phase, _) = path.controller.mode else { continue }
            counts[phase] += 1
        }
        #expect(counts[1] == 0)
        #expect(counts.filter { $0 > 10 }.count == 7)
    }

    @Test func `ten seconds without a shorter round trip empty the path for 200 ms`() {
        var path = Self.cruising()
        path.milliseconds(10_000, inFlight: path.product)
        #expect(path.controller.mode == .probingRoundTrip(.draining))
        #expect(path.controller.window == 4 * PathOfBBR.segment)
        let few = 4 * PathOfBBR.segment
        path.rate = 1
        path.milliseconds(200, inFlight: few)
        #expect(path.controller.isProbingRoundTrip)
        path.milliseconds(5, inFlight: few)
        #expect(path.isProbingBandwidth)
        #expect(path.controller.window >= 2 * 8 * 40 * PathOfBBR.segment)
    }

    @Test func `after the look at the path the window is the largest that was put aside`() {
        var path = Self.cruising()
        let before = path.controller.window
        path.controller.lossFound(flight: 0)
        path.rate = 2
        path.milliseconds(9_000, inFlight: path.product)
        #expect(path.controller.window < before / 2)
        path.milliseconds(1_000, inFlight: path.product)
        #expect(path.controller.isProbingRoundTrip)
        path.milliseconds(205, inFlight: 4 * PathOfBBR.segment)
        #expect(path.isProbingBandwidth)
        #expect(path.controller.windowBefore == before)
    }

    @Test func `a shorter round trip puts the look at the path off`() {
        var path = Self.cruising()
        path.milliseconds(9_000, inFlight: path.product)
        path.roundTrip = 39
        path.milliseconds(9_000, inFlight: path.product)
        #expect(path.isProbingBandwidth)
        #expect(path.controller.shortestRoundTrip == 39_000_000)
    }

    @Test func `a pipe that was never full is started anew after the look at the path`() {
        var path = PathOfBBR()
        path.isApplicationLimited = true
        path.milliseconds(10_300, inFlight: 4 * PathOfBBR.segment)
        #expect(path.controller.mode == .startup)
        #expect(path.controller.shortestRoundTripAt > 10_000_000_000)
    }

    @Test func `a timeout leaves one segment, and the window comes back with recovery's end`() {
        var path = Self.cruising()
        let before = path.controller.window
        path.controller.timedOut(flight: 0, remaining: 0, again: false)
        #expect(path.controller.window == PathOfBBR.segment)
        path.phase = .restarting
        path.millisecond(inFlight: PathOfBBR.segment)
        #expect(path.controller.window < before)
        path.phase = .open
        path.millisecond(inFlight: PathOfBBR.segment)
        #expect(path.controller.window >= before)
    }

    @Test func `in the first round of a recovery what leaves is what arrives`() {
        var path = Self.cruising()
        let before = path.controller.window
        path.controller.lossFound(flight: 0)
        path.phase = .repairing
        path.millisecond(inFlight: 100 * PathOfBBR.segment)
        #expect(path.controller.window == 108 * PathOfBBR.segment)
        path.milliseconds(20, inFlight: 100 * PathOfBBR.segment)
        #expect(path.controller.window == 108 * PathOfBBR.segment)
        path.milliseconds(30, inFlight: 100 * PathOfBBR.segment)
        #expect(path.controller.window > 108 * PathOfBBR.segment)
        path.phase = .open
        path.millisecond(inFlight: 100 * PathOfBBR.segment)
        #expect(path.controller.window >= before)
    }

    @Test func `much loss at a steady throughput is a policer's, and its rate is held`() {
        var path = Self.cruising()
        path.lostPercent = 25
        path.milliseconds(500, inFlight: path.product)
        #expect(path.controller.policer.isInForce)
        #expect(path.controller.pacingGain == 256)
        let policed = FlowRate(6 * PathOfBBR.segment, in: 1_000_000)
        #expect(
            path.controller.rate.distance(to: policed).multiplied(by: 20, dividedBy: 1) < policed)
        // After 48 round trips it is tested again.
        path.lostPercent = 0
        path.milliseconds(48 * 40, inFlight: path.product)
        #expect(!path.controller.policer.isInForce)
    }

    @Test func `a loss of one in a hundred is no policer's`() {
        var path = Self.cruising()
        path.lostPercent = 1
        path.milliseconds(5_000, inFlight: path.product)
        #expect(!path.controller.policer.isInForce)
    }

    /// In probingBandwidth, the window grown to twice the product.
    private static func cruising() -> PathOfBBR {
        var path = PathOfBBR()
        path.milliseconds(400, inFlight: path.product)
        return path
    }
}

extension PathOfBBR {
    fileprivate var isProbingBandwidth: Bool {
        if case .probingBandwidth = controller.mode { return true }
        return false
    }
}
