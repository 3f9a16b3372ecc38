import Quantities
import Testing

@testable import Simulation

/// What losses and marks mean to version 3 of BBR.
@Suite struct BBRv3LossTests {
    private static let segment = PathOfBBRv3.segment

    @Test(arguments: [(1, false), (2, false), (3, true)] as [(UInt64, Bool)])
    func `more than two in a hundred end startup`(percent: UInt64, isTooMuch: Bool) {
        var path = PathOfBBRv3()
        path.lostPercent = percent
        path.phase = .repairing
        for rate in UInt64(1)..<14 where path.controller.mode == .startup {
            // The rate grows by more than a quarter in each round.
            path.rate = 4 << rate
            path.milliseconds(41, inFlight: path.full)
        }
        #expect(path.controller.isPipeFull == isTooMuch)
        #expect((path.controller.longTermFlight != .max) == isTooMuch)
    }

    @Test func `few losses, or a tail that a probe has repaired, do not end startup`() {
        var path = PathOfBBRv3()
        for rate in UInt64(1)..<10 {
            path.rate = 4 << rate
            path.milliseconds(41, inFlight: path.full)
            path.controller.lossFound(flight: 0)
        }
        #expect(path.controller.mode == .startup)
    }

    @Test func `a start-up that losses have ended has what arrived in flight`() {
        var path = PathOfBBRv3()
        path.lostPercent = 10
        path.phase = .repairing
        path.rate = 8
        path.play(during: .startup, inFlight: path.product)
        // Nine tenths of what was sent arrive in a round trip.
        let arrived = path.product * 9 / 10
        #expect(path.controller.longTermFlight <= arrived + 40 * Self.segment)
        #expect(path.controller.longTermFlight >= arrived)
    }

    @Test func `a probe that loses too much ends, and lowers the bound to where it did`() {
        var path = Self.probing()
        path.lostPercent = 3
        let before = path.product * 12 / 10
        path.play(during: .up, inFlight: before)
        #expect(path.controller.mode == .down)
        #expect(path.controller.longTermFlight == before)
        #expect(path.controller.probe.wasTooHigh)
    }

    @Test func `the bound is at least seven tenths of the product`() {
        var path = Self.probing()
        path.lostPercent = 10
        path.play(during: .up, inFlight: path.product / 10)
        #expect(path.controller.longTermFlight == path.controller.fullPipe * 7 / 10)
    }

    @Test func `a probe with one loss in a hundred goes on`() {
        var path = Self.probing()
        path.lostPercent = 1
        path.milliseconds(60, inFlight: path.full)
        #expect(path.controller.mode == .up)
        #expect(path.controller.longTermFlight == .max)
    }

    @Test func `an application that sends little sets no bound`() {
        var path = Self.probing()
        path.lostPercent = 10
        path.isApplicationLimited = true
        path.play(during: .up, inFlight: path.product / 10)
        #expect(path.controller.longTermFlight == .max)
    }

    @Test
    func `the probe after one that lost too much stops at the bound, and another follows`() throws {
        var path = Self.probing()
        path.lostPercent = 3
        path.play(during: .up, inFlight: path.full)
        path.lostPercent = 0
        let bound = path.controller.longTermFlight
        path.controller.probe.wait = 500_000_000
        var modes: [BBRv3.Mode] = []
        var lengths: [Int] = []
        for _ in 0..<1_500 {
            // As much as the mode allows.
            let isUp = path.controller.mode == .up
            path.millisecond(inFlight: isUp ? bound : path.product * 8 / 10)
            if modes.last != path.controller.mode {
                modes.append(path.controller.mode)
                lengths.append(0)
            }
            lengths[lengths.count - 1] += 1
        }
        try #require(modes.count > 6)
        #expect(modes.prefix(7) == [.cruise, .refill, .up, .down, .cruise, .refill, .up])
        // The second cruise lasts until the last answers to the cautious probe.
        #expect(lengths[4] < 40 && lengths[2] < 40 && lengths[6] > 40, "\(lengths)")
    }

    @Test func `while cruising, fifteen in a hundred of the bound stay free`() {
        var path = BBRv3StateTests.cruising()
        path.controller.longTermFlight = 200 * Self.segment
        path.millisecond(inFlight: 100 * Self.segment)
        #expect(path.controller.window == 170 * Self.segment)
        path.play(during: .cruise, inFlight: 100 * Self.segment)
        path.milliseconds(40, inFlight: 100 * Self.segment)
        #expect(path.controller.window == 200 * Self.segment)
    }

