import LinkModels

/// Measures how fast content arrives (draft-cheng-iccrg-delivery-rate-estimation): each segment
/// takes along how much had been delivered when it left, and comes back with the difference.
///
/// Only rate-based controllers ask for it; for all others nothing is kept.
struct DeliveryRateEstimator: ~Copyable, Clonable {
    private(set) var isOn = false
    /// When the delivered count changed last, and when the segment left that did it.
    private var deliveredAt: UInt64 = 0
    private var firstSentAt: UInt64 = 0
    /// While no more than this is delivered, the network was not asked for all it can do; 0 if not
    /// so.
    private var limitedUntil: UInt64 = 0
    /// Of what the present acknowledgement covers, the segment that was sent last.
    private var newest: Arrival?
    private(set) var roundTrip: UInt64?

    private var marks: UnsafeMutablePointer<Mark>?
    private var mask = 0

    /// What a segment takes along.
    private struct Mark {
        var delivered: UInt64
        var deliveredAt: UInt64
        var firstSentAt: UInt64
        var isLimited: Bool
    }

    private struct Arrival {
        var mark: Mark
        var sentAt: UInt64
        var end: UInt64
    }

    init() {}

    deinit { marks?.deallocate() }

    mutating func unshare() {
        marks = marks?.cloned(capacity: mask + 1)
    }

    /// Before anything is sent.
    mutating func turnOn() {
        isOn = true
        mask = 15
        marks = .allocate(capacity: mask + 1)
    }

    /// A segment leaves, for the first time or again; `first` is the first that is outstanding.
    mutating func leaves(
        _ number: Int, first: Int, isIdle: Bool, delivered: UInt64, at now: UInt64
    ) {
        if isIdle {
            firstSentAt = now
            deliveredAt = now
        }
        if number - first > mask { grow(from: first, to: number) }
        guard let marks else { return }
        (marks + (number & mask)).initialize(
            to: Mark(
                delivered: delivered, deliveredAt: deliveredAt, firstSentAt: firstSentAt,
                isLimited: limitedUntil != 0))
    }

    /// A segment is known to have arrived, by the acknowledgement that is being read.
    mutating func arrived(_ number: Int, _ segment: Scoreboard.Segment, at now: UInt64) {
        guard let marks else { return }
        if !segment.isRepeated { roundTrip = now - segment.sentAt }
        if let newest,
            segment.sentAt < newest.sentAt
                || (segment.sentAt == newest.sentAt && segment.end < newest.end)
        {
            return
        }
        newest = Arrival(mark: marks[number & mask], sentAt: segment.sentAt, end: segment.end)
    }

    /// The sender has nothing to send, or holds it back: measurements tell of that until what is in
    /// flight has arrived.
    mutating func isLimited(untilDelivered count: UInt64) { limitedUntil = max(count, 1) }

    /// Ends the reading of an acknowledgement: what was measured, if anything.
    mutating func measure(
        delivered: UInt64, isProgress: Bool, shortestRoundTrip: UInt64, at now: UInt64
    ) -> DeliverySample.Interval? {
        if limitedUntil != 0, delivered > limitedUntil { limitedUntil = 0 }
        if isProgress { deliveredAt = now }
        guard let newest else { return nil }
        firstSentAt = newest.sentAt
        // The slower of the two: acknowledgements that come in a bunch would tell of rates that
        // nobody sent.
        let sending = newest.sentAt - newest.mark.firstSentAt
        let acknowledging = now - newest.mark.deliveredAt
        return DeliverySample.Interval(
            deliveredBefore: newest.mark.delivered, bytes: delivered - newest.mark.delivered,
            nanoseconds: max(sending, acknowledging), shortestRoundTrip: shortestRoundTrip,
            isApplicationLimited: newest.mark.isLimited)
    }

    /// The next acknowledgement will be read.
    mutating func forget() {
        newest = nil
        roundTrip = nil
    }

    private mutating func grow(from first: Int, to number: Int) {
        guard let old = marks else { return }
        var larger = mask
        while number - first > larger { larger = 2 * larger + 1 }
        let room = UnsafeMutablePointer<Mark>.allocate(capacity: larger + 1)
        for place in first..<number { room[place & larger] = old[place & mask] }
        old.deallocate()
        marks = room
        mask = larger
    }
}

/// What an acknowledgement tells a rate-based controller; bytes and nanoseconds.
struct DeliverySample {
    var now: UInt64
    /// All that has ever been delivered, or taken for lost.
    var delivered: UInt64
    var lost: UInt64
    /// The same by this acknowledgement.
    var newlyDelivered: UInt64
    var newlyLost: UInt64
    var inFlight: UInt64
    var inFlightBefore: UInt64
    /// The earliest moment at which more may leave.
    var departure: UInt64
    var smoothed: UInt64
    var shortestRoundTrip: UInt64
    var phase: LossRecovery.Phase
    /// Of the newest segment that was sent once only.
    var roundTrip: UInt64?
    var interval: Interval?

    /// From when a segment left until it was known to have arrived.
    struct Interval {
        var deliveredBefore: UInt64
        var bytes: UInt64
        var nanoseconds: UInt64
        var isApplicationLimited: Bool

        /// `nil` for a time in which nothing can have gone to and fro: losses that were none.
        init?(
            deliveredBefore: UInt64, bytes: UInt64, nanoseconds: UInt64, shortestRoundTrip: UInt64,
            isApplicationLimited: Bool
        ) {
            guard nanoseconds > 0, shortestRoundTrip == .max || nanoseconds >= shortestRoundTrip
            else { return nil }
            self.deliveredBefore = deliveredBefore
            self.bytes = bytes
            self.nanoseconds = nanoseconds
            self.isApplicationLimited = isApplicationLimited
        }

        var rate: FlowRate { FlowRate(bytes, in: nanoseconds) }
    }
}
