import Content
package import Quantities
import TransferEngine

/// Records every input of a machine from the start, so that a replay repeats the machine's outputs.
///
/// The world appends the blocks to a file. After a kill the end of the last block may be missing.
package struct FlightRecorder<Machine: FlightMachine> {
    private var bytes = FlightBytes()
    private var bodies = RecordedBodies()
    private var latest: Instant

    package init(_ making: Machine.Making, at now: Instant) {
        latest = now
        bytes.put(FlightEncoder.value(of: making))
        bytes.put(.number(now.nanoseconds))
    }

    /// The first line of every recording.
    package static var beginning: [UInt8] { Array(FlightFormat.title(Machine.kind).utf8) }

    package mutating func record(
        _ input: Machine.Input, giving outputs: [Machine.Output], wakingAt deadline: Instant?,
        at now: Instant
    ) {
        bytes.put(.number(now.nanoseconds - latest.nanoseconds))
        latest = now
        var told = input
        if let (connection, segments) = Machine.received(input) {
            let cleared = bodies.cleared(segments, of: connection)
            told = .attempt(.received(connection, cleared))
        }
        bytes.put(FlightEncoder.value(of: told))
        bytes.put(.number(UInt64(FlightFormat.digest(of: outputs, from: Machine.self))))
        bytes.put(deadline.map { .number($0.nanoseconds) } ?? .nothing)
        for output in outputs {
            switch Machine.attempt(output) {
            case .note(let note):
                guard case .connection(.request(let name, let method, _)) = note.fact else { break }
                bodies.asked(method, on: ConnectionID(name.number))
            case .close(let connection), .abort(let connection):
                bodies.closed(connection)
            default: break
            }
        }
    }

    /// Returns what was recorded since the last block; empty if nothing was.
    package mutating func takeBlock() -> [UInt8] { FlightFormat.block(bytes.take()) }
}

/// The file format of a recording: a title line, then blocks.
///
/// A block has its length, a checksum and its content. The first content is the machine's making
/// and its time. Each input follows, with the time since the previous input, the digest of the
/// outputs, and the machine's deadline.
enum FlightFormat {
    /// Grows with each change of what inputs hold.
    static let version = "6"

    static func title(_ kind: String) -> String { "transferlab flight \(version) \(kind)\n" }

    /// The limit of a block's length, which no written block reaches.
    static let blockLimit = 1 << 28

    static func block(_ content: [UInt8]) -> [UInt8] {
        guard !content.isEmpty else { return [] }
        return word(UInt32(content.count)) + word(sum(content[...])) + content
    }

    private static func word(_ number: UInt32) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// Returns an FNV-1a checksum, which detects damage, not an attacker.
    static func sum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum: UInt32 = 0x811c_9dc5
        for byte in bytes { sum = (sum ^ UInt32(byte)) &* 0x0100_0193 }
        return sum
    }

    /// Returns a digest of the outputs without downloaded content and without signatures, which no
    /// recording has.
    static func digest<Machine: FlightMachine>(
        of outputs: [Machine.Output], from _: Machine.Type
    ) -> UInt32 {
        var bytes = FlightBytes()
        for output in outputs { bytes.put(FlightEncoder.value(of: cleared(output, Machine.self))) }
        return sum(bytes.take()[...])
    }

    static func cleared<Machine: FlightMachine>(
        _ output: Machine.Output, _: Machine.Type
    ) -> Machine.Output {
        switch Machine.attempt(output) {
        case .keep(let transfer, let path, let segments, let offset):
            let range = ContentRange(
                RecordedBodies.leftOut, offset: .zero, length: segments.length)
            return Machine.output(.keep(transfer, path: path, [.content(range)], at: offset))
        case .write(let connection, let pieces):
            let scrubbed = pieces.map { piece -> OutgoingPiece in
                guard case .bytes(let bytes) = piece else { return piece }
                var scrubber = SignatureScrubber()
                return .bytes(scrubber.scrub(bytes))
            }
            return Machine.output(.write(connection, scrubbed))
        default: return output
        }
    }
}
