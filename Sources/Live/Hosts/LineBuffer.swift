/// Splits a stream of bytes into whole lines.
struct LineBuffer {
    private var bytes: [UInt8] = []

    mutating func append(_ more: some Sequence<UInt8>) { bytes += more }

    /// Takes the whole lines, without their ends.
    mutating func takeLines() -> [[UInt8]] {
        let newline = UInt8(ascii: "\n")
        guard let end = bytes.lastIndex(of: newline) else { return [] }
        defer { bytes.removeFirst(end + 1) }
        return bytes[..<end].split(separator: newline).map(Array.init)
    }
}
