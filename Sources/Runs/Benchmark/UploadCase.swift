import Reports
import Scenario

/// An upload as a scenario describes it, to measure everything that a run does: engine, store,
/// server, every check, the figures of the report.
struct UploadCase: Hashable, Sendable {
    let size: String
    let rate: String
    let queue: String
    /// A run of a few megabytes is too short to be measured alone.
    let runCount: Int

    private var text: String {
        """
        name: benchmark
        why: what a whole run costs
        links:
          uplink: { rate: \(rate), delay: 20 ms, queue: \(queue) }
          downlink: { rate: \(rate), delay: 20 ms, queue: \(queue) }
        files:
          file: \(size)
        queue:
          - upload: file
            to: file
        limit: 24 h

        """
    }

    func play() throws(RunFailure) -> BenchmarkSample {
        try BenchmarkSample(ofRuns: runCount, of: text, path: "benchmark.yaml")
    }
}

extension BenchmarkSample {
    /// Plays a scenario repeatedly; every run must be green.
    init(ofRuns count: Int, of text: String, path: String) throws(RunFailure) {
        let scenario = try RunFailure.explaining { () throws(ScenarioError) in
            try Scenario.read(text: text, path: path)
        }
        let meter = Meter()
        var model = try SimulatedRun(scenario).play(into: nil)
        for _ in 1..<count { model = try SimulatedRun(scenario).play(into: nil) }
        let cost = meter.cost()
        guard model.judgement.isGreen else { throw RunFailure(model.judgement.sentence) }
        let suite = Suite(entries: [SuiteEntry(model, folder: "benchmark")])
        self.init(
            exact: FigureSheet(suite: suite).subjects[0].exact, counts: ["runs": UInt64(count)],
            cost: cost)
    }
}
