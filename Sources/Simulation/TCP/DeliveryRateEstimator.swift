import LinkModels

/// Measures the delivery rate (draft-cheng-iccrg-delivery-rate-estimation): each segment remembers
/// how much had been delivered when it left.
///
/// Off unless the controller is rate-based.
struct DeliveryRateEstimator: ~Copyable, Clonable {
    private(set) var isOn = false
    /// Time of the latest delivery, and departure time of the segment that was delivered then.
    private var deliveredAt: UInt64 = 0
    private var firstSentAt: UInt64 = 0
    /// Delivered count up to which the sender itself limits the rate; 0 if it does not.
    private var limitedUntil: UInt64 = 0
    /// The most recently sent segment that the current acknowledgement covers.
    private var newest: Arrival?
    private(set) var roundTrip: UInt64?
    /// First lost segment since the latest acknowledgement whose flight lost too much.
    private var excess: DeliverySample.Excess?

    private var marks: UnsafeMutablePointer<Mark>?
    private var mask = 0

    /// State at the departure of a segment, in 32 bytes.
    private struct Mark {
        var delivered: UInt64
        var deliveredAt: UInt64
        var firstSentAt: UInt64
        /// Bytes lost before, modulo 2³².
        private var lostBefore: UInt32
        /// Bytes in flight, at most 1 GiB, and one bit more.
        private var flightAndLimit: UInt32

        init(
            delivered: UInt64, deliveredAt: UInt64, firstSentAt: UInt64, lost: UInt64,
            inFlight: UInt64, isLimited: Bool
        ) {
            self.delivered = delivered
            self.deliveredAt = deliveredAt
            self.firstSentAt = firstSentAt
            lostBefore = UInt32(truncatingIfNeeded: lost)
            flightAndLimit = UInt32(inFlight) << 1 | (isLimited ? 1 : 0)
        }

        var isLimited: Bool { flightAndLimit & 1 != 0 }

        /// Returns what was lost since then, if that much is lost now.
        func loss(until lost: UInt64) -> FlightLoss {
            FlightLoss(
                inFlight: UInt64(flightAndLimit >> 1),
                lost: UInt64(UInt32(truncatingIfNeeded: lost) &- lostBefore))
        }
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

    mutating func turnOn() {
        isOn = true
        mask = 15
        marks = .allocate(capacity: mask + 1)
    }

    /// Notes a segment that is sent or retransmitted; `first` is the first outstanding segment, and
    /// `inFlight` counts the segment.
    mutating func leaves(
        _ number: Int, first: Int, isIdle: Bool, delivered: UInt64, lost: UInt64,
        inFlight: UInt64, at now: UInt64
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
                lost: lost, inFlight: inFlight, isLimited: limitedUntil != 0))
    }

    /// Notes a segment that is taken for lost; `lost` counts the segment.
    mutating func vanished(_ number: Int, length: UInt64, lost: UInt64) {
        guard excess == nil, let marks else { return }
        let loss = marks[number & mask].loss(until: lost)
        guard loss.isExcessive else { return }
        excess = .init(
            inFlight: loss.flightAtThreshold(length: length),
            isApplicationLimited: marks[number & mask].isLimited)
    }

    /// Notes a segment covered by the current acknowledgement.
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

    /// Marks measurements as limited by the sender until everything in flight has arrived.
    mutating func isLimited(untilDelivered count: UInt64) { limitedUntil = max(count, 1) }

    /// Returns the measurement of the current acknowledgement, if there is one.
    mutating func measure(
        delivered: UInt64, lost: UInt64, isProgress: Bool, shortestRoundTrip: UInt64,
        at now: UInt64
    ) -> DeliverySample.Interval? {
        if limitedUntil != 0, delivered > limitedUntil { limitedUntil = 0 }
        if isProgress { deliveredAt = now }
        guard let newest else { return nil }
        firstSentAt = newest.sentAt
        // The longer time counts: bunched acknowledgements alone would show a rate at which nobody
        // sent.
        let sending = newest.sentAt - newest.mark.firstSentAt
        let acknowledging = now - newest.mark.deliveredAt
        let nanoseconds = max(sending, acknowledging)
        // A time shorter than any round trip comes from a needless retransmission.
        guard nanoseconds > 0, shortestRoundTrip == .max || nanoseconds >= shortestRoundTrip
        else { return nil }
        return DeliverySample.Interval(
            deliveredBefore: newest.mark.delivered, bytes: delivered - newest.mark.delivered,
            nanoseconds: nanoseconds, isApplicationLimited: newest.mark.isLimited,
            loss: newest.mark.loss(until: lost))
    }

    /// Returns the first lost segment since the latest call whose flight lost too much.
    mutating func takeExcess() -> DeliverySample.Excess? {
        defer { excess = nil }
        return excess
    }

    mutating func forget() {
        newest = nil
        roundTrip = nil
    }

    /// Gives the outstanding segments new numbers, from `first` on; each entry is the former number
    /// of one.
    mutating func renumber(_ former: [Int], from first: Int) {
        guard let old = marks else { return }
        var larger = mask
        while former.count > larger + 1 { larger = 2 * larger + 1 }
        let room = UnsafeMutablePointer<Mark>.allocate(capacity: larger + 1)
        for (place, number) in former.enumerated() {
            room[(first + place) & larger] = old[number & mask]
        }
        old.deallocate()
        marks = room
        mask = larger
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

/// Figures about an acknowledgement for a rate-based controller, in bytes and nanoseconds.
struct DeliverySample {
    var now: UInt64
    /// Bytes delivered and bytes marked as lost, in total.
    var delivered: UInt64
    var lost: UInt64
    /// Bytes delivered and bytes marked as lost by this acknowledgement.
    var newlyDelivered: UInt64
    var newlyLost: UInt64
    var inFlight: UInt64
    var inFlightBefore: UInt64
    /// Earliest time at which the next segment may leave.
    var departure: UInt64
    var smoothed: UInt64
    var shortestRoundTrip: UInt64
    var phase: LossRecovery.Phase
    /// Round trip of the last covered segment that was never retransmitted.
    var roundTrip: UInt64?
    var interval: Interval?
    /// Flight that has lost too much, as losses found since the latest acknowledgement show.
    var excess: Excess?

    /// Delivery between a segment's departure and its acknowledgement.
    struct Interval {
        var deliveredBefore: UInt64
        var bytes: UInt64
        var nanoseconds: UInt64
        var isApplicationLimited: Bool
        /// Losses while the segment was on the way.
        var loss: FlightLoss

        var rate: FlowRate { FlowRate(bytes, in: nanoseconds) }
    }

    /// Flight of a lost segment, of which more than a fiftieth is lost.
    struct Excess {
        /// Bytes in flight when the losses came to a fiftieth.
        var inFlight: UInt64
        var isApplicationLimited: Bool
    }
}
