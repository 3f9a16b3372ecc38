import Testing

@testable import Simulation

/// When a flight has lost too much, and at which segment.
@Suite struct FlightLossTests {
    private static let segment: UInt64 = 1_000

    @Test(arguments: [(100, 2, false), (99, 2, true), (150, 3, false), (40, 1, true)])
    func `more than a fiftieth is too much`(inFlight: UInt64, lost: UInt64, isTooMuch: Bool) {
        let loss = FlightLoss(inFlight: inFlight * Self.segment, lost: lost * Self.segment)
        #expect(loss.isExcessive == isTooMuch)
    }

    /// Of 99 segments before this one, a fiftieth are 1.98. With one lost before, 0.98 / (1 − 0.02)
    /// = 1 segment more is just too much; with two, the segments before were.
    @Test func `the flight is counted up to where the losses come to a fiftieth`() {
        let one = FlightLoss(inFlight: 100 * Self.segment, lost: 2 * Self.segment)
        #expect(one.flightAtThreshold(length: Self.segment) == 100 * Self.segment)
        let two = FlightLoss(inFlight: 100 * Self.segment, lost: 3 * Self.segment)
        #expect(two.flightAtThreshold(length: Self.segment) == 99 * Self.segment)
        let first = FlightLoss(inFlight: 30 * Self.segment, lost: Self.segment)
        // 29 000 + 580 / 0.98
        #expect(first.flightAtThreshold(length: Self.segment) == 29_591)
    }
}
