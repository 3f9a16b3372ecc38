import Quantities
import Recording
import Reports
import Runs

/// `replay FILE.flight`: the recorded inputs of one process, fed to a new engine.
enum ReplayedFlight {
    static func play(_ path: String, _ arguments: Arguments) throws -> ExitCode {
        let keepsSteps = arguments.has("--steps")
        guard arguments.has("--json") else {
            let outcome = try FlightReplay(of: path).play { step in
                if keepsSteps { show(step) }
            }
            show(outcome)
            return outcome.firstDifference == nil ? .allHeld : .fellShort
        }
        var steps: [Step] = []
        let outcome = try FlightReplay(of: path).play { step in
            if keepsSteps { steps.append(Step(step)) }
        }
        let summary = Summary(
            flight: path, process: outcome.isEngine ? .app : .daemon, inputs: outcome.steps,
            isCut: outcome.isCut, isSame: outcome.firstDifference == nil,
            firstDifference: outcome.firstDifference.map(Step.init),
            steps: keepsSteps ? steps : nil)
        Terminal.show(RunJSON.data(of: "flight", summary))
        return summary.isSame ? .allHeld : .fellShort
    }

    // MARK: JSON

    private struct Summary: Encodable {
        enum Process: String, Encodable {
            case app, daemon
        }

        var flight: String
        var process: Process
        var inputs: Int
        /// Whether the end is missing, because the process was killed there.
        var isCut: Bool
        var isSame: Bool
        var firstDifference: Step?
        var steps: [Step]?
    }

    private struct Step: Encodable {
        var number: Int
        var at: Instant
        var input: String
        var outputs: [String]
        var deadline: Instant?

        init(_ step: FlightRecording.Step) {
            number = step.number
            at = step.at
            input = step.input
            outputs = step.outputs
            deadline = step.deadline
        }
    }

    // MARK: Lines

    private static func show(_ outcome: FlightReplay.Outcome) {
        let what = outcome.isEngine ? "an app's engine" : "a transfer daemon"
        let inputs = outcome.steps == 1 ? "1 input" : "\(outcome.steps) inputs"
        let end = outcome.isCut ? "; the end is missing, because the process was killed there" : ""
        Terminal.say("\(inputs) of \(what)\(end).")
        guard let difference = outcome.firstDifference else {
            Terminal.say("Each input gives the recorded outputs.")
            return
        }
        Terminal.say(
            "From input \(difference.number) on, the outputs differ from the recorded outputs:")
        show(difference)
    }

    private static func show(_ step: FlightRecording.Step) {
        Terminal.say("\(step.number)  \(step.at)  \(step.input)")
        for output in step.outputs { Terminal.say("    \(output)") }
        if let deadline = step.deadline { Terminal.say("    wakes at \(deadline)") }
    }
}
