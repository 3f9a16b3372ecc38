import Foundation
import Live
package import Quantities
package import Reports
import RunLog
package import Scenario

/// One scenario played for real: sockets, processes, a capture; then judged as any other run.
package struct LiveRun {
    private let scenario: Scenario
    private let seed: UInt64

    /// The hidden command by which a child of this program becomes the app.
    package static let appCommand = "live-app"
    /// And by which one becomes the transfer daemon of a phone.
    package static let daemonCommand = "live-daemon"

    package init(_ scenario: Scenario, seed: UInt64? = nil) {
        self.scenario = scenario
        self.seed = seed ?? scenario.seed
    }

    /// Plays it; its files and its capture go into the folder.
    package func play(
        into folder: RunFolder, progress: (Instant) -> Void = { _ in }
    ) throws(RunFailure) -> ReportModel {
        let file = try folder.eventFile()
        let flights = try folder.flightFolder()
        var pipeline = RunPipeline(checks: scenario.checkSet(), file: file)
        pipeline.read(RunEvent(at: .start, .run(.began(beginning))))
        let outcome: LiveOutcome
        do throws(LiveError) {
            outcome = try play(
                capturing: folder.captureFile, recordingIn: flights, pipeline: &pipeline,
                progress)
        } catch {
            throw RunFailure("the live run of \(scenario.path) was aborted: \(error.message)")
        }
        pipeline.read(RunEvent(at: outcome.at, .run(.ended(outcome.ending))))
        try file.close()
        var model = pipeline.model(mustFail: scenario.mustFail) { folder.event($0) }
        if FileManager.default.fileExists(atPath: folder.captureFile) {
            model.captureFiles = [
                .init(name: RunFolder.captureName, place: "the loopback interface")
            ]
        }
        try folder.write(model)
        return model
    }

    private func play(
        capturing captureFile: String, recordingIn flights: String,
        pipeline: inout RunPipeline, _ progress: (Instant) -> Void
    ) throws(LiveError) -> LiveOutcome {
        let world = try LiveWorld(
            LiveSetup(
                plan: scenario.plan(seed: seed),
                scenario: ScenarioText(
                    text: scenario.text, path: scenario.path, parts: scenario.parts,
                    variant: scenario.variant),
                app: .thisProgram(Self.appCommand), daemon: .thisProgram(Self.daemonCommand),
                captureFile: captureFile, flightFolder: flights))
        var log = RunLogSink()
        while true {
            let outcome = try world.advance(into: &log)
            log.drain(into: &pipeline)
            if let outcome { return outcome }
            progress(world.now)
        }
    }

    private var beginning: RunBeginning {
        RunBeginning(
            scenario: scenario.name, world: .live, seed: seed, text: scenario.text,
            path: scenario.path, parts: scenario.parts, variant: scenario.variant,
            sentences: scenario.sentences(seed: seed),
            sessions: scenario.sessionsAtLaunch,
            apps: scenario.appCount > 1 ? scenario.appCount : nil, names: scenario.names,
            command: "./lab live \(scenario.words) --seed \(seed)")
    }
}

/// The app's side of a live run: a child of this program that lives until it is killed.
package enum LiveApp {
    /// `path` names the orders that the parent has written.
    package static func live(by path: String) throws {
        let orders = try AppOrders(reading: path)
        let scenario = try Scenario(orders.scenario)
        try LiveAppHost(orders, plan: scenario.plan(seed: orders.seed)).run()
    }
}

/// The same of the transfer daemon of a phone.
package enum LiveDaemon {
    package static func live(by path: String) throws {
        let orders = try DaemonOrders(reading: path)
        let scenario = try Scenario(orders.scenario)
        try LiveDaemonHost(orders, plan: scenario.plan(seed: orders.seed)).run()
    }
}

extension Scenario {
    /// The one that the parent plays.
    fileprivate init(_ text: ScenarioText) throws {
        self = try Self.read(
            text: text.text, path: text.path, parts: text.parts, variant: text.variant)
    }
}
