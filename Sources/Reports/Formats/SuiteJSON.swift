package import Foundation

/// `summary.json`: a suite, sorted and indented, without anything that depends on the machine.
package enum SuiteJSON {
    package static func data(for suite: Suite) -> Data {
        let summary = Summary(
            format: format, program: suite.program, green: suite.green, red: suite.red,
            runs: suite.entries,
            notPlayed: suite.notPlayed,
            trapped: suite.trapped.isEmpty ? nil : suite.trapped, leftOut: suite.leftOut,
            unreached: suite.unreached.isEmpty ? nil : suite.unreached,
            shortfalls: suite.shortfalls.isEmpty ? nil : suite.shortfalls,
            interruption: suite.interruption)
        return RunJSON.file(summary)
    }

    /// Decodes a suite; throws the decoder's error.
    package static func suite(from data: Data) throws -> Suite {
        let summary = try JSONDecoder().decode(Summary.self, from: data)
        var suite = Suite(entries: summary.runs)
        suite.program = summary.program
        suite.notPlayed = summary.notPlayed
        suite.trapped = summary.trapped ?? []
        suite.leftOut = summary.leftOut ?? []
        return suite
    }

    private static let format =
        "transferlab-suite/1 (times in nanoseconds, sizes in bytes, rates in bits per second)"

    package static let schema = FileSchema(
        "summary", "summary.json: all runs of a suite", format: format, of: Summary.self)

    private struct Summary: Codable {
        var format: String
        var program: ProgramVersion?
        var green: Int
        var red: Int
        var runs: [SuiteEntry]
        var notPlayed: [UnplayedRun]
        var trapped: [TrappedRun]?
        /// Missing in older files.
        var leftOut: [UnplayedRun]?
        var unreached: [Occasion]?
        var shortfalls: [EvidenceShortfall]?
        var interruption: SuiteInterruption?
    }
}
