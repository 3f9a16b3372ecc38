/// The blocks of a SACK option (RFC 2018): what has arrived beyond a hole; before them, perhaps,
/// what has come twice (RFC 2883).
///
/// They are counted from the acknowledgement number of their packet, so that three of them, as many
/// as there is room for beside timestamps, take 24 bytes. What has come twice may lie before that
/// number, and so they are read with a sign.
struct SelectiveAcknowledgement {
    private(set) var count: UInt32 = 0
    private var first = Block()
    private var second = Block()
    private var third = Block()

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

    /// Adds a block behind the others, if there is room.
    mutating func append(_ block: Block) {
        switch count {
        case 0: first = block
        case 1: second = block
        case 2: third = block
        default: return
        }
        count += 1
    }

    subscript(place: Int) -> Block {
        switch place {
        case 0: first
        case 1: second
        default: third
        }
    }

    /// A block of a packet that acknowledges this.
    func range(_ place: Int, acknowledging acknowledged: UInt64) -> Range<UInt64> {
        let block = self[place]
        return acknowledged &+ Self.offset(block.start)..<acknowledged &+ Self.offset(block.end)
    }

    /// What has come twice, if the first block says so (RFC 2883 §4): it lies before what is
    /// acknowledged, or within the second block.
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

    /// The form of a packet that carries them.
    var form: Packet.Form {
        switch count {
        case 0: .plain
        case 1: .oneBlock
        case 2: .twoBlocks
        default: .threeBlocks
        }
    }
}
