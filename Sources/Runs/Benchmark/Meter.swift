import Foundation
import Live

/// What a piece of work cost this process.
package struct Cost: Hashable, Sendable, Codable {
    package var wallSeconds: Double
    /// Time in which a core worked for it: the fairer figure on a machine that others use too.
    package var userSeconds: Double
    /// The most memory that the process has held at any time.
    package var peakBytes: UInt64
    /// What it holds on the heap at the end of the work.
    package var heapBytes: UInt64?
}

/// Runs from the moment it is made.
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
