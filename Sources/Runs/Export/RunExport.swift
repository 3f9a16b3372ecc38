import Reports
import RunLog
package import Scenario

/// A run in the formats of other programs: an earlier run, or a scenario that is played for it.
package struct RunExport {
    private let source: Source

    /// A format, with its choices.
    package enum Form {
        /// Series as a table.
        case csv
        /// Timeline and series as trace events.
        case trace
        /// Figures as OpenMetrics text.
        case openmetrics
        /// TCP connections as qlog traces; only one, counted from 1, or all.
        case qlog(connection: Int?)
    }

    private enum Source {
        /// An earlier run, and its path as the caller named it.
        case recorded(RecordedRun, path: String)
        case scenario(Scenario, seed: UInt64)
    }

    /// `path` is the folder of an earlier run, or its `run.json`.
    package init(ofRunAt path: String) throws(RunFailure) {
        source = .recorded(try RecordedRun(at: path), path: path)
    }

    package init(of scenario: Scenario, seed: UInt64? = nil) {
        source = .scenario(scenario, seed: seed ?? scenario.seed)
    }

    package func write(_ form: Form, to output: ExportFile) throws(RunFailure) {
        switch form {
        case .csv: try output.write(SeriesCSV.data(for: try model().series))
        case .trace: try output.write(TraceEvents.data(for: try model()))
        case .openmetrics: try output.write(SuiteMetrics.data(for: try model()))
        case .qlog(let connection): try writeQlog(of: connection, to: output)
        }
    }

    /// Writes the figures of a suite, from its folder or its `summary.json`, as OpenMetrics text.
    package static func writeMetrics(
        ofSuiteAt path: String, to output: ExportFile
    ) throws(RunFailure) {
        try output.write(SuiteMetrics.data(for: try ResultFile.suite(path)))
    }

    private func model() throws(RunFailure) -> ReportModel {
        switch source {
        case .recorded(let run, _): return run.model
        case .scenario(let scenario, let seed):
            var run = SimulatedRun(scenario, seed: seed)
            run.drawsSeries = true
            return try run.play(into: nil)
        }
    }

    /// Plays the run and writes its connections. Packets are in no file of a run, so an earlier run
    /// is played again; it must be the same to the last packet.
    private func writeQlog(of connection: Int?, to output: ExportFile) throws(RunFailure) {
        let file = try QlogFile(connection: connection)
        var run: SimulatedRun
        var earlier: Replay?
        switch source {
        case .scenario(let scenario, let seed): run = SimulatedRun(scenario, seed: seed)
        case .recorded(_, let path):
            let replay = try Replay(of: path)
            run = SimulatedRun(replay.scenario, seed: replay.seed, ties: replay.ties)
            earlier = replay
        }
        run.drawsSeries = true
        let model = try run.outcome(observer: file).model
        if let earlier, earlier.digest != model.digest {
            throw RunFailure(
                "the run is another one now: the digest was \(earlier.digest) and is "
                    + "\(model.digest); export its scenario instead, or play it again with: "
                    + model.beginning.command)
        }
        try file.write(model, to: output)
    }
}
