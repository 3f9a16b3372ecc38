import RunPlan

/// Scalable congestion control: the window shrinks by half of the share of marked bytes, at most
/// once in a round trip, so that a queue may mark early and often.
///
/// DCTCP (RFC 8257) is for data centres. Prague (draft-briscoe-iccrg-prague-congestion-control) is
/// for the Internet: it grows with unmarked content only, and once it has run for a while, a short
/// round trip gains it nothing. Both answer a loss like NewReno, and a mark, too, if the peer only
/// echoes marks. Where the draft leaves a choice, Prague follows its Linux implementation.
struct Scalable: CongestionControl {
    private(set) var window: UInt64
    private(set) var threshold = UInt64.max
    /// Acknowledged bytes that have not yet made the window grow.
    private var credit: UInt64 = 0
    private(set) var share: MarkedShare
    /// Highest number sent at the latest reduction, and its time.
    private var reducedUntil: UInt64 = 0
    private var reducedAt: UInt64 = 0
    /// Highest number sent when the round began, its time, and rounds since slow start.
    private var roundEnd: UInt64 = 0
    private var roundBegan: UInt64 = 0
    private var rounds = 0
    /// State before the latest loss, for an undo.
    private var before: (window: UInt64, threshold: UInt64)?
    private let isPrague: Bool
    private var segment: UInt64
    private var initialWindow: UInt64

    /// Prague's `prague_rtt_target` and `prague_rtt_transition`.
    private static let virtualRoundTrip: UInt64 = 25_000_000
    private static let roundsUntilIndependence = 4

    init(
        _ settings: TCPSettings = TCPSettings(), segment: UInt64 = Packet.usualSegment,
        isPrague: Bool
    ) {
        self.isPrague = isPrague
        self.segment = segment
        initialWindow = settings.initialWindow * segment
        window = initialWindow
        share = MarkedShare(awaitsMark: isPrague)
    }

    /// Counts what an acknowledgement tells of, and slows down for marks.
    mutating func counted(
        _ delivered: UInt64, marked: UInt64, _ sample: CongestionController.Sample
    ) {
        share.count(delivered, marked: marked)
        if sample.unacknowledged >= roundEnd, sample.now - roundBegan >= shortestRound {
            share.endRound()
            roundEnd = sample.next
            roundBegan = sample.now
            if window >= threshold { rounds += 1 }
        }
        guard marked > 0, sample.unacknowledged > reducedUntil,
            sample.now - reducedAt >= shortestRound
        else { return }
        window = max(window - share.part(of: window) / 2, smallestWindow)
        threshold = window
        reducedUntil = sample.next
        reducedAt = sample.now
    }

    /// Grows by acknowledged bytes without a mark.
    mutating func acknowledged(_ count: UInt64, _ sample: CongestionController.Sample) {
        guard window >= threshold else {
            window = min(window + count, threshold)
            return
        }
        credit += count
        let wanted = bytesPerSegment(roundTrip: sample.smoothed)
        guard credit >= wanted else { return }
        credit -= wanted
        window += segment
    }

    mutating func lossFound(flight: UInt64) {
        before = (window, threshold)
        threshold = half(of: flight)
        window = threshold
        credit = 0
    }

    mutating func timedOut(flight: UInt64, remaining: UInt64, again: Bool) {
        if !again {
            before = (window, threshold)
            threshold = half(of: flight)
        }
        window = remaining + segment
        credit = 0
    }

    /// Undoes a false loss.
    mutating func undo() {
        guard let before else { return }
        self.before = nil
        window = max(window, before.window)
        threshold = max(threshold, before.threshold)
    }

    mutating func handshakeTimedOut() { window = segment }

    mutating func resumed(at now: UInt64, after pause: UInt64, timeout: UInt64) {
        guard pause > timeout else { return }
        if threshold != .max { threshold = max(threshold, window * 3 / 4) }
        window = Self.window(window, after: pause, timeout: timeout, initial: initialWindow)
        credit = 0
    }

    mutating func resize(to size: UInt64) {
        window = Self.resized(window, from: segment, to: size)
        threshold = Self.resized(threshold, from: segment, to: size)
        initialWindow = Self.resized(initialWindow, from: segment, to: size)
        before = nil
        credit = 0
        segment = size
    }

    // MARK: Independence of the round trip

    private var isIndependent: Bool { isPrague && rounds >= Self.roundsUntilIndependence }

    /// The least time between two reductions, and between two looks at the share.
    private var shortestRound: UInt64 { isIndependent ? Self.virtualRoundTrip : 0 }

    /// Returns the bytes for which the window grows by a segment: a window, or on a short path so
    /// much more that the rate grows as fast as on a path of the virtual round trip.
    private func bytesPerSegment(roundTrip: UInt64) -> UInt64 {
        guard isIndependent, roundTrip > 0, roundTrip < Self.virtualRoundTrip else {
            return window
        }
        let ratio = 256 * Self.virtualRoundTrip / roundTrip
        return window * ratio / 256 * ratio / 256
    }

    private func half(of flight: UInt64) -> UInt64 {
        max(flight / segment / 2 * segment, smallestWindow)
    }

    private var smallestWindow: UInt64 { 2 * segment }
}

/// The share of bytes that were marked, averaged over rounds with a weight of 1/16 (RFC 8257 §3.3).
struct MarkedShare {
    /// Sixteen times the share in 2²⁰ths, so that no remainder is lost. At first all are taken for
    /// marked.
    private var scaled: UInt64 = 16 << 20
    private var delivered: UInt64 = 0
    private var marked: UInt64 = 0
    /// Whether no mark has come, and without one the average stays as it is.
    private var awaitsMark: Bool

    init(awaitsMark: Bool) { self.awaitsMark = awaitsMark }

    mutating func count(_ delivered: UInt64, marked: UInt64) {
        self.delivered += delivered
        self.marked += marked
        if marked > 0 { awaitsMark = false }
    }

    mutating func endRound() {
        if !awaitsMark, delivered > 0 {
            scaled = scaled - scaled / 16 + (marked << 20) / delivered
        }
        (delivered, marked) = (0, 0)
    }

    /// Returns the share of a number.
    func part(of whole: UInt64) -> UInt64 { (whole * (scaled >> 4)) >> 20 }
}
