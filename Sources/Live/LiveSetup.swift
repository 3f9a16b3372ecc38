package import Quantities
import Recording
package import RunLog
package import RunPlan

/// What a live run needs besides its plan.
package struct LiveSetup: Sendable {
    package var plan: RunPlan
    /// From which an app's process compiles the same plan.
    package var scenario: ScenarioText
    package var app: ProcessCommand
    /// The same of a phone's transfer daemon.
    package var daemon: ProcessCommand
    /// Where the capture goes; without it nothing is captured.
    package var captureFile: String?
    /// Where the processes' flights go, a file for each; without it none is recorded.
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

    /// Where a process is to write what it is told.
    func flight(_ name: String) -> String? {
        flightFolder.map { "\($0)/\(name)\(FlightRecording.ending)" }
    }
}

/// How a live run ended.
package struct LiveOutcome: Hashable, Sendable {
    package var ending: RunEnding
    package var at: Instant
}
