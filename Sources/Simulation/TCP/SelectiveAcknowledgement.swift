/// The blocks of a SACK option (RFC 2018): what has arrived beyond a hole.
///
/// They are counted from the acknowledgement number of their packet, so that three of them, as many
/// as there is room for beside timestamps, take 24 bytes.
struct SelectiveAcknowledgement {
    private(set) var count: UInt32 = 0
    private var first = Block(start: 0, end: 0)
    private var second = Block(start: 0, end: 0)
    private var third = Block(start: 0, end: 0)

    struct Block: Hashable {
        var start: UInt32
        var end: UInt32
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

    var isEmpty: Bool {
        @inline(__always) get { count == 0 }
    }

    /// On the wire: two bytes of padding, kind, length, and eight bytes for each block.
    var size: Int {
        @inline(__always) get { count == 0 ? 0 : 4 &+ 8 &* Int(count) }
    }
}
