/// Finds out that a path carries only small packets, although nobody has said so: the black hole of
/// RFC 2923 §2.1.
///
/// Large packets that are missing in a row raise a doubt. If those that leave afterwards are
/// missing as well, while smaller ones arrive, packets become smaller for good.
struct PacketSizeSearch: Sendable {
    /// The size of full packets.
    private(set) var size: Int
    private var missing = 0
    private var isDoubted = false
    /// Only packets from this number on count.
    private var countedFrom: UInt64 = 0

    /// What every path of IPv6 and of IPv4 carries (RFC 8200 §5, RFC 791 §3.1).
    private static let smallerSizes = [1_280, 576]
    private static let fewest = 8
    private static let fewestOfDoubt = 4

    init(from size: Int) { self.size = size }

    /// Packets of this size or less say nothing.
    var smaller: Int { Self.smallerSizes.first { $0 < size } ?? size }

    /// Whether a large packet that arrives would change anything.
    var isWatching: Bool { missing > 0 || isDoubted }

    /// A large packet is missing; `end` is the number of the next packet.
    mutating func missed(_ number: UInt64, before end: UInt64) {
        guard number >= countedFrom else { return }
        missing += 1
        guard missing >= (isDoubted ? Self.fewestOfDoubt : Self.fewest) else { return }
        if isDoubted { size = smaller }
        isDoubted.toggle()
        missing = 0
        countedFrom = end
    }

    /// A large packet has arrived.
    mutating func arrived() {
        missing = 0
        isDoubted = false
    }
}
