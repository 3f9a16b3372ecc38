import Reports
import Scenario

/// An upload as a scenario has it, so that all that a run does is measured: engine, store, server,
/// every check, the figures of the report.
package struct UploadCase: Hashable, Sendable {
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
        let scenario: Scenario
        do throws(ScenarioError) {
            scenario = try Scenario.read(text: text, path: "benchmark.yaml")
        } catch { throw RunFailure(error.description) }
        let meter = Meter()
        var model = try SimulatedRun(scenario).play(into: nil)
        for _ in 1..<runCount { model = try SimulatedRun(scenario).play(into: nil) }
        let cost = meter.cost()

        let entry = SuiteEntry(model, folder: "benchmark")
        let sheet = FigureSheet(suite: Suite(entries: [entry]))
        return BenchmarkSample(
            exact: sheet.subjects[0].exact, counts: ["runs": UInt64(runCount)], cost: cost)
    }
}
