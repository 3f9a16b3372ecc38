/// The lines of a trace file, read block by block, because such files may be larger than memory.
/// Blank lines may only end the file. Lines that begin with `#` are comments.
struct TraceLines: Sendable {
    /// The number of the line that is being read, from 1.
    private(set) var number = 1
    /// The beginning of a line whose end is in the next block.
    private var begun: [UInt8] = []
    private var firstBlank: Int?

    /// A longer line is no line of a trace: the file is something else.
    private static let longest = 1_000

    /// Gives each line with content to `take`.
    mutating func read(
        _ block: UnsafeRawBufferPointer,
        _ take: (UnsafeRawBufferPointer, Int) throws(TraceMistake) -> Void
    ) throws(TraceMistake) {
        var rest = block[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = UnsafeRawBufferPointer(rebasing: rest[..<end])
            rest = rest[(end + 1)...]
            if begun.isEmpty {
                try takeLine(line, take)
            } else {
                begun += line
                try takeBegun(take)
            }
            number += 1
        }
        begun += rest
        guard begun.count <= Self.longest else {
            throw TraceMistake(
                line: number, "a line of more than \(Self.longest) bytes",
                expected: "a text file with a number on each line")
        }
    }

    /// Gives the last line to `take` if it has no line break at its end.
    mutating func finish(
        _ take: (UnsafeRawBufferPointer, Int) throws(TraceMistake) -> Void
    ) throws(TraceMistake) {
        try takeBegun(take)
    }

    private mutating func takeBegun(
        _ take: (UnsafeRawBufferPointer, Int) throws(TraceMistake) -> Void
    ) throws(TraceMistake) {
        let line = begun
        begun.removeAll(keepingCapacity: true)
        try line.withUnsafeBufferPointer { (bytes) throws(TraceMistake) in
            try takeLine(UnsafeRawBufferPointer(bytes), take)
        }
    }

    private mutating func takeLine(
        _ bytes: UnsafeRawBufferPointer,
        _ take: (UnsafeRawBufferPointer, Int) throws(TraceMistake) -> Void
    ) throws(TraceMistake) {
        let line = Self.trimmed(bytes)
        guard let first = line.first else {
            firstBlank = firstBlank ?? number
            return
        }
        guard first != UInt8(ascii: "#") else { return }
        if let firstBlank {
            throw TraceMistake(
                line: firstBlank, "a blank line before the end",
                expected: "blank lines at the end only; remove this one")
        }
        try take(line, number)
    }

    /// Returns a line without spaces at its ends and the carriage return of Windows.
    private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var line = bytes[...]
        while let last = line.last, isSpace(last) { line.removeLast() }
        while let first = line.first, isSpace(first) { line.removeFirst() }
        return UnsafeRawBufferPointer(rebasing: line)
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }
}

/// What is wrong with a line of a trace file, or with the whole file.
package struct TraceMistake: Error, Hashable, Sendable {
    /// The number of the line; `nil` for the whole file.
    package var line: Int?
    package var message: String
    package var expected: String
    /// The line itself, if it is readable.
    package var text = ""

    init(line: Int? = nil, _ message: String, expected: String, _ bytes: UnsafeRawBufferPointer) {
        self.init(line: line, message, expected: expected)
        text = Self.words(bytes)
    }

    package init(line: Int? = nil, _ message: String, expected: String) {
        self.line = line
        self.message = message
        self.expected = expected
    }

    /// Returns at most forty characters of a line, without control characters.
    static func words(_ bytes: UnsafeRawBufferPointer) -> String {
        let text = String(decoding: bytes.prefix(200), as: UTF8.self)
        var words = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(40) {
            let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
            words.append(isControl ? "\u{FFFD}" : scalar)
        }
        return String(words)
    }
}

/// A number in milliseconds with up to six decimals, such as `23` or `23.471`, in nanoseconds.
struct TraceNumber {
    /// Returns the nanoseconds; `nil` if this is no such number.
    static func nanoseconds(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
        let parts = bytes.split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = whole(UnsafeRawBufferPointer(rebasing: parts[0])), whole < 1 << 43
        else { return nil }
        guard parts.count == 2 else { return whole * 1_000_000 }
        let decimals = UnsafeRawBufferPointer(rebasing: parts[1])
        // Finer digits than a nanosecond are cut off, as recorders write them.
        guard decimals.allSatisfy(isDigit), !decimals.isEmpty else { return nil }
        var fraction: UInt64 = 0
        for place in 0..<6 {
            let digit = place < decimals.count ? decimals[place] - UInt8(ascii: "0") : 0
            fraction = fraction * 10 + UInt64(digit)
        }
        return whole * 1_000_000 + fraction
    }

    /// Returns a whole number; `nil` if this is none, or if it is beyond any use.
    static func whole(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
        guard !bytes.isEmpty, bytes.count <= 18 else { return nil }
        var number: UInt64 = 0
        for byte in bytes {
            guard isDigit(byte) else { return nil }
            number = number * 10 + UInt64(byte - UInt8(ascii: "0"))
        }
        return number
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
