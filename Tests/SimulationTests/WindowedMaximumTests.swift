import Testing

@testable import Simulation

@Suite struct WindowedMaximumTests {
    /// A row of values, one a round, and the maximum over the last ten rounds after each.
    @Test(arguments: [
        ([5, 4, 3, 2, 1], [5, 5, 5, 5, 5]),
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]),
        // The best is kept for ten rounds after its own; then the best of the later ones follows.
        ([9, 1, 1, 7, 1, 1, 1, 1, 1, 1, 1, 1], [9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 7]),
        ([9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 1, 1, 1], [9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 6, 6]),
        ([3, 9, 9, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2], [3, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 2]),
    ])
    func `the largest of ten rounds counts`(values: [UInt64], expected: [UInt64]) {
        var maximum = WindowedMaximum(rounds: 10)
        var seen: [FlowRate] = []
        for (round, value) in values.enumerated() {
            maximum.insert(FlowRate(value, in: 1), round: UInt64(round))
            seen.append(maximum.value)
        }
        #expect(seen == expected.map { FlowRate($0, in: 1) })
    }

    @Test func `after a gap longer than the window only what is new counts`() {
        var maximum = WindowedMaximum(rounds: 10)
        maximum.insert(FlowRate(9, in: 1), round: 1)
        maximum.insert(FlowRate(2, in: 1), round: 12)
        #expect(maximum.value == FlowRate(2, in: 1))
    }
}
