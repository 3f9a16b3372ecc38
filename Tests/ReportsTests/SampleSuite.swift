import Quantities

@testable import Reports

/// Suites for comparisons, made of copies of one run with other times.
enum SampleSuite {
    /// Returns a suite with a run for each seed and time in milliseconds; `nil` never completes.
    static func suite(
        _ times: [(seed: UInt64, milliseconds: Int64?)], variant: String? = nil,
        path: String = "Scenarios/a.yaml"
    ) -> Suite {
        Suite(
            entries: times.map { seed, milliseconds in
                var entry = SampleRun.suite.entries[0]
                entry.path = path
                entry.seed = seed
                entry.variant = variant
                entry.completion = milliseconds.map { .milliseconds($0) }
                entry.goodput = entry.completion.flatMap { Bitrate(entry.payload, in: $0) }
                return entry
            })
    }
}
