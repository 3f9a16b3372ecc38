import Quantities

/// Reads a delivery trace from a mahimahi file, block by block.
package struct DeliveryTraceReader: TraceReader {
    private var lines = TraceLines()
    private var builder = DeliveryTrace.Builder()

    package static let form = "a number on each line: a millisecond at which 1500 bytes can leave"

    package init() {}

    package mutating func read(_ block: UnsafeRawBufferPointer) throws(TraceMistake) {
        var builder = builder
        self.builder = DeliveryTrace.Builder()
        defer { self.builder = builder }
        try lines.read(block) { (line, number) throws(TraceMistake) in
            try Self.take(line, number, into: &builder)
        }
    }

    package mutating func finish() throws(TraceMistake) -> DeliveryTrace {
        var builder = builder
        try lines.finish { (line, number) throws(TraceMistake) in
            try Self.take(line, number, into: &builder)
        }
        let moments = builder.finish()
        guard moments.count > 0 else {
            throw TraceMistake("the trace is empty", expected: Self.form)
        }
        guard let trace = DeliveryTrace(moments) else {
            throw TraceMistake(
                "the trace ends at 0 ms, so it has no length",
                expected: "a last millisecond above 0: the trace begins again after it")
        }
        return trace
    }

    private static func take(
        _ line: UnsafeRawBufferPointer, _ number: Int, into builder: inout DeliveryTrace.Builder
    ) throws(TraceMistake) {
        guard let millisecond = TraceNumber.whole(line) else {
            throw TraceMistake(
                line: number, "“\(TraceMistake.words(line))” is not a whole number", expected: form,
                line)
        }
        guard millisecond <= UInt32.max else {
            throw TraceMistake(
                line: number, "\(millisecond) ms is later than seven weeks",
                expected: "milliseconds since the start of the trace, at most \(UInt32.max)", line)
        }
        let latest = builder.latest
        guard builder.append(millisecond) else {
            throw TraceMistake(
                line: number, "\(millisecond) comes after \(latest)",
                expected: "milliseconds that do not decrease; sort the file with: sort -n FILE",
                line)
        }
    }
}

/// A reader of a trace file, which sees the file in blocks.
package protocol TraceReader: Sendable {
    associatedtype Trace: Sendable

    /// What each line says, for messages.
    static var form: String { get }

    init()
    mutating func read(_ block: UnsafeRawBufferPointer) throws(TraceMistake)
    mutating func finish() throws(TraceMistake) -> Trace
}
