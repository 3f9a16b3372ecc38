import Foundation
import RunPlan
import Testing

@testable import Simulation

/// DCTCP and Prague without a network.
@Suite struct ScalableTests {
    private static let segment = Packet.usualSegment

    /// Alizadeh and others (2010), §3.3: a window that fills the pipe and the threshold with W* is
    /// marked for one round, shrinks by W* α / 2, and grows for as many rounds. If α hardly moves
    /// in between, it is about √(2/W*), which asks for a weight of less than 1.386 / √(2 W*): 1/16
    /// is enough up to 246 segments. Beyond, α has fallen before the next mark.
    @Test(arguments: [100, 240, 400, 1_000] as [UInt64])
    func `the share of marks and the swing of the window are those of the analysis`(
        most: UInt64
    ) {
        var path = ScalablePath(.init(isPrague: false), full: most)
        // DCTCP starts with a share of 1, and forgets a sixteenth in a round.
        for _ in 0..<400 { path.round() }
        var shares: [Double] = []
        var (low, high) = (UInt64.max, UInt64(0))
        for _ in 0..<2_000 {
            path.round()
            shares.append(Double(path.controller.share.part(of: 1 << 20)) / Double(1 << 20))
            low = min(low, path.controller.window)
            high = max(high, path.controller.window)
        }
        let share = shares.reduce(0, +) / Double(shares.count)
        let rounds = Self.rounds(most: Double(most))
        #expect(abs(share * rounds - 1) < 0.1, "\(share) and \(1 / rounds)")
        let swing = Double(high - low) / Double(Self.segment)
        #expect(abs(swing / (rounds - 1) - 1) < 0.25, "\(swing) and \(rounds - 1)")
        let simple = (2 / Double(most)).squareRoot()
        #expect(abs(share / simple - 1) < (most <= 246 ? 0.15 : 0.4), "\(share) and \(simple)")
    }

    /// Returns the rounds from one marked round to the next. In each round α loses a sixteenth, and
    /// gains one in a marked round, after the window has shrunk.
    private static func rounds(most: Double) -> Double {
        var rounds = 2.0
        for _ in 0..<1_000 {
            let left = pow(15.0 / 16, rounds - 1)
            let share = left / 16 / (1 - left * 15 / 16)
            rounds += (1 + (most + 1) * share / 2 - rounds) / 10
        }
        return rounds
    }

    @Test func `the first mark halves the window, and the next counts in another round`() {
        var controller = Scalable(isPrague: true)
        let before = controller.window
        controller.counted(Self.segment, marked: Self.segment, Self.sample(1, next: 20))
        #expect(controller.window == before / 2 && controller.threshold == before / 2)
        controller.counted(Self.segment, marked: Self.segment, Self.sample(20, next: 30))
        #expect(controller.window == before / 2)
        controller.counted(Self.segment, marked: Self.segment, Self.sample(21, next: 30))
        #expect(controller.window < before / 2)
    }

    @Test func `a loss halves the window, whatever was marked`() {
        var controller = Scalable(isPrague: false)
        controller.lossFound(flight: 101 * Self.segment)
        #expect(controller.window == 50 * Self.segment)
    }

    @Test func `without a mark Prague keeps its caution, and DCTCP forgets it`() {
        var prague = ScalablePath(.init(isPrague: true), full: .max)
        var dctcp = ScalablePath(.init(isPrague: false), full: .max)
        for _ in 0..<10 {
            prague.round()
            dctcp.round()
        }
        #expect(prague.controller.share.part(of: 1_000) == 1_000)
        #expect((500...560).contains(dctcp.controller.share.part(of: 1_000)))
    }

    @Test func `a false loss is undone`() {
        var controller = Scalable(isPrague: false)
        controller.lossFound(flight: 10 * Self.segment)
        controller.undo()
        #expect(controller.window == 10 * Self.segment && controller.threshold == .max)
    }

    /// Over 5 ms instead of 25 ms the window grows by a 25th of a segment in a round trip: the rate
    /// then grows in a second as much as over 25 ms.
    @Test func `after four rounds a short round trip gains Prague nothing`() {
        var path = ScalablePath(.init(isPrague: true), full: .max, roundTrip: 5_000_000)
        path.controller.lossFound(flight: 40 * Self.segment)
        let before = path.controller.window
        for _ in 0..<4 { path.round() }
        let early = (path.controller.window - before) / Self.segment
        #expect((2...3).contains(early), "\(early)")
        let middle = path.controller.window
        for _ in 0..<500 { path.round() }
        let late = (path.controller.window - middle) / Self.segment
        #expect((19...21).contains(late), "\(late)")
    }

    static func sample(
        _ unacknowledged: UInt64, next: UInt64, at now: UInt64 = 1, roundTrip: UInt64 = 20_000_000
    ) -> CongestionController.Sample {
        .init(
            now: now, roundTrip: roundTrip, smoothed: roundTrip, unacknowledged: unacknowledged,
            next: next)
    }
}

/// A path that marks every segment of a round in which the window is larger than `full`.
private struct ScalablePath {
    var controller: Scalable
    let full: UInt64
    let roundTrip: UInt64
    private var now: UInt64 = 1_000_000_000
    private var acknowledged: UInt64 = 0

    private static let segment = Packet.usualSegment

    init(_ controller: Scalable, full: UInt64, roundTrip: UInt64 = 20_000_000) {
        self.controller = controller
        self.full = full
        self.roundTrip = roundTrip
    }

    mutating func round() {
        now += roundTrip
        let count = controller.window / Self.segment
        let isMarked = count > full
        let end = acknowledged + 2 * count
        for _ in 0..<count {
            acknowledged += 1
            let sample = ScalableTests.sample(
                acknowledged, next: end - count + 1, at: now, roundTrip: roundTrip)
            controller.counted(Self.segment, marked: isMarked ? Self.segment : 0, sample)
            if !isMarked { controller.acknowledged(Self.segment, sample) }
        }
    }
}
