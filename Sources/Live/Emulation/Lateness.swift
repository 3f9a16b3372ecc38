package import Quantities

/// How late an emulator handed packets on, which decides whether its run counts. Counted in steps
/// of 10 µs, so that a figure is at most one step too high.
package struct Lateness: Sendable {
    private var steps = [UInt64](repeating: 0, count: Self.stepCount + 1)
    package private(set) var packets: UInt64 = 0
    package private(set) var longest = TimeSpan.zero

    private static let step: Int64 = 10_000
    private static let stepCount = 2_000
    /// The largest delay that is not late.
    private static let tolerated = TimeSpan.milliseconds(1)

    package init() {}

    package mutating func note(_ late: TimeSpan) {
        packets += 1
        steps[min(Int(late.nanoseconds / Self.step), Self.stepCount)] += 1
        longest = max(longest, late)
    }

    package mutating func add(_ other: Lateness) {
        for index in steps.indices { steps[index] += other.steps[index] }
        packets += other.packets
        longest = max(longest, other.longest)
    }

    /// The delay that this many thousandths of the packets did not exceed.
    package func quantile(thousandths: UInt64) -> TimeSpan {
        var rest = (packets * thousandths + 999) / 1_000
        for (index, count) in steps.enumerated() {
            guard count < rest else {
                let upper = TimeSpan(nanoseconds: Int64(index + 1) * Self.step)
                return index < Self.stepCount ? min(upper, longest) : longest
            }
            rest -= count
        }
        return longest
    }

    /// The number of late packets.
    package var latePackets: UInt64 {
        steps[Int(Self.tolerated.nanoseconds / Self.step)...].reduce(0, +)
    }
}
