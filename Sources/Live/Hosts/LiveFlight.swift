import Glibc
import Quantities
import Recording

/// A process's flight recorder and its file: what was written outlives a kill of the process.
final class LiveFlight<Machine: FlightMachine> {
    private var recorder: FlightRecorder<Machine>
    private let file: Descriptor
    private var length: UInt64 = 0

    init(_ making: Machine.Making, to path: String, at now: Instant) throws(SystemError) {
        recorder = FlightRecorder(making, at: now)
        file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC)
        try append(FlightRecorder<Machine>.beginning)
    }

    func record(
        _ input: Machine.Input, giving outputs: [Machine.Output], wakingAt deadline: Instant?,
        at now: Instant
    ) throws(SystemError) {
        recorder.record(input, giving: outputs, wakingAt: deadline, at: now)
        try append(recorder.takeBlock())
    }

    private func append(_ bytes: [UInt8]) throws(SystemError) {
        try file.write(bytes, at: length)
        length += UInt64(bytes.count)
    }
}
