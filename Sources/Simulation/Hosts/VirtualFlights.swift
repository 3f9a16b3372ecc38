import Quantities
import Recording

/// What the flight recorders of a run have written, file by file; outside of the world, so that
/// nothing in it can tell whether they run.
package struct VirtualFlights: Sendable {
    package private(set) var files: [(name: String, bytes: [UInt8])] = []

    mutating func begin(_ name: String, _ beginning: [UInt8]) -> Int {
        files.append((name, beginning))
        return files.count - 1
    }

    mutating func add(_ block: [UInt8], to file: Int) { files[file].bytes += block }
}

/// The recorder of one process, if the run has recorders.
struct VirtualFlight<Machine: FlightMachine> {
    private var recorder: FlightRecorder<Machine>
    private let file: Int

    init?(_ making: Machine.Making, named name: String, in environment: inout ProcessEnvironment) {
        let beginning = FlightRecorder<Machine>.beginning
        guard let file = environment.flights?.begin(name, beginning) else { return nil }
        self.file = file
        recorder = FlightRecorder(making, at: environment.network.now)
    }

    mutating func record(
        _ input: Machine.Input, giving outputs: [Machine.Output], wakingAt deadline: Instant?,
        in environment: inout ProcessEnvironment
    ) {
        recorder.record(input, giving: outputs, wakingAt: deadline, at: environment.network.now)
        environment.flights?.add(recorder.takeBlock(), to: file)
    }
}
