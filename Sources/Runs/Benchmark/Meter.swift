import Foundation
import Live

/// The cost of a piece of work in this process.
package struct Cost: Hashable, Sendable, Codable {
    package var wallSeconds: Double
    /// Core seconds: the fairer figure on a machine that other programs use, too.
    package var userSeconds: Double
    /// The peak memory of the process.
    package var peakBytes: UInt64
    /// The heap at the end of the work.
    package var heapBytes: UInt64?
}

/// Measures the cost of work from its own creation on.
struct Meter {
    private let began = ContinuousClock.now
    private let userSeconds = Self.userSeconds

    func cost() -> Cost {
        Cost(
            wallSeconds: began.duration(to: .now) / .seconds(1),
            userSeconds: Self.userSeconds - userSeconds, peakBytes: ProcessMemory.peakBytes,
            heapBytes: ProcessMemory.heapBytes)
    }

    private static var userSeconds: Double {
        var usage = rusage()
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
    }
}
