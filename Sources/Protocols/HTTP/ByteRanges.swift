package import Quantities

/// The part of a body that a `Range` field asks for (RFC 9110 §14).
package enum ByteRanges: Hashable, Sendable {
    /// The whole body: no range, a malformed one, or too many.
    case whole
    case parts([Part])
    /// A well-formed range outside of the body: 416.
    case unsatisfiable

    package struct Part: Hashable, Sendable {
        package var offset: ByteCount
        package var length: ByteCount

        package init(offset: ByteCount, length: ByteCount) {
            self.offset = offset
            self.length = length
        }

        /// The value for Content-Range, such as `bytes 0-9/100`.
        package func field(of size: ByteCount) -> String {
            "bytes \(offset.bytes)-\((offset + length).bytes - 1)/\(size.bytes)"
        }
    }

    /// The largest number of parts that is understood (RFC 9110 §14.2 allows a limit). Many small
    /// or overlapping parts would waste the server's work.
    private static let partsLimit = 16

    package init(parsing field: String?, size: ByteCount) {
        self = field.flatMap { Self.parse($0, size: size) } ?? .whole
    }

    private static func parse(_ field: String, size: ByteCount) -> ByteRanges? {
        let halves = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, halves[0].lowercased() == "bytes" else { return nil }
        var parts: [Part] = []
        var asked = 0
        for piece in halves[1].split(separator: ",") {
            let text = piece.drop { $0 == " " || $0 == "\t" }
            guard let range = range(String(text), size: size) else { return nil }
            asked += 1
            if range.length > .zero { parts.append(range) }
        }
        guard asked > 0, asked <= partsLimit else { return nil }
        return parts.isEmpty ? .unsatisfiable : .parts(parts)
    }

    /// Returns an empty part for a range outside of the body; `nil` for text that is no range.
    private static func range(_ text: String, size: ByteCount) -> Part? {
        var text = text
        while text.last == " " || text.last == "\t" { text.removeLast() }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty {
            guard let suffix = ByteCount(decimalDigits: ends[1]) else { return nil }
            let length = min(suffix, size)
            return Part(offset: size - length, length: length)
        }
        guard let first = ByteCount(decimalDigits: ends[0]) else { return nil }
        var end = size
        if !ends[1].isEmpty {
            guard let last = ByteCount(decimalDigits: ends[1]), last >= first else { return nil }
            end = min(size, last + ByteCount(1))
        }
        return Part(offset: first, length: first < end ? end - first : .zero)
    }
}
