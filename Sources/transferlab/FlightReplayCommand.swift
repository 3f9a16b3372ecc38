import Recording
import Runs

/// `replay FLIGHT`: what one process was told, played again to an engine of its own.
enum FlightReplayCommand {
    static func run(_ path: String, showingSteps: Bool) throws -> ExitCode {
        let replay = try FlightReplay(of: path)
        let outcome = try replay.play { step in
            if showingSteps { lines(of: step).forEach { print($0) } }
        }
        let what = outcome.isEngine ? "an app's engine" : "a transfer daemon"
        let inputs = outcome.steps == 1 ? "1 input" : "\(outcome.steps) inputs"
        let end = outcome.isCut ? "; its end is missing, as the process was killed there" : ""
        print("\(inputs) of \(what)\(end).")
        guard let difference = outcome.firstDifference else {
            print("Each gives the outputs that were recorded.")
            return .allHeld
        }
        print("From input \(difference.number) on the outputs are others than were recorded:")
        lines(of: difference).forEach { print($0) }
        return .fellShort
    }

    private static func lines(of step: FlightRecording.Step) -> [String] {
        let wish = step.deadline.map { ["    wakes at \($0)"] } ?? []
        return ["\(step.number)  \(step.at)  \(step.input)"]
            + step.outputs.map { "    \($0)" } + wish
    }
}
