import Content
import Glibc
import Quantities

/// Reads a file back, a slice at a time, and tells whose bytes they are.
struct ContentReading {
    private let versions: [FileVersion]
    private var offset = ByteCount.zero
    private(set) var content: [ContentRange] = []

    /// Whole blocks of recognition, and short enough that others do not wait.
    private static let slice = 256 * 1024

    init(recognising versions: [FileVersion]) { self.versions = versions }

    /// Of a whole file, for whoever has the time.
    static func content(
        ofFileAt path: String, recognising versions: [FileVersion]
    ) throws(SystemError) -> [ContentRange] {
        let file = try Descriptor(opening: path, O_RDONLY)
        var reading = ContentReading(recognising: versions)
        while try reading.advance(in: file) {}
        return reading.content
    }

    /// Reads on; whether there may be more.
    mutating func advance(in file: borrowing Descriptor) throws(SystemError) -> Bool {
        // Where no file could be recognised, there is nothing to look for.
        if versions.isEmpty { return false }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.slice, alignment: 8)
        defer { buffer.deallocate() }
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try file.read(into: rest, at: offset.bytes + UInt64(filled))
            if count == 0 { break }
            filled += count
        }
        let slice = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
        for range in DeterministicBytes.recognise(slice, at: offset, among: versions) {
            content.join(range)
        }
        offset += ByteCount(UInt64(filled))
        return filled == buffer.count
    }
}
