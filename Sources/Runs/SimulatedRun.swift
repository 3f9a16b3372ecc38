package import Checks
package import Quantities
package import Reports
import RunLog
package import Scenario
import Simulation

/// One scenario with one seed, played in the virtual world from the first event to the verdicts.
package struct SimulatedRun {
    private let scenario: Scenario
    private let seed: UInt64

    /// How often the log is handed on: often enough to stay small, seldom enough to cost nothing.
    private static let batch = 512

    package init(_ scenario: Scenario, seed: UInt64? = nil) {
        self.scenario = scenario
        self.seed = seed ?? scenario.seed
    }

    /// Plays it; `folder` is where its files go, if they are wanted.
    package func play(
        into folder: RunFolder?, progress: (Instant) -> Void = { _ in }
    ) throws(RunFailure) -> ReportModel {
        let file = try folder?.eventFile()
        var pipeline = RunPipeline(checks: scenario.checkSet(), file: file)
        pipeline.read(RunEvent(at: .start, .run(.began(beginning))))
        var world = VirtualWorld(scenario.plan(seed: seed))
        let ending = Self.play(
            &world, until: .start + scenario.limit, pipeline: &pipeline, progress)
        world.end()
        world.drainLog(into: &pipeline)
        let end = ending == .limit ? .start + scenario.limit : world.now
        pipeline.mark(at: end)
        pipeline.read(RunEvent(at: end, .run(.ended(ending))))
        try file?.close()
        let model = pipeline.model(mustFail: scenario.mustFail) { folder?.event($0) }
        try folder?.write(model)
        return model
    }

    private static func play(
        _ world: inout VirtualWorld, until limit: Instant, pipeline: inout RunPipeline,
        _ progress: (Instant) -> Void
    ) -> RunEnding {
        var second = Instant.start + .seconds(1)
        var steps = 0
        while true {
            if world.advance(until: min(second, limit)) {
                steps += 1
                if steps % batch == 0 { world.drainLog(into: &pipeline) }
                continue
            }
            world.drainLog(into: &pipeline)
            progress(world.now)
            guard let next = world.nextEventTime else { return .quiet }
            guard next <= limit else { return .limit }
            pipeline.mark(at: second)
            // The next whole second that has anything in it.
            let whole = TimeSpan.seconds(1).nanoseconds
            let seconds = (next.sinceStart.nanoseconds + whole - 1) / whole
            second = max(second + .seconds(1), .start + .seconds(seconds))
        }
    }

    private var beginning: RunBeginning {
        RunBeginning(
            scenario: scenario.name, world: .simulated, seed: seed, text: scenario.text,
            path: scenario.path, sentences: scenario.sentences,
            sessions: scenario.sessions.count,
            command: "./lab run \(scenario.path.shellWord) --seed \(seed)")
    }
}

extension Scenario {
    /// What a run of this scenario is judged by.
    package func checkSet() -> CheckSet {
        CheckSet(
            expectations: expectations.map { $0.check() },
            excuses: Dictionary(
                excuses.map { ($0.rule, $0.reason) }, uniquingKeysWith: { first, _ in first }))
    }
}
