import Recording
import Runs

/// `replay FLIGHT`: feeds the recorded inputs of one process to a new engine.
enum FlightReplayCommand {
    static func run(_ path: String, showingSteps: Bool) throws -> ExitCode {
        let replay = try FlightReplay(of: path)
        let outcome = try replay.play { step in
            if showingSteps { lines(of: step).forEach { print($0) } }
        }
        let what = outcome.isEngine ? "an app's engine" : "a transfer daemon"
        let inputs = outcome.steps == 1 ? "1 input" : "\(outcome.steps) inputs"
        let end = outcome.isCut ? "; the end is missing, because the process was killed there" : ""
        print("\(inputs) of \(what)\(end).")
        guard let difference = outcome.firstDifference else {
            print("Each input gives the recorded outputs.")
            return .allHeld
        }
        print("From input \(difference.number) on, the outputs differ from the recorded outputs:")
        lines(of: difference).forEach { print($0) }
        return .fellShort
    }

    private static func lines(of step: FlightRecording.Step) -> [String] {
        let wish = step.deadline.map { ["    wakes at \($0)"] } ?? []
        return ["\(step.number)  \(step.at)  \(step.input)"]
            + step.outputs.map { "    \($0)" } + wish
    }
}
