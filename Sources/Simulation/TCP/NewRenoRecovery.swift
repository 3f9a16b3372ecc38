/// Finding and repairing losses by duplicate acknowledgements alone: fast retransmit and fast
/// recovery as RFC 6582 has them, with limited transmit (RFC 3042).
struct NewRenoRecovery {
    private(set) var isRecovering = false
    private var duplicates = 0
    /// What the sender may have in flight beyond the window, or must leave unused of it, in bytes.
    private(set) var lent: Int64 = 0
    /// `recover`: the end of what had been sent when the latest loss was found.
    private var point: UInt64
    private var flightBefore: UInt64 = 0
    private var sawPartial = false

    private static let segment = Int64(Packet.maximumPayload)

    /// What an acknowledgement of new data means to the recovery.
    enum Progress {
        case ordinary
        /// It ends before `point`: the next hole begins where it ends.
        case partial(isFirst: Bool)
        case complete
    }

    init(initialSequence: UInt64) { point = initialSequence }

    /// Answers whether the first unacknowledged segment has to be sent again now.
    mutating func duplicateArrived(
        unacknowledged: UInt64, maximum: UInt64, controller: inout CongestionController
    ) -> Bool {
        duplicates += 1
        if isRecovering {
            lent += Self.segment
            return false
        }
        if duplicates == 1 { flightBefore = maximum - unacknowledged }
        // RFC 6582 §3.2, step 2: duplicates of what an earlier recovery already sent again say
        // nothing.
        guard unacknowledged > point else { return false }
        guard duplicates == 3 else {
            if duplicates < 3 { lent = Int64(duplicates) * Self.segment }
            return false
        }
        isRecovering = true
        sawPartial = false
        point = maximum
        // Without what limited transmit has added (RFC 5681 §3.2, step 2).
        controller.lossFound(flight: flightBefore)
        lent = 3 * Self.segment
        return true
    }

    @inline(__always)
    mutating func advanced(by count: UInt64, to unacknowledged: UInt64) -> Progress {
        duplicates = 0
        guard isRecovering else {
            lent = 0
            return .ordinary
        }
        if unacknowledged >= point {
            isRecovering = false
            lent = 0
            return .complete
        }
        lent -= Int64(count)
        if Int64(count) >= Self.segment { lent += Self.segment }
        defer { sawPartial = true }
        return .partial(isFirst: !sawPartial)
    }

    /// §3.2, step 4: recovery by duplicates is over, and what was sent so far will not start
    /// another.
    mutating func timedOut(maximum: UInt64) {
        isRecovering = false
        duplicates = 0
        lent = 0
        point = maximum
    }
}
