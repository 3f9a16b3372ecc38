/// Blanks the signatures of addresses on a stream, which are as good as passwords until they
/// expire. A signature may be cut anywhere.
struct SignatureScrubber: Sendable {
    /// How much of the mark has just passed.
    private var matched = 0
    private var isInside = false

    private static let mark = Array("signature=".utf8)

    mutating func scrub(_ bytes: [UInt8]) -> [UInt8] {
        var scrubbed = bytes
        for place in bytes.indices {
            let byte = bytes[place]
            if isInside, Self.isDigit(byte) {
                scrubbed[place] = UInt8(ascii: "x")
                continue
            }
            isInside = false
            matched = byte == Self.mark[matched] ? matched + 1 : byte == Self.mark[0] ? 1 : 0
            if matched == Self.mark.count { (matched, isInside) = (0, true) }
        }
        return scrubbed
    }

    /// Whether a byte belongs to a signature, or stands for one that was blanked before.
    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "x"):
            true
        default: false
        }
    }
}