    @Test func `the bound rises by 1, 2, 4 and 8 segments a round while it limits the window`() {
        var path = BBRv3StateTests.cruising()
        path.controller.longTermFlight = path.product
        path.play(until: .up, inFlight: path.product / 2)
        let before = path.controller.longTermFlight
        var raises: [UInt64] = []
        for _ in 0..<4 {
            // What is in flight is what the window allows; the segments left with less.
            for _ in 0..<40 { path.millisecond(inFlight: path.controller.window, sent: 0) }
            raises.append((path.controller.longTermFlight - before) / Self.segment)
        }
        // A part of a segment is carried over to the next round.
        #expect(zip(raises, [1, 3, 7, 15]).allSatisfy { $0 == $1 || $0 + 1 == $1 }, "\(raises)")
    }

    @Test func `what arrives in rounds with losses becomes the rate, and is forgotten to probe`() {
        var path = BBRv3StateTests.cruising()
        path.lostPercent = 25
        path.milliseconds(300, inFlight: path.full)
        let lower = FlowRate(6 * Self.segment, in: 1_000_000)
        let distance = path.controller.rate.distance(to: lower)
        #expect(distance.multiplied(by: 50, dividedBy: 1) < lower)
        #expect(path.controller.shortTermFlight < path.product)
        path.lostPercent = 0
        path.play(during: .cruise, inFlight: path.full)
        #expect(path.controller.shortTermRate == nil)
        #expect(path.controller.shortTermFlight == .max)
    }

    @Test func `a rate that has broken down is followed by three tenths a round`() throws {
        var path = BBRv3StateTests.cruising()
        let before = path.controller.highestRate
        path.rate = 1
        path.lostPercent = 20
        var rates: [FlowRate] = []
        for _ in 0..<300 {
            path.millisecond(inFlight: path.full)
            let rate = path.controller.rate
            if rate != rates.last ?? before { rates.append(rate) }
        }
        // Until a whole round has seen the new rate, some of the old one is in what arrives.
        try #require(rates.count > 2)
        #expect(rates[2] == rates[1].multiplied(by: 7, dividedBy: 10))
    }

    @Test func `a needless recovery gives the mode and the bounds back`() {
        var path = Self.probing()
        path.controller.lossFound(flight: 0)
        path.phase = .repairing
        path.lostPercent = 3
        path.play(during: .up, inFlight: path.full)
        path.controller.undo()
        #expect(path.controller.mode == .refill)
        #expect(path.controller.longTermFlight == .max)
    }

    @Test func `a start-up that a needless recovery has ended goes on`() {
        var path = PathOfBBRv3()
        path.controller.lossFound(flight: 0)
        path.lostPercent = 10
        path.phase = .repairing
        path.play(during: .startup, inFlight: path.full)
        path.controller.undo()
        #expect(path.controller.mode == .startup)
        #expect(!path.controller.isPipeFull)
    }

    @Test func `a timeout leaves one segment, and the window comes back with recovery's end`() {
        var path = BBRv3StateTests.cruising()
        let before = path.controller.window
        path.controller.timedOut(flight: 0, remaining: 0, again: false)
        #expect(path.controller.window == Self.segment)
        path.phase = .restarting
        path.millisecond(inFlight: Self.segment)
        #expect(path.controller.window < before)
        path.phase = .open
        path.millisecond(inFlight: Self.segment)
        #expect(path.controller.window >= before)
    }

    @Test func `a mark ends a probe, and lowers the rate of a round otherwise`() {
        var probing = Self.probing()
        probing.controller.marked()
        probing.millisecond(inFlight: probing.full)
        #expect(probing.controller.mode == .down)
        #expect(probing.controller.longTermFlight == probing.full)
        var cruising = BBRv3StateTests.cruising()
        cruising.controller.marked()
        cruising.milliseconds(82, inFlight: cruising.full)
        #expect(cruising.controller.shortTermRate != nil)
    }

    /// In the second round of a probe, whose segments are answered.
    private static func probing() -> PathOfBBRv3 {
        var path = BBRv3StateTests.cruising()
        path.play(until: .up, inFlight: path.full)
        path.milliseconds(5, inFlight: path.full)
        return path
    }
}
