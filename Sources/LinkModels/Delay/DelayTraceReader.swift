import Quantities

/// Reads a course of the delay from a file, block by block. Each line has a moment and the delay
/// from then on, both in milliseconds. The last line ends the trace, which begins again.
/// The first two columns of CellReplay's traces of the base delay are such lines; more columns are
/// ignored.
package struct DelayTraceReader: TraceReader {
    private var lines = TraceLines()
    private var builder = Builder()

    package static let form =
        "two numbers on each line, such as “1500 23.4”: a moment and the "
        + "delay from then on, in milliseconds"

    /// The longest delay, an hour.
    private static let longest: UInt64 = 3_600_000_000_000
    /// The shortest trace, a millisecond: it repeats, and each round takes time to play.
    private static let shortest: UInt64 = 1_000_000

    package init() {}

    /// Joins lines of the same moment: the last of them counts.
    private struct Builder: Sendable {
        var steps = StepSeries()
        var latest: (moment: UInt64, delay: UInt64)?

        mutating func append(_ moment: UInt64, _ delay: UInt64) {
            if let latest, latest.moment < moment {
                // The first delay holds from the start on.
                let place = steps.count == 0 ? 0 : latest.moment
                steps.append(after: place - steps.length, latest.delay)
            }
            latest = (moment, delay)
        }
    }

    package mutating func read(_ block: UnsafeRawBufferPointer) throws(TraceMistake) {
        var builder = builder
        self.builder = Builder()
        defer { self.builder = builder }
        try lines.read(block) { (line, number) throws(TraceMistake) in
            try Self.take(line, number, into: &builder)
        }
    }

    package mutating func finish() throws(TraceMistake) -> DelayCourse {
        var builder = builder
        try lines.finish { (line, number) throws(TraceMistake) in
            try Self.take(line, number, into: &builder)
        }
        guard let last = builder.latest else {
            throw TraceMistake("the trace is empty", expected: Self.form)
        }
        // The end of a round is a step, too.
        builder.append(last.moment + 1, 0)
        guard let course = DelayCourse(builder.steps, repeats: true) else {
            throw TraceMistake(
                "the trace has one moment only, so it has no length",
                expected: "a line for its end: the trace begins again there")
        }
        guard course.steps.length >= Self.shortest else {
            let length = TimeSpan(nanoseconds: Int64(course.steps.length))
            throw TraceMistake(
                "the trace lasts for \(length)",
                expected: "at least 1 ms; moments are counted in milliseconds")
        }
        return course
    }

    private static func take(
        _ line: UnsafeRawBufferPointer, _ number: Int, into builder: inout Builder
    ) throws(TraceMistake) {
        let columns = line.split(maxSplits: 2) {
            TraceLines.isSpace($0) || $0 == UInt8(ascii: ",")
        }
        guard columns.count >= 2 else {
            throw TraceMistake(
                line: number, "a single column", expected: form, line)
        }
        var numbers: [UInt64] = []
        for column in columns.prefix(2) {
            let bytes = UnsafeRawBufferPointer(rebasing: column)
            guard let value = TraceNumber.nanoseconds(bytes) else {
                throw TraceMistake(
                    line: number,
                    "“\(TraceMistake.words(bytes))” is not a number of milliseconds",
                    expected: form, line)
            }
            numbers.append(value)
        }
        guard numbers[1] <= longest else {
            throw TraceMistake(
                line: number, "a delay of more than an hour",
                expected: "milliseconds in the second column", line)
        }
        if let latest = builder.latest, numbers[0] < latest.moment {
            throw TraceMistake(
                line: number, "the moment comes before that of an earlier line",
                expected: "moments that do not decrease; sort the file with: sort -n FILE", line)
        }
        builder.append(numbers[0], numbers[1])
    }
}
