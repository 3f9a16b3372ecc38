import Testing

@testable import Simulation

/// What comes beyond the rate at once is added to BBR's window, for as long as it is remembered.
@Suite struct AcknowledgementBurstsTests {
    private static let segment = Packet.usualSegment
    /// A segment a millisecond.
    private static let rate = FlowRate(segment, in: 1_000_000)

    @Test func `even acknowledgements ask for next to nothing`() {
        var bursts = AcknowledgementBursts()
        bursts.begin(at: 0)
        for millisecond in UInt64(1)...1_000 { Self.count(1, at: millisecond, in: &bursts) }
        #expect(bursts.allowance(at: Self.rate) < 2 * Self.segment)
    }

    @Test func `twenty at once every twenty milliseconds ask for what the silence takes`() {
        var bursts = AcknowledgementBursts()
        bursts.begin(at: 0)
        for burst in UInt64(1)...50 { Self.count(20, at: 20 * burst, in: &bursts) }
        let allowance = bursts.allowance(at: Self.rate) / Self.segment
        #expect((19...20).contains(allowance))
    }

    @Test func `no more is added than the window, nor than a tenth of a second's worth`() {
        var bursts = AcknowledgementBursts()
        bursts.begin(at: 0)
        Self.count(1_000, at: 1, window: 300, in: &bursts)
        #expect(bursts.allowance(at: Self.rate) / Self.segment == 99)
        var narrow = AcknowledgementBursts()
        narrow.begin(at: 0)
        Self.count(1_000, at: 1, window: 30, in: &narrow)
        #expect(narrow.allowance(at: Self.rate) == 30 * Self.segment)
    }

    @Test func `a burst is forgotten after five to ten rounds`() {
        var bursts = AcknowledgementBursts()
        bursts.begin(at: 0)
        Self.count(50, at: 1, in: &bursts)
        for round in UInt64(1)...4 { Self.count(1, at: 60 * round, isRound: true, in: &bursts) }
        #expect(bursts.allowance(at: Self.rate) >= 49 * Self.segment)
        for round in UInt64(5)...10 { Self.count(1, at: 60 * round, isRound: true, in: &bursts) }
        #expect(bursts.allowance(at: Self.rate) < 2 * Self.segment)
    }

    private static func count(
        _ segments: UInt64, at millisecond: UInt64, isRound: Bool = false, window: UInt64 = 1_000,
        in bursts: inout AcknowledgementBursts
    ) {
        bursts.count(
            segments * segment, at: millisecond * 1_000_000, rate: rate, isRoundStart: isRound,
            window: window * segment)
    }
}
