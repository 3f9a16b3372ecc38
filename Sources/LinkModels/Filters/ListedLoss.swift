/// Loss of listed packets, by their index on the link, counted from 0.
struct ListedLoss: Sendable {
    private let indices: [UInt64]
    /// The smallest size that counts; smaller packets pass.
    private let leastSize: Int
    private var next = 0
    private var packet: UInt64 = 0

    /// The headers of IPv4 and TCP take at most 80 bytes (20 for IP without options, and 60 for
    /// TCP, RFC 9293 §3.1). A larger packet carries data, and an acknowledgement alone is never
    /// counted.
    private static let leastDataSize = 81

    init(_ indices: [UInt64]) {
        self.indices = indices.sorted()
        leastSize = 0
    }

    /// Makes loss by index among the packets with data, retransmissions included.
    init(ofData indices: [UInt64]) {
        self.indices = indices.sorted()
        leastSize = Self.leastDataSize
    }

    mutating func accept(_ size: Int) -> StageVerdict {
        guard size >= leastSize else { return .pass }
        defer { packet += 1 }
        guard next < indices.count, indices[next] == packet else { return .pass }
        while next < indices.count, indices[next] == packet { next += 1 }
        return .drop(.lost)
    }
}
