import LinkModels
import Quantities
import Testing

/// Trace files as they are published, and what is wrong with others.
@Suite struct TraceReaderTests {
    @Test(
        arguments: [
            ("1\n", [1]), ("0\n0\n3\n3\n17\n", [0, 0, 3, 3, 17]), ("4294967295\n", [4_294_967_295]),
            // Without a line break at the end, with those of Windows, and with blank lines.
            ("5\n7", [5, 7]), ("5\r\n7\r\n", [5, 7]), ("5\n7\n\n\n", [5, 7]),
            ("5\r\n7\r\n\r\n", [5, 7]),
            ("007\n", [7]), ("  5 \n\t7\n", [5, 7]),
            ("# recorded in Boston\n5\n# rain\n7\n", [5, 7]),
        ] as [(String, [UInt64])])
    func `a delivery trace is read`(text: String, chances: [UInt64]) throws {
        for size in 1...9 {
            #expect(try Self.read(text, by: DeliveryTraceReader(), size).chances == chances)
        }
    }

    @Test(
        arguments: [
            ("", nil, "the trace is empty"), ("\n\n", nil, "the trace is empty"),
            ("# nothing\n", nil, "the trace is empty"),
            ("0\n0\n", nil, "the trace ends at 0 ms, so it has no length"),
            ("1\n3\n2\n4\n", 3, "2 comes after 3"), ("1\n\n2\n", 2, "a blank line before the end"),
            ("1\n1.5\n", 2, "“1.5” is not a whole number"),
            ("-1\n", 1, "“-1” is not a whole number"), ("1 2\n", 1, "“1 2” is not a whole number"),
            ("1\nabc\n", 2, "“abc” is not a whole number"),
            ("1\n\u{1}\u{2}\n", 2, "“\u{FFFD}\u{FFFD}” is not a whole number"),
            ("4294967296\n", 1, "4294967296 ms is later than seven weeks"),
            ("99999999999999999999\n", 1, "“99999999999999999999” is not a whole number"),
            ("1\n" + String(repeating: "7", count: 1_001), 2, "a line of more than 1000 bytes"),
        ] as [(String, Int?, String)])
    func `a mistake is told with its line`(text: String, line: Int?, message: String) {
        for size in [1, 2, 3, 5_000] {
            let mistake = #expect(throws: TraceMistake.self) {
                try Self.read(text, by: DeliveryTraceReader(), size)
            }
            #expect(mistake?.line == line && mistake?.message == message)
        }
    }

    @Test(arguments: [
        // A moment, the delay, and whatever else recorders write behind them.
        "0 20\n1500 23.5\n3000 9\n", "0,20\r\n1500,23.5\r\n3000,9",
        "0\t20 1 2 3\n1500 23.5\n3000 0\n",
        // The first delay holds from the start on; of equal moments the last one counts.
        "250 20\n1500 99\n1500 23.5\n3000 1\n", "# ms ms\n0 20\n1500.000000 23.500000\n3000 1\n\n",
    ])
    func `a trace of delays is read`(text: String) throws {
        for size in 1...9 {
            let course = try Self.read(text, by: DelayTraceReader(), size)
            #expect(course.repeats && course.steps.length == 3_000_000_000)
            #expect(
                course.allSteps.dropLast() == [
                    .init(from: .zero, delay: .milliseconds(20)),
                    .init(from: .milliseconds(1_500), delay: .microseconds(23_500)),
                ])
            #expect(course.least == .milliseconds(20))
            #expect(course.longest == .microseconds(23_500))
        }
    }

    @Test(
        arguments: [
            ("", nil, "the trace is empty"),
            ("0 20\n", nil, "the trace has one moment only, so it has no length"),
            ("0 20\n0 30\n", nil, "the trace has one moment only, so it has no length"),
            ("0 20\n0.5 30\n", nil, "the trace lasts for 500 µs"),
            ("0 20\n30\n", 2, "a single column"),
            ("time delay\n", 1, "“time” is not a number of milliseconds"),
            ("0 20ms\n", 1, "“20ms” is not a number of milliseconds"),
            ("0 -20\n", 1, "“-20” is not a number of milliseconds"),
            ("0 1.\n", 1, "“1.” is not a number of milliseconds"),
            ("0 3600001\n", 1, "a delay of more than an hour"),
            ("5 20\n4 20\n", 2, "the moment comes before that of an earlier line"),
        ] as [(String, Int?, String)])
    func `a mistake among delays is told with its line`(text: String, line: Int?, message: String) {
        let mistake = #expect(throws: TraceMistake.self) {
            try Self.read(text, by: DelayTraceReader(), 4)
        }
        #expect(mistake?.line == line && mistake?.message == message)
    }

    /// Gives the text to a reader in blocks of this size.
    private static func read<Reader: TraceReader>(
        _ text: String, by reader: Reader, _ size: Int
    ) throws(TraceMistake) -> Reader.Trace {
        var reader = reader
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try Array(rest.prefix(size)).withUnsafeBufferPointer { (block) throws(TraceMistake) in
                try reader.read(UnsafeRawBufferPointer(block))
            }
            rest = rest.dropFirst(size)
        }
        return try reader.finish()
    }
}
