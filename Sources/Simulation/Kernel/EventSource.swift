/// Who an event comes from, in one number: what kind of part, and which of them.
struct EventSource: Hashable {
    let rawValue: Int32

    enum Kind: Int32 {
        /// The head of a link direction's row of packets arrives.
        case link
        /// A deadline of a TCP endpoint.
        case endpoint
        /// A timer slot of whoever stands above the network.
        case timerSlot
        /// A packet leaves a link's queue, which decides then about the next.
        case departure
    }

    init(_ kind: Kind, _ index: Int32) {
        rawValue = index << 2 | kind.rawValue
    }

    init(rawValue: Int32) { self.rawValue = rawValue }

    var index: Int32 {
        @inline(__always) get { rawValue >> 2 }
    }

    var kind: Kind {
        @inline(__always) get {
            switch rawValue & 3 {
            case 0: .link
            case 1: .endpoint
            case 2: .timerSlot
            default: .departure
            }
        }
    }
}
