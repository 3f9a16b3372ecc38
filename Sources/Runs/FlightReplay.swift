import Foundation
package import Recording
import TransferEngine

/// Feeds the recorded inputs of a process, from the field or from a run, to a new engine.
package struct FlightReplay {
    private let recording: FlightRecording
    private let path: String

    /// Whether a file's name says that it holds a flight.
    package static func holdsFlight(_ path: String) -> Bool {
        path.hasSuffix(FlightRecording.ending)
    }

    package init(of path: String) throws(RunFailure) {
        self.path = path
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw RunFailure(
                "\(path) cannot be read: name a flight recording, such as "
                    + "Reports/live/…/flights/app-1-launch-1.flight")
        }
        do throws(FlightRecording.Mistake) {
            recording = try FlightRecording(Array(data))
        } catch {
            throw RunFailure("\(path): \(error.reason)")
        }
        guard [TransferEngine.kind, TransferDaemon.kind].contains(recording.kind) else {
            throw RunFailure(
                "\(path) is the flight of an unknown kind of process, “\(recording.kind)”: "
                    + "replay it with the program that recorded it")
        }
    }

    package struct Outcome {
        package fileprivate(set) var steps = 0
        package fileprivate(set) var firstDifference: FlightRecording.Step?
        /// Whether the end is missing, because the process was killed while it wrote.
        package let isCut: Bool
        /// Whether the flight is an engine's, and not a daemon's.
        package let isEngine: Bool
    }

    /// Plays the whole flight; `witness` gets each step.
    package func play(
        _ witness: (FlightRecording.Step) -> Void = { _ in }
    ) throws(RunFailure) -> Outcome {
        var outcome = Outcome(
            isCut: recording.isCut, isEngine: recording.kind == TransferEngine.kind)
        let hear: (FlightRecording.Step) -> Bool = { step in
            outcome.steps = step.number
            if !step.isAsRecorded, outcome.firstDifference == nil {
                outcome.firstDifference = step
            }
            witness(step)
            return true
        }
        do throws(FlightRecording.Mistake) {
            if outcome.isEngine {
                try recording.replay(TransferEngine.self, witness: hear)
            } else {
                try recording.replay(TransferDaemon.self, witness: hear)
            }
        } catch {
            throw RunFailure("\(path): \(error.reason)")
        }
        return outcome
    }
}
