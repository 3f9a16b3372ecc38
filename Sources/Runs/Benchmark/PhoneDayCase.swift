import Reports
import Scenario

/// A day of a phone: hundreds of uploads, an app that is looked at now and then and suspended in
/// between, a way to work and back through dead spots, a night, a restart.
struct PhoneDayCase: Hashable, Sendable {
    let fileCount: Int

    private var text: String {
        let files = (1...fileCount).map { "  \($0).jpg: 3 MB\n" }.joined()
        let queue = (1...fileCount).map { "  - { upload: \($0).jpg, to: in/\($0).jpg }\n" }.joined()
        return """
            name: a day of a phone
            why: what a day costs in which nearly nothing happens nearly all the time
            device: { os: ios-17 }
            links:
              uplink: { rate: 5 Mbit/s, delay: 30 ms, loss: 0.1 %, outages: [\(deadSpots)] }
              downlink: { rate: 20 Mbit/s, delay: 30 ms }
            limit: 24 h
            files:
            \(files)queue:
            \(queue)timeline:
            \(timeline)
            """
    }

    /// On the way to work and back, for ten seconds of every minute.
    private var deadSpots: String {
        [7, 17].flatMap { hour in
            (0..<45).map { minute in
                let second = hour * 3_600 + minute * 60
                return "\(second + 15) s to \(second + 25) s"
            }
        }.joined(separator: ", ")
    }

    /// From the seventh hour on somebody looks at the app every 15 minutes, for 20 seconds; all
    /// else falls between two looks.
    private var timeline: String {
        var entries: [(second: Int, what: String)] = [(60, "app to background")]
        for look in (7 * 4)..<(23 * 4) {
            entries.append((look * 900, "app to foreground"))
            entries.append((look * 900 + 20, "app to background"))
        }
        for hour in [9, 13, 20] { entries.append((hour * 3_600 + 300, "memory pressure")) }
        entries.append((15 * 3_600 + 400, "phone reboots"))
        entries.append((18 * 3_600 + 500, "clock jumps 1 h ahead"))
        return entries.sorted { $0.second < $1.second }
            .map { "  - \($0.second) s: \($0.what)\n" }.joined()
    }

    func play() throws(RunFailure) -> BenchmarkSample {
        let scenario: Scenario
        do throws(ScenarioError) {
            scenario = try Scenario.read(text: text, path: "day.yaml")
        } catch { throw RunFailure(error.description) }
        let meter = Meter()
        let model = try SimulatedRun(scenario).play(into: nil)
        let cost = meter.cost()
        guard model.judgement.isGreen else { throw RunFailure(model.judgement.sentence) }
        let sheet = FigureSheet(
            suite: Suite(entries: [SuiteEntry(model, folder: "benchmark")]))
        return BenchmarkSample(exact: sheet.subjects[0].exact, counts: ["runs": 1], cost: cost)
    }
}
