/// Blocks of a SACK option (RFC 2018): perhaps a duplicate (RFC 2883), then ranges received beyond
/// a hole.
///
/// Blocks are relative to the packet's acknowledgement number, so that three blocks take 24 bytes;
/// no more fit beside timestamps. Offsets are signed, because a duplicate may lie before that
/// number.
struct SelectiveAcknowledgement {
    private(set) var count: UInt32 = 0
    private var blocks = InlineArray<3, Block>(repeating: Block())

    struct Block: Hashable {
        var start: UInt32
        var end: UInt32

        init(_ range: Range<UInt64>, acknowledging acknowledged: UInt64) {
            start = UInt32(truncatingIfNeeded: range.lowerBound &- acknowledged)
            end = UInt32(truncatingIfNeeded: range.upperBound &- acknowledged)
        }

        fileprivate init() { (start, end) = (0, 0) }
    }

    static let capacity = 3

    /// Appends a block, if there is room.
    mutating func append(_ block: Block) {
        guard count < Self.capacity else { return }
        blocks[Int(count)] = block
        count += 1
    }

    subscript(place: Int) -> Block { blocks[place] }

    func range(_ place: Int, acknowledging acknowledged: UInt64) -> Range<UInt64> {
        let block = self[place]
        return acknowledged &+ Self.offset(block.start)..<acknowledged &+ Self.offset(block.end)
    }

    /// Returns the first block if it is a duplicate (RFC 2883 §4): it begins before the
    /// acknowledged number, or lies within the second block.
    func duplicate(acknowledging acknowledged: UInt64) -> Range<UInt64>? {
        guard count > 0 else { return nil }
        let first = range(0, acknowledging: acknowledged)
        if first.lowerBound < acknowledged { return first }
        guard count > 1 else { return nil }
        let second = range(1, acknowledging: acknowledged)
        return second.lowerBound <= first.lowerBound && first.upperBound <= second.upperBound
            ? first : nil
    }

    private static func offset(_ value: UInt32) -> UInt64 {
        UInt64(bitPattern: Int64(Int32(bitPattern: value)))
    }

    var isEmpty: Bool {
        @inline(__always) get { count == 0 }
    }

    /// The form of a packet with these blocks.
    var form: Packet.Form {
        switch count {
        case 0: .plain
        case 1: .oneBlock
        case 2: .twoBlocks
        default: .threeBlocks
        }
    }
}
