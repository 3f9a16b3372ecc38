import LinkModels
import Quantities
import Testing

/// A delay that changes: a packet takes the delay of the moment at which it leaves its queue.
@Suite struct DelayCourseTests {
    /// A packet of 1000 bytes takes 1 ms.
    private static func link(
        _ course: DelayCourse?, _ filters: [FilterPlan] = []
    ) throws -> LinkDirection {
        let course = try #require(course)
        var plan = LinkPlan.filtered(filters)
        plan.delay = course.least
        plan.delays = course
        return LinkDirection(plan, seed: 1)
    }

    private static func steps(_ steps: [(Int64, Int64)]) -> DelayCourse? {
        DelayCourse(
            steps.map { .init(from: .milliseconds($0), delay: .milliseconds($1)) })
    }

    private func arrival(
        _ link: inout LinkDirection, sentAt milliseconds: Int64
    ) -> Double? {
        let passage = link.enqueue(1_000, at: .start + .milliseconds(milliseconds))
        guard case .arrives(let arrival, _) = passage else { return nil }
        return Double(arrival.nanoseconds) / 1e6
    }

    @Test func `each packet takes the delay of its departure, and the last delay stays`() throws {
        var link = try Self.link(Self.steps([(0, 20), (100, 60), (300, 5)]))
        #expect(arrival(&link, sentAt: 0) == 21)
        // The packet leaves at the very moment of the change.
        #expect(arrival(&link, sentAt: 99) == 160)
        #expect(arrival(&link, sentAt: 200) == 261)
        #expect(arrival(&link, sentAt: 400) == 406)
        #expect(arrival(&link, sentAt: 3_600_000) == 3_600_006)
    }

    @Test func `a packet that would overtake waits for the packet before it`() throws {
        var link = try Self.link(Self.steps([(0, 60), (10, 20)]))
        #expect(arrival(&link, sentAt: 0) == 61)
        // Left at 12 and 16 ms; then one that is late enough on its own.
        #expect(arrival(&link, sentAt: 11) == 62)
        #expect(arrival(&link, sentAt: 15) == 63)
        #expect(arrival(&link, sentAt: 50) == 71)
    }

    @Test func `a packet that is held back may be overtaken`() throws {
        let hold = Reordering(chance: .always, hold: .milliseconds(7))
        var link = try Self.link(Self.steps([(0, 60), (10, 20)]), [.reordering(hold)])
        #expect(arrival(&link, sentAt: 0) == 68)
        #expect(arrival(&link, sentAt: 11) == 39)
    }

    @Test func `a trace begins again at its end`() throws {
        var steps = StepSeries()
        for (distance, delay) in [(0, 20), (30, 50), (70, 0)] as [(UInt64, UInt64)] {
            steps.append(after: distance * 1_000_000, delay * 1_000_000)
        }
        let course = try #require(DelayCourse(steps, repeats: true))
        #expect(course.least == .milliseconds(20) && course.longest == .milliseconds(50))
        var link = try Self.link(course)
        for round in 0..<3 as Range<Int64> {
            let start = round * 100
            #expect(arrival(&link, sentAt: start + 9) == Double(start + 30))
            #expect(arrival(&link, sentAt: start + 59) == Double(start + 110))
        }
        #expect(arrival(&link, sentAt: 360_009) == 360_030)
    }

    @Test func `packets that were dropped on the way do not take the clock with them`() throws {
        var link = try Self.link(Self.steps([(0, 20), (15, 60), (30, 10), (40, 30)]))
        for _ in 0..<50 { _ = link.enqueue(1_000, at: .start) }
        link.clear(at: .start + .milliseconds(5))
        #expect(arrival(&link, sentAt: 6) == 27)
    }

    @Test func `a clone goes on by itself`() throws {
        var link = try Self.link(Self.steps([(0, 20), (15, 60), (30, 10)]))
        #expect(arrival(&link, sentAt: 0) == 21)
        var clone = link.clone()
        #expect(arrival(&clone, sentAt: 19) == 80)
        #expect(arrival(&link, sentAt: 1) == 22)
    }

    @Test(arguments: [[], [(1, 20)], [(0, 20), (0, 30)], [(0, 20), (9, 30), (8, 30)]])
    func `moments must rise from the start`(steps: [(Int64, Int64)]) {
        #expect(Self.steps(steps) == nil)
    }
}
