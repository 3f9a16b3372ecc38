/// Sizes of the paced transport's packets, in bytes.
package enum PacedFormat {
    /// What everybody can read: kind, session and packet number.
    package static let openHeader = 1 + 8 + 8
    /// The authentication tag of AES-128-GCM.
    package static let tag = 16
    /// A data packet without chunks: time of sending, distance of the floor, report interval.
    static let emptyData = openHeader + 4 + 4 + 2 + tag
    /// What a chunk has beside its content: file, offset and length.
    static let chunkHeader = 4 + 6 + 2
    /// The headers of IPv4 and UDP.
    package static let outerHeaders = 20 + 8
    /// Headers of a packet with one chunk.
    package static let headers = outerHeaders + emptyData + chunkHeader

    /// A report without missing numbers.
    static let emptyReport = openHeader + 6 + 3 * 4 + 3 * 4 + 2 * 8 + 2 * 6 + 6 + 4 + 1 + 2 + tag
    /// The bytes of a report for missing numbers. It fits even into the smallest packet of IPv6.
    static let roomForMissing = 1_280 - 48 - emptyReport

    /// Returns the size of a number that is written with seven bits per byte.
    static func size(of number: UInt64) -> Int {
        (max(64 - number.leadingZeroBitCount, 1) + 6) / 7
    }

    /// The largest packet, unless the path carries only smaller ones.
    package static let usualPacket = 1_500
}

extension PacedReport {
    /// Size of the IP packet.
    package var size: Int {
        var size = PacedFormat.outerHeaders + PacedFormat.emptyReport
        var number = told.lowerBound
        for range in missing {
            size += PacedFormat.size(of: range.lowerBound - number)
            size += PacedFormat.size(of: range.upperBound - range.lowerBound)
            number = range.upperBound
        }
        return size
    }
}
