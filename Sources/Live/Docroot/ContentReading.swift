import Content
import Glibc
import Quantities
import TransferEngine
import TransferHost

/// Reads a file back, a slice at a time, and recognises the versions of its bytes.
struct ContentReading {
    private let known: KnownVersions
    private var offset = ByteCount.zero
    private var found: [ContentRange] = []
    /// The file's samples, where an edit may have left them as they were.
    private var samples: [Range<UInt64>] = []

    /// Whole blocks of recognition, and short enough that others need not wait.
    private static let slice = 256 * 1024

    init(recognising known: KnownVersions) { self.known = known }

    /// Reads a whole file, for callers that have the time.
    static func content(
        ofFileAt path: String, recognising known: KnownVersions
    ) throws(SystemError) -> [ContentRange] {
        let file = try Descriptor(opening: path, O_RDONLY)
        var reading = ContentReading(recognising: known)
        while try reading.advance(in: file) {}
        return reading.content
    }

    /// Reads on. Returns whether there may be more.
    mutating func advance(in file: borrowing Descriptor) throws(SystemError) -> Bool {
        // Without known versions there is nothing to recognise.
        if known.versions.isEmpty { return false }
        if offset == .zero { samples = known.samples(of: try file.status().st_size) }
        let bytes = try file.bytes(atMost: Self.slice, at: offset.bytes)
        for piece in pieces(of: bytes.count) {
            let start = offset + ByteCount(UInt64(piece.lowerBound))
            let ranges = bytes[piece].withUnsafeBytes {
                DeterministicBytes.recognise($0, at: start, among: known.versions)
            }
            for range in ranges { found.join(range) }
        }
        offset += ByteCount(UInt64(bytes.count))
        return bytes.count == Self.slice
    }

    /// The ranges of the file, as far as it was read.
    ///
    /// A sample that an edit has left as it was belongs to the version around it.
    var content: [ContentRange] {
        var content: [ContentRange] = []
        for (index, range) in found.enumerated() {
            var range = range
            if samples.contains(where: { $0.contains(range) }) {
                let around = [index + 1, index - 1].filter(found.indices.contains)
                    .map { found[$0].version }
                let version = range.version
                range.version = around.first { known.isEdit($0, of: version) } ?? version
            }
            content.join(range)
        }
        return content
    }

    /// The parts of so many bytes, cut where samples begin and end.
    private func pieces(of count: Int) -> [Range<Int>] {
        let borders = samples.flatMap { [$0.lowerBound, $0.upperBound] }
            .filter { offset.bytes < $0 && $0 < offset.bytes + UInt64(count) }
            .map { Int($0 - offset.bytes) }
        return zip([0] + borders, borders + [count]).map { $0..<$1 }
    }
}

extension Range<UInt64> {
    fileprivate func contains(_ range: ContentRange) -> Bool {
        lowerBound <= range.offset.bytes && range.end.bytes <= upperBound
    }
}
