import Testing

@testable import Simulation

@Suite struct NewRenoTests {
    private static let segment: UInt64 = 1448

    @Test func `slow start doubles the window in a round, with delayed acknowledgements`() {
        var controller = NewReno()
        #expect(controller.window == 10 * Self.segment)
        for _ in 0..<5 { controller.acknowledged(2 * Self.segment) }
        #expect(controller.window == 20 * Self.segment)
    }

    @Test func `an acknowledgement counts by all that it covers, as in Linux`() {
        var controller = NewReno()
        controller.acknowledged(9 * Self.segment)
        #expect(controller.window == 19 * Self.segment)
    }

    @Test func `slow start ends at the threshold, and a half is of whole segments`() {
        var controller = NewReno()
        controller.timedOut(flight: 13 * Self.segment, remaining: 0, again: false)
        #expect(controller.threshold == 6 * Self.segment)
        controller.acknowledged(9 * Self.segment)
        #expect(controller.window == 6 * Self.segment)
    }

    @Test func `congestion avoidance adds a segment when a window has been acknowledged`() {
        var controller = NewReno()
        controller.lossFound(flight: 40 * Self.segment)
        #expect(controller.window == 20 * Self.segment)
        for _ in 0..<9 { controller.acknowledged(2 * Self.segment) }
        #expect(controller.window == 20 * Self.segment)
        controller.acknowledged(2 * Self.segment)
        #expect(controller.window == 21 * Self.segment)
    }

    @Test func `a timeout leaves one segment, and slow start goes to half of what was in flight`() {
        var controller = NewReno()
        controller.timedOut(flight: 12 * Self.segment, remaining: 0, again: false)
        #expect(controller.window == Self.segment)
        #expect(controller.threshold == 6 * Self.segment)
        controller.timedOut(flight: Self.segment, remaining: 0, again: true)
        #expect(controller.threshold == 6 * Self.segment)
    }
}

extension NewReno {
    /// What is acknowledged is all that matters to it.
    fileprivate mutating func acknowledged(_ count: UInt64) {
        acknowledged(
            count,
            .init(now: 0, roundTrip: 0, smoothed: 0, unacknowledged: 0, next: 0))
    }
}
