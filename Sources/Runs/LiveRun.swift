import Foundation
import Live
import Quantities
import Reports
import RunLog
import Scenario

/// One scenario played for real, with sockets, processes and a capture.
package struct LiveRun {
    let scenario: Scenario
    let seed: UInt64

    /// The internal command that makes a child of this program the app.
    package static let appCommand = "live-app"
    /// The internal command that makes a child of this program a phone's transfer daemon.
    package static let daemonCommand = "live-daemon"

    /// Plays the run, and writes its files and its capture into the folder.
    func play(
        into folder: RunFolder, progress: (Instant) -> Void
    ) throws(RunFailure) -> ReportModel {
        let file = try folder.eventFile()
        let flights = try folder.flightFolder()
        var pipeline = RunPipeline(checks: scenario.checkSet(), file: file)
        let beginning = scenario.beginning(
            .live, seed: seed, command: "./lab live \(scenario.words) --seed \(seed)")
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
        var model = pipeline.model(mustFail: scenario.mustFail, log: folder)
        model.about = scenario.about
        model.hints =
            RunHints(
                of: scenario, seed: seed, figures: model.figures, oddities: pipeline.oddities,
                deeds: outcome.deeds
            ).sentences
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
                    traces: scenario.traces, variant: scenario.variant),
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

}

/// A child of this program in a live run, which lives until it is killed. A file holds the orders
/// of its parent.
package enum LiveChild {
    package static func runApp(by path: String) throws {
        let orders = try AppOrders(reading: path)
        let scenario = try Scenario(orders.scenario)
        try LiveAppHost(orders, plan: scenario.plan(seed: orders.seed)).run()
    }

    package static func runDaemon(by path: String) throws {
        let orders = try DaemonOrders(reading: path)
        let scenario = try Scenario(orders.scenario)
        try LiveDaemonHost(orders, plan: scenario.plan(seed: orders.seed)).run()
    }
}

extension Scenario {
    /// Reads the scenario that the parent plays.
    fileprivate init(_ text: ScenarioText) throws {
        self = try Self.read(
            text: text.text, path: text.path, parts: text.parts, traces: text.traces,
            variant: text.variant)
    }
}
