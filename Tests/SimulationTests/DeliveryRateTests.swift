import Testing

@testable import Simulation

/// What a segment's way tells of the path's rate, and what it does not.
@Suite struct DeliveryRateTests {
    private static let segment: UInt64 = 1448

    @Test func `it counts from when a segment was delivered before, to when this one is`() {
        var board = Board()
        board.leave(10, at: 0)
        for number in UInt64(1)...5 { _ = board.acknowledge(2 * number, at: 40 + number) }
        board.leave(1, at: 45)
        let interval = board.acknowledge(11, at: 85)
        // When it left, ten had been delivered, the latest at 45.
        #expect(interval?.bytes == Self.segment && interval?.nanoseconds == 40 * Board.millisecond)
        #expect(interval?.deliveredBefore == 10 * Self.segment)
    }

    @Test func `a pause counts neither for the rate nor against it`() {
        var board = Board()
        board.leave(2, at: 0)
        _ = board.acknowledge(2, at: 40)
        board.leave(2, at: 5_000)
        let interval = board.acknowledge(4, at: 5_040)
        #expect(interval?.bytes == 2 * Self.segment)
        #expect(interval?.nanoseconds == 40 * Board.millisecond)
    }

    @Test func `what comes at once after a silence counts by how long it took to send`() {
        var board = Board()
        board.leave(1, at: 0)
        _ = board.acknowledge(1, at: 40)
        for number in UInt64(0)..<10 { board.leave(1, at: 50 + 10 * number) }
        _ = board.acknowledge(2, at: 149)
        // Ten milliseconds of acknowledgements for 90 ms of sending.
        let interval = board.acknowledge(11, at: 150)
        #expect(interval?.nanoseconds == 100 * Board.millisecond)
    }

    @Test func `what left while the application was the limit tells of the application`() {
        var board = Board()
        board.leave(2, at: 0)
        board.limit()
        board.leave(2, at: 10)
        let first = board.acknowledge(2, at: 40)
        #expect(first?.isApplicationLimited == false)
        let second = board.acknowledge(4, at: 50)
        #expect(second?.isApplicationLimited == true)
        // All that was in flight then has arrived, and more: the network is the limit again.
        board.leave(2, at: 60)
        let third = board.acknowledge(6, at: 100)
        #expect(third?.isApplicationLimited == false)
    }

    @Test func `what was repeated tells of its latest way, but of no round trip`() {
        var board = Board()
        board.leave(1, at: 0)
        board.probe(at: 100)
        let interval = board.acknowledge(1, at: 140)
        #expect(interval?.nanoseconds == 140 * Board.millisecond)
        #expect((board.roundTrip == nil) == true)
    }

    @Test func `a segment tells of its flight, and of the losses while it was on the way`() {
        var board = Board()
        board.leave(40, at: 0)
        board.leave(10, at: 10)
        board.sack(10..<50, at: 50)
        let interval = board.measure(at: 50)
        #expect(interval?.loss.inFlight == 50 * Self.segment)
        #expect(interval?.loss.lost == 10 * Self.segment)
        // The first lost segment was alone in flight when it left.
        #expect(board.takeExcess()?.inFlight == 0)
        #expect(board.takeExcess()?.inFlight == nil)
    }

    @Test func `a loss of a fiftieth of the flight is no excess`() {
        var board = Board()
        board.leave(60, at: 0)
        _ = board.acknowledge(10, at: 40)
        board.leave(10, at: 40)
        board.leave(4, at: 41)
        _ = board.acknowledge(60, at: 80)
        // Sixty are in flight when segment 69 leaves; it is the first that is lost.
        board.sack(60..<69, at: 81)
        board.sack(70..<74, at: 82)
        #expect(board.measure(at: 82)?.loss.lost == Self.segment)
        #expect(board.takeExcess()?.inFlight == nil)
    }

    /// A scoreboard that measures rates; times in milliseconds, numbers in segments.
    private struct Board: ~Copyable {
        private var scoreboard = Scoreboard()
        private var next: UInt64 = 0
        private(set) var roundTrip: UInt64?

        static let millisecond: UInt64 = 1_000_000

        init() { scoreboard.estimator.turnOn() }

        mutating func leave(_ count: UInt64, at now: UInt64) {
            for _ in 0..<count {
                scoreboard.append(
                    .init(
                        start: next, sentAt: now * Self.millisecond,
                        payload: UInt16(DeliveryRateTests.segment), hasFin: false))
                next += DeliveryRateTests.segment
            }
        }

        mutating func probe(at now: UInt64) {
            _ = scoreboard.lastLeaves(at: now * Self.millisecond)
        }

        mutating func limit() {
            scoreboard.estimator.isLimited(
                untilDelivered: scoreboard.delivered + scoreboard.inFlight)
        }

        mutating func acknowledge(_ number: UInt64, at now: UInt64) -> DeliverySample.Interval? {
            scoreboard.acknowledge(
                to: number * DeliveryRateTests.segment, echo: .max, at: now * Self.millisecond)
            return measure(at: now)
        }

        /// Hears that these segments have arrived, and looks for losses.
        mutating func sack(_ numbers: Range<UInt64>, at now: UInt64) {
            var blocks = SelectiveAcknowledgement()
            let segment = DeliveryRateTests.segment
            let range = numbers.lowerBound * segment..<numbers.upperBound * segment
            blocks.append(.init(range, acknowledging: 0))
            scoreboard.take(blocks, beyond: 0, isTwice: false, at: now * Self.millisecond)
            _ = scoreboard.detectLosses(
                at: now * Self.millisecond, smoothed: .max, isRecovering: false)
        }

        mutating func takeExcess() -> DeliverySample.Excess? { scoreboard.estimator.takeExcess() }

        mutating func measure(at now: UInt64) -> DeliverySample.Interval? {
            let interval = scoreboard.estimator.measure(
                delivered: scoreboard.delivered, lost: scoreboard.lostBytes, isProgress: true,
                shortestRoundTrip: .max, at: now * Self.millisecond)
            roundTrip = scoreboard.estimator.roundTrip
            scoreboard.estimator.forget()
            return interval
        }
    }
}
