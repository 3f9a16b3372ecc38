import Content
package import Quantities
import TransferEngine

/// Writes down every input of a machine from its making on, so that a replay does the same.
///
/// A world hands it what the machine takes and gives, and brings the blocks to a file as they come:
/// what was handed over survives a kill, and the rest of the last block may be missing.
package struct FlightRecorder<Machine: FlightMachine> {
    private var bytes = FlightBytes()
    private var bodies = RecordedBodies()
    private var latest: Instant

    package init(_ making: Machine.Making, at now: Instant) {
        latest = now
        bytes.put(FlightEncoder.value(of: making))
        bytes.put(.number(now.nanoseconds))
    }

    /// How every recording begins.
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
            case .close(let connection): bodies.closed(connection)
            default: break
            }
        }
    }

    /// What has come since the last block; nothing if nothing has.
    package mutating func takeBlock() -> [UInt8] { FlightFormat.block(bytes.take()) }
}

/// How a recording lies in its file: a line that says what it is, and blocks behind it.
///
/// A block is its length, a sum of its bytes, and these: first how the machine was made and when,
/// and then each input with the time since the one before, the digest of the outputs, and the
/// deadline that the machine has named.
enum FlightFormat {
    static func title(_ kind: String) -> String { "transferlab flight 2 \(kind)\n" }

    /// Longer than any block that is written.
    static let blockLimit = 1 << 28

    static func block(_ content: [UInt8]) -> [UInt8] {
        guard !content.isEmpty else { return [] }
        return word(UInt32(content.count)) + word(sum(content[...])) + content
    }

    private static func word(_ number: UInt32) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// FNV-1a: it has to notice damage, not an enemy.
    static func sum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum: UInt32 = 0x811c_9dc5
        for byte in bytes { sum = (sum ^ UInt32(byte)) &* 0x0100_0193 }
        return sum
    }

    /// Of outputs without what downloads bring, which no recording has.
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
        guard
            case .keep(let transfer, let path, let segments, let offset)? =
                Machine.attempt(output)
        else { return output }
        let range = ContentRange(
            RecordedBodies.leftOut, offset: .zero, length: segments.length)
        return Machine.output(.keep(transfer, path: path, [.content(range)], at: offset))
    }
}
