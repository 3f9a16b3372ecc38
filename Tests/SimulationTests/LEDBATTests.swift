import RunPlan
import Testing

@testable import Simulation

/// LEDBAT++ without a network: a path that answers each window with one delay.
@Suite struct LEDBATTests {
    private static let segment = LEDBATPath.segment

    @Test func `on a short path slow start is slower by the divisor, and ends at 45 ms of queue`() {
        // 120 ms over 40 ms are 3.
        var path = LEDBATPath(roundTrip: 40)
        path.window(delay: 0)
        for _ in 0..<6 { path.window(delay: 44) }
        // Two segments, and a third more with each of seven windows.
        let growth = Double(path.controller.window) / Double(2 * Self.segment)
        #expect(growth > 6 && growth < 7.6, "\(growth)")
        #expect(path.controller.threshold == .max)
        path.window(delay: 46)
        #expect(path.controller.threshold != .max)
    }

    @Test(arguments: [(UInt64(10), UInt64(12)), (4, 16), (50, 3), (120, 1), (300, 1)])
    func `above slow start a window grows by a segment in so many round trips`(
        roundTrip: UInt64, rounds: UInt64
    ) {
        var path = LEDBATPath(roundTrip: roundTrip)
        path.controller.lossFound(flight: 0)
        path.window(delay: 0)
        let before = path.controller.window
        for _ in 0..<rounds { path.window(delay: 0, stopsTime: true) }
        #expect(path.controller.window == before + Self.segment)
    }

    @Test(arguments: [(UInt64(66), 0.9), (72, 0.8), (90, 0.5), (600, 0.5)])
    func `the window shrinks by the share by which the delay is above its target`(
        delay: UInt64, share: Double
    ) {
        var path = LEDBATPath(roundTrip: 200)
        while path.controller.window < 400 * Self.segment { path.window(delay: 0) }
        path.controller.lossFound(flight: 0)
        // Four acknowledgements to fill the filter, still as long as before.
        path.window(delay: 0, stopsTime: true)
        let before = path.controller.window
        path.window(delay: delay, stopsTime: true)
        let left = Double(path.controller.window) / Double(before)
        #expect(abs(left - share) < 0.02, "\(left)")
    }

    @Test func `it slows down after slow start, and again after nine times as long`() {
        var path = LEDBATPath(roundTrip: 100)
        while path.controller.threshold == .max { path.window(delay: path.rounds < 5 ? 0 : 50) }
        let leftAt = path.now
        let window = path.controller.window
        var frozen: [ClosedRange<UInt64>] = []
        var begun: UInt64?
        while frozen.count < 2 {
            path.window(delay: 0)
            let isSmall = path.controller.window == LEDBAT().smallestWindow
            if isSmall, begun == nil { begun = path.now }
            if !isSmall, let since = begun {
                frozen.append(since...path.now)
                begun = nil
            }
        }
        #expect(frozen[0].lowerBound - leftAt <= 400_000_000)
        // Two round trips at two segments, then slow start to the former window.
        let rounds = (frozen[0].upperBound - frozen[0].lowerBound) / 100_000_000
        #expect((2...4).contains(rounds), "\(rounds)")
        #expect(path.controller.threshold >= window)
        var growing: UInt64 = 0
        var size = LEDBAT().smallestWindow
        while size < window {
            size += size / 2
            growing += 1
        }
        let pause = Double(frozen[1].lowerBound - frozen[0].lowerBound) / 1e8
        let expected = Double(2 + growing) * 10
        #expect(abs(pause / expected - 1) < 0.25, "\(pause) and \(expected) round trips")
    }

    @Test func `a loss halves the window, and is undone if there was none`() {
        var path = LEDBATPath(roundTrip: 200)
        while path.controller.window < 100 * Self.segment { path.window(delay: 0) }
        let before = path.controller.window
        path.controller.lossFound(flight: 0)
        #expect(path.controller.window == before / 2)
        path.controller.undo()
        #expect(path.controller.window == before)
        path.controller.undo()
        #expect(path.controller.window == before)
    }

    @Test func `the shortest of ten minutes is the base, and the shortest of four the present`() {
        var delay = QueueingDelay()
        let minute: UInt64 = 60_000_000_000
        delay.measured(20_000_000, at: 1)
        for place in UInt64(0)..<3 { delay.measured(50_000_000, at: 2 + place) }
        #expect(delay.current == 0)
        delay.measured(50_000_000, at: 9)
        #expect(delay.current == 30_000_000)
        delay.measured(50_000_000, at: 9 * minute)
        #expect(delay.base == 20_000_000)
        delay.measured(50_000_000, at: 10 * minute)
        #expect(delay.base == 50_000_000)
        #expect(delay.current == 0)
    }
}

/// Times in milliseconds.
private struct LEDBATPath {
    var controller = LEDBAT()
    let roundTrip: UInt64
    private(set) var now: UInt64 = 1_000_000_000
    private(set) var rounds = 0

    static let segment = Packet.usualSegment

    init(roundTrip: UInt64) { self.roundTrip = roundTrip }

    /// A window of acknowledgements, a segment each, at the end of a round trip.
    mutating func window(delay: UInt64, stopsTime: Bool = false) {
        if !stopsTime { now += (roundTrip + delay) * 1_000_000 }
        rounds += 1
        for _ in 0..<controller.window / Self.segment {
            let sample = CongestionController.Sample(
                now: now, roundTrip: (roundTrip + delay) * 1_000_000,
                smoothed: roundTrip * 1_000_000, unacknowledged: 0, next: 0)
            controller.measured(sample)
            controller.acknowledged(Self.segment, sample)
        }
    }
}
