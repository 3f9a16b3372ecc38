import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

/// Linux's slow start, acknowledgement by acknowledgement, and on a link.
@Suite struct HyStartTests {
    private static let segment = Packet.usualSegment

    /// Round trips of 40 ms: acknowledgements that follow each other at 2 ms or less for more than
    /// 20 ms, half of the round trip, and half of what offloads may hold back.
    @Test(arguments: [(gap: UInt64(1_900_000), isOver: true), (2_100_000, false)])
    func `acknowledgements without a gap for half a round trip end slow start`(
        gap: UInt64, isOver: Bool
    ) {
        var start = HyStart()
        var flight = Acknowledgements(roundTrip: 40_000_000)
        for _ in 0..<10 {
            flight.acknowledge(&start, after: gap)
            #expect(!start.isOver)
        }
        for _ in 0..<10 { flight.acknowledge(&start, after: gap) }
        #expect(start.isOver == isOver)
    }

    @Test func `a window of less than 16 segments is never judged`() {
        var start = HyStart()
        var flight = Acknowledgements(roundTrip: 40_000_000)
        flight.window = 15 * Self.segment
        for _ in 0..<40 { flight.acknowledge(&start, after: 1_000_000) }
        #expect(!start.isOver)
    }

    /// Round trips of 80 ms at first, so that the bound is 10 ms.
    @Test(arguments: [(roundTrip: UInt64(90_000_001), isOver: true), (90_000_000, false)])
    func `a round of longer round trips ends slow start, at its ninth`(
        roundTrip: UInt64, isOver: Bool
    ) {
        var start = HyStart()
        var flight = Acknowledgements(roundTrip: 80_000_000)
        for _ in 0..<30 { flight.acknowledge(&start, after: 5_000_000) }
        #expect(!start.isOver)
        flight.roundTrip = roundTrip
        flight.beginsRound = true
        for place in 0..<9 {
            #expect(!start.isOver, "\(place)")
            flight.acknowledge(&start, after: 5_000_000)
        }
        #expect(start.isOver == isOver)
    }

    @Test func `one short round trip in a round is enough to go on`() {
        var start = HyStart()
        var flight = Acknowledgements(roundTrip: 80_000_000)
        flight.acknowledge(&start, after: 5_000_000)
        flight.roundTrip = 100_000_000
        for place in 0..<40 {
            if place % 20 == 0 { flight.beginsRound = true }
            flight.roundTrip = place % 20 == 5 ? 80_000_000 : 100_000_000
            flight.acknowledge(&start, after: 5_000_000)
        }
        #expect(!start.isOver)
    }

    @Test func `slow start ends before the queue overflows`() {
        let hard = Self.dropped(under: .newReno)
        let soft = Self.dropped(under: .cubic)
        #expect(hard > 100)
        #expect(soft == 0, "\(soft) instead of \(hard)")
    }

    @Test func `after a timeout slow start may end early again`() {
        var controller = Cubic()
        var flight = Acknowledgements(roundTrip: 40_000_000)
        controller.timedOut(flight: 1_000 * Self.segment, remaining: 0, again: false)
        #expect(controller.threshold == 700 * Self.segment)
        var place = 0
        while controller.window < controller.threshold {
            flight.beginsRound = place % 40 == 0
            place += 1
            let sample = flight.next(after: 1_000_000)
            controller.measured(sample)
            controller.acknowledged(2 * Self.segment, sample)
        }
        #expect(controller.threshold < 200 * Self.segment, "\(controller.threshold)")
    }

    private static func dropped(under controller: TCPSettings.Controller) -> Int {
        let hosts = TwoHosts(
            .plain("uplink", megabits: 50, queue: 500_000), .plain("downlink", megabits: 50),
            controller: controller)
        hosts.open(sending: [.content(.file(1, 4_000_000))])
        hosts.play()
        return hosts.packets.count { $0.kind == .dropped }
    }

    /// Acknowledgements of one long round, unless the test begins another.
    private struct Acknowledgements {
        var roundTrip: UInt64
        var window = 100 * segment
        var beginsRound = true
        private var now: UInt64 = 1_000_000_000
        private var acknowledged: UInt64 = 0
        private var roundEnd: UInt64 = 0
        private let shortest: UInt64

        init(roundTrip: UInt64) {
            self.roundTrip = roundTrip
            shortest = roundTrip
        }

        mutating func acknowledge(_ start: inout HyStart, after gap: UInt64) {
            start.measured(next(after: gap), shortest: shortest, window: window)
        }

        mutating func next(after gap: UInt64) -> CongestionController.Sample {
            now += gap
            acknowledged = beginsRound ? roundEnd + 1 : acknowledged
            if beginsRound { roundEnd = acknowledged + 1_000 * segment }
            beginsRound = false
            return .init(
                now: now, roundTrip: roundTrip, smoothed: shortest, unacknowledged: acknowledged,
                next: roundEnd)
        }
    }
}
