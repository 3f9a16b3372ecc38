/// Source of an event as one number: the kind of part, and its index.
struct EventSource: Hashable {
    let rawValue: Int32

    enum Kind: Int32 {
        /// The first packet on a link arrives.
        case link
        case endpoint
        /// A timer of a host above the network.
        case timerSlot
        /// A packet leaves the queue of a link; the queue then decides about the next.
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
