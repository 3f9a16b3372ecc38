/// An unacknowledged segment and its state.
extension Scoreboard {
    /// A segment in sixteen bytes, so that a cache line holds four: the segments of a thousand
    /// flows do not all fit into the cache.
    ///
    ///      63          start          16 15    flags   11 10   length   0
    struct Segment {
        private var word: UInt64
        /// Time of the latest transmission.
        var sentAt: UInt64

        private static let finBit: UInt64 = 1 << 11
        private static let repeatedBit: UInt64 = 1 << 12
        private static let lostBit: UInt64 = 1 << 13
        private static let stateBits: UInt64 = 3 << 14
        private static let lengthBits: UInt64 = 1 << 11 - 1
        /// No connection sends more than 280 TB.
        private static let startLimit: UInt64 = 1 << 48

        @inline(__always)
        init(start: UInt64, sentAt: UInt64, payload: UInt16, hasFin: Bool) {
            precondition(start < Self.startLimit, "segments do not begin at \(start)")
            let length = UInt64(payload) &+ (hasFin ? 1 : 0)
            word = start &<< 16 | length | (hasFin ? Self.finBit : 0)
            self.sentAt = sentAt
        }

        var start: UInt64 {
            @inline(__always) get { word &>> 16 }
        }

        var length: UInt64 {
            @inline(__always) get { word & Self.lengthBits }
        }

        var end: UInt64 {
            @inline(__always) get { start &+ length }
        }

        var hasFin: Bool { word & Self.finBit != 0 }

        var payload: UInt16 { UInt16(length) - (hasFin ? 1 : 0) }

        var isRepeated: Bool {
            @inline(__always) get { word & Self.repeatedBit != 0 }
            set { set(Self.repeatedBit, newValue) }
        }

        var wasLost: Bool {
            get { word & Self.lostBit != 0 }
            set { set(Self.lostBit, newValue) }
        }

        var state: State {
            @inline(__always) get {
                unsafeBitCast(UInt8(truncatingIfNeeded: word &>> 14) & 3, to: State.self)
            }
            set { word = word & ~Self.stateBits | UInt64(newValue.rawValue) << 14 }
        }

        var isOnWay: Bool { state == .flying || state == .repairing }

        /// Returns the segment in pieces of at most this payload, in the same state.
        func pieces(of size: UInt64) -> [Segment] {
            var pieces: [Segment] = []
            var rest = self
            while UInt64(rest.payload) > size {
                var piece = rest
                piece.word = rest.word & ~(Self.lengthBits | Self.finBit) | size
                rest.word =
                    (rest.start + size) << 16 | rest.word & 0xffff & ~Self.lengthBits
                    | (rest.length - size)
                pieces.append(piece)
            }
            return pieces + [rest]
        }

        private mutating func set(_ bit: UInt64, _ isSet: Bool) {
            word = isSet ? word | bit : word & ~bit
        }
    }

    /// State of a segment; the raw value fills two bits.
    enum State: UInt8 {
        /// On the way, as far as is known.
        case flying
        /// Retransmitted as lost, and on the way again.
        case repairing
        /// Lost, and to be retransmitted.
        case lost
        /// Arrived beyond a hole.
        case sacked
    }
}
