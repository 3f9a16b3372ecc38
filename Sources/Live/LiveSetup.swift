package import Quantities
import Recording
package import RunLog
package import RunPlan

/// The inputs of a live run.
package struct LiveSetup: Sendable {
    package var plan: RunPlan
    /// The text from which an app's process compiles the same plan.
    package var scenario: ScenarioText
    package var app: ProcessCommand
    /// How a phone's transfer daemon is started.
    package var daemon: ProcessCommand
    /// The capture file; `nil`: nothing is captured.
    package var captureFile: String?
    /// The folder of the processes' flight recordings; `nil`: none are made.
    package var flightFolder: String?

    package init(
        plan: RunPlan, scenario: ScenarioText, app: ProcessCommand, daemon: ProcessCommand,
        captureFile: String?, flightFolder: String? = nil
    ) {
        self.plan = plan
        self.scenario = scenario
        self.app = app
        self.daemon = daemon
        self.captureFile = captureFile
        self.flightFolder = flightFolder
    }

    /// The path of a process's flight recording.
    func flight(_ name: String) -> String? {
        flightFolder.map { "\($0)/\(name)\(FlightRecording.ending)" }
    }
}

/// How a live run ended.
package struct LiveOutcome: Hashable, Sendable {
    package var ending: RunEnding
    package var at: Instant
    /// Entries of the timeline that have happened.
    package var deeds: [TimelineDeed]
}
