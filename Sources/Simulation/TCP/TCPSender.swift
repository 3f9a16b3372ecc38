import LinkModels
import Quantities
import RunLog
import RunPlan

/// The sending half of an endpoint: what is queued, in flight and acknowledged, and how much more
/// may be sent.
///
///      initialSequence   unacknowledged              next           dataEnd
///             │ acknowledged  │ in flight, sacked, lost │ not yet sent │
///     ────────┴───────────────┴─────────────────────────┴──────────────┴──▶
///
/// Fields used for every packet come first or lie around the start of `controller`: with a thousand
/// flows, little more fits into the cache.
struct TCPSender: ~Copyable, Clonable {
    private(set) var unacknowledged: UInt64
    var next: UInt64
    /// Number after the last queued byte, which is the number of the FIN.
    var dataEnd: UInt64
    /// Right edge of the peer's window.
    private(set) var windowEnd: UInt64
    /// Window in the newest packet, and its scale.
    var latestWindow: UInt16 = 0
    private let windowShift: UInt8
    /// The content of a full segment.
    var segmentSize: UInt16
    /// The family of the connection's addresses.
    let family: AddressFamily
    var finishRequested = false
    /// Whether the host wants to hear when the buffer has room.
    var wantsRoom = false
    /// Whether the host's next write goes on with one that has waited for room.
    private var goesOnWriting = false
    private let writesBlock: Bool
    /// End of the latest segments that left together.
    private var burstEnd: UInt64 = 0
    /// Limit of queued and unacknowledged bytes: as in Linux, twice the largest window so far, or
    /// three times for a rate-based controller.
    var bufferSize: UInt64
    var initialSequence: UInt64
    /// Time of the latest packet with content.
    private var leftAt: UInt64 = 0
    var notification: CongestionNotification
    var timer: RetransmissionTimer
    var probe = TailLossProbe()
    var persist = PersistTimer()
    var pacer: Pacer
    var scoreboard = Scoreboard()
    var recovery = LossRecovery()
    var controller: CongestionController
    /// Suspends retransmissions until the next acknowledgement.
    var holdsRepetitions = false
    /// Content of the stream, for the peer's host to read.
    var table = SegmentTable()
    let largestBuffer: UInt64
    var blackHole: BlackHoleSearch

    private static let smallestBuffer: UInt64 = 64 * 1024

    init(
        initialSequence: UInt64, controller: consuming CongestionController,
        segment: UInt64 = Packet.usualSegment, family: AddressFamily = .ipv4,
        blackHoles: TCPSettings.BlackHoleDetection = .off, settings: TCPSettings = TCPSettings()
    ) {
        let isRateBased = controller.isRateBased
        let isPrague = controller.isPrague
        let measuresExactly = controller.measuresExactly
        pacer = Pacer(isOn: isRateBased || isPrague || settings.pacesWindows)
        self.controller = controller
        timer = RetransmissionTimer(minimum: settings.minimumTimeout)
        if measuresExactly { scoreboard.estimator.turnOn() }
        notification = CongestionNotification(wants: settings.ecn, isScalable: isPrague)
        segmentSize = UInt16(segment)
        self.family = family
        blackHole = BlackHoleSearch(blackHoles)
        largestBuffer = settings.sendBuffer.bytes
        windowShift = ReceiveWindow.shift(for: settings.receiveWindow.bytes)
        bufferSize = min(Self.smallestBuffer, largestBuffer)
        writesBlock = settings.writes == .blocking
        self.initialSequence = initialSequence
        unacknowledged = initialSequence
        next = initialSequence
        dataEnd = initialSequence + 1
        windowEnd = initialSequence + 1
    }

    mutating func unshare() {
        scoreboard.unshare()
        controller.unshare()
        keep(table)
    }

    /// Whether a packet that acknowledges nothing new and does not open the window can be ignored.
    var isSteady: Bool {
        @inline(__always) get {
            isUndisturbed && persist.deadline == RetransmissionTimer.never && !pacer.isOn
        }
    }

    /// Handles an acknowledgement without SACK blocks; returns whether the windows may have room
    /// for more.
    @_transparent
    mutating func acknowledgementArrived(_ packet: UnsafePointer<Packet>, at now: UInt64) -> Bool {
        let acknowledged = packet.pointee.acknowledgement
        let movesWindow = noteWindow(packet)
        guard isUndisturbed, !controller.isRateBased, !notification.mayTellOfMarks(packet) else {
            guard acknowledged >= unacknowledged else { return movesWindow }
            repair(packet, SelectiveAcknowledgement(), at: now)
            return true
        }
        guard acknowledged > unacknowledged else { return movesWindow }
        let count = acknowledged &- unacknowledged
        let wasUsed = isWindowUsed
        scoreboard.acknowledge(to: acknowledged, echo: packet.pointee.echo, at: now)
        advance(to: acknowledged, packet.pointee.echo, now)
        armProbe(at: now)
        grow(by: count, isWindowUsed: wasUsed, packet.pointee.echo, now)
        return true
    }

    /// Handles an acknowledgement with SACK blocks; returns whether the windows may have room for
    /// more.
    mutating func acknowledgementArrived(
        _ packet: UnsafePointer<Packet>, with blocks: SelectiveAcknowledgement, at now: UInt64
    ) -> Bool {
        _ = noteWindow(packet)
        if packet.pointee.acknowledgement < unacknowledged {
            overtakenArrived(packet, blocks, at: now)
            return true
        }
        repair(packet, blocks, at: now)
        return true
    }

    /// Takes the window of a packet; returns whether it opens. An acknowledgement of new data
    /// counts even if it offers less, because of the window's units; any other may only open the
    /// window (RFC 9293 §3.10.7.4, as Linux reads it).
    @inline(__always)
    private mutating func noteWindow(_ packet: UnsafePointer<Packet>) -> Bool {
        let acknowledged = packet.pointee.acknowledgement
        precondition(acknowledged <= next, "\(acknowledged) was never sent, only \(next)")
        let offered = acknowledged &+ packet.pointee.offeredWindow(shift: windowShift)
        let movesWindow = offered > windowEnd
        if movesWindow || acknowledged > unacknowledged { windowEnd = offered }
        if persist.deadline != RetransmissionTimer.never {
            if movesWindow { persist.stop() } else { persist.answered() }
        }
        return movesWindow
    }

    /// Handles a retransmission timeout.
    mutating func timedOut(at now: UInt64) {
        // The threshold is lowered once per recovery; but, as in Linux, again if something was
        // acknowledged since the latest timeout.
        let isAgain =
            switch recovery.phase {
            case .open: false
            case .repairing: true
            case .restarting: timer.expiries > 0
            }
        let flight = min(next - unacknowledged, controller.window)
        if recovery.phase == .open {
            scoreboard.detection.timedOutQuietly(sackedCount: scoreboard.sackedCount)
        }
        scoreboard.timedOut(at: now, smoothed: timer.smoothed)
        recovery.timedOut(
            until: next, from: unacknowledged, controller: controller, again: isAgain,
            repeatedOnWay: repeatedOnWay)
        probe.forget()
        controller.react(
            to: .timeout(flight: flight, remaining: scoreboard.inFlight, again: isAgain))
        notification.reduced(until: next)
        timer.expire()
    }

    /// Handles the end of the reordering window.
    mutating func reorderingTimedOut(at now: UInt64) {
        let delivered = scoreboard.delivered
        guard detectLosses(at: now) else { return }
        judgeLoss(delivered: delivered)
        if controller.isRateBased { return recovery.follow(controller) }
        reduce(delivered: segment, isProgress: false)
    }

    /// Prepares a probe after a silence (RFC 8985 §7.3); returns whether it must retransmit the
    /// last segment, because there is no new one.
    mutating func probeIsDue(at now: UInt64) -> Bool {
        let payload = min(dataEnd - min(next, dataEnd), segment)
        let hasNew = payload > 0 && next + payload <= windowEnd
        timer.start(at: now)
        probe.leaves(end: hasNew ? next + payload : next, isRepetition: !hasNew)
        return !hasNew
    }

    mutating func handshakeTimedOut() {
        controller.react(to: .handshakeTimeout)
        timer.expire()
    }

    mutating func stop() {
        timer.stop()
        probe.forget()
        persist.stop()
        scoreboard.detection.stop()
        pacer.stopWaiting()
    }

    /// Starts to probe the peer's window if it holds the payload back, and no answer on the way can
    /// open it.
    @inline(__always)
    mutating func persistIfClosed(to payload: UInt64, at now: UInt64) {
        guard next == unacknowledged, next &+ payload > windowEnd else { return }
        persist.begin(at: now, timeout: timer.timeout)
    }

    @inline(__always)
    mutating func contentLeaves(at now: UInt64) { leftAt = now }

    /// Handles new data after a pause, when the window is no longer trusted (RFC 5681 §4.1).
    private mutating func noteResumption(at now: UInt64) {
        guard next == unacknowledged, leftAt > 0, !controller.isRateBased else { return }
        controller.react(
            to: .pause(until: now, length: now - leftAt, timeout: timer.timeout))
    }

    /// Notes that the host is told of room.
    mutating func roomIsTold() {
        wantsRoom = false
        goesOnWriting = writesBlock
    }

    /// Notes that the host writes; must come before new data is queued.
    mutating func noteWrite(at now: UInt64) {
        if goesOnWriting { goesOnWriting = false } else { noteApplicationLimit(at: now) }
        noteResumption(at: now)
    }

    mutating func noteTightness() {
        if !finishRequested, !hasAmpleRoom { wantsRoom = true }
    }

    /// Returns the number up to which new content may leave now: whole segments, except the last of
    /// all.
    @inline(__always)
    mutating func planBurst() -> UInt64 {
        let inFlight = scoreboard.inFlight
        let window = window
        guard dataEnd > next, window > inFlight, windowEnd > next else { return next }
        let allowance = min(window &- inFlight, windowEnd &- next)
        let end =
            allowance >= dataEnd &- next
            ? dataEnd : next &+ allowance &- partOfSegment(allowance)
        if end &- next > segment { burstEnd = end }
        return end
    }

    /// The content of a full segment.
    var segment: UInt64 {
        @inline(__always) get { UInt64(segmentSize) }
    }

    /// Returns what of `count` bytes does not fill a segment.
    @inline(__always)
    private func partOfSegment(_ count: UInt64) -> UInt64 {
        // A division by a constant is several times as fast.
        segmentSize == UInt16(Packet.usualSegment)
            ? count % Packet.usualSegment : count % segment
    }

    /// Returns whether a segment is pushed: it is the last queued, or, as in Linux, the last of
    /// several that leave together.
    @inline(__always)
    func isPushed(at end: UInt64) -> Bool { end == dataEnd || end == burstEnd }

    /// Limit of bytes in flight.
    var window: UInt64 {
        @inline(__always) get {
            recovery.phase == .repairing ? recovery.window : controller.window
        }
    }

    /// Restarts the wait for a probe, unless something is missing.
    @inline(__always)
    mutating func armProbe(at now: UInt64) {
        guard isUndisturbed, unacknowledged != next else { return probe.disarm() }
        probe.arm(
            at: now, smoothed: timer.smoothed, isLonely: scoreboard.isLonely,
            timeout: timer.deadline)
    }

    /// Next time to act without a packet.
    var deadline: UInt64 {
        @inline(__always) get {
            min(
                min(min(timer.deadline, probe.deadline), persist.deadline),
                min(scoreboard.detection.deadline, pacer.deadline))
        }
    }

    var room: UInt64 {
        @inline(__always) get {
            let held = streamBytes(before: dataEnd) &- acknowledged
            return bufferSize > held ? bufferSize &- held : 0
        }
    }

    /// Whether a third of the buffer is free: then Linux tells the writer.
    var hasAmpleRoom: Bool {
        @inline(__always) get { 3 &* room >= bufferSize }
    }

    /// Stream bytes sent, without retransmissions.
    var transmitted: UInt64 { streamBytes(before: next) }

    /// Stream bytes that the peer has acknowledged.
    var acknowledged: UInt64 {
        @inline(__always) get { streamBytes(before: unacknowledged) }
    }

    var finIsAcknowledged: Bool {
        @inline(__always) get { unacknowledged > dataEnd }
    }

    /// Returns how many bytes of the stream precede a number. SYN and FIN have numbers, but are not
    /// bytes.
    @inline(__always)
    func streamBytes(before sequence: UInt64) -> UInt64 {
        let end = min(sequence, dataEnd)
        return end > initialSequence ? end &- initialSequence &- 1 : 0
    }

    /// Whether everything was sent once and arrives in order, as far as is known.
    private var isUndisturbed: Bool {
        @inline(__always) get {
            recovery.phase == .open && scoreboard.isClean && probe.end == 0
        }
    }

    /// Whether the window is used, so that it may grow (RFC 7661, simplified).
    var isWindowUsed: Bool {
        @inline(__always) get {
            let flight = scoreboard.inFlight
            let used = controller.isInSlowStart ? 2 &* flight : flight &+ segment
            // Prague's pace is so slow that it may need a whole round trip for its window.
            return used > controller.window
                || pacer.deadline != RetransmissionTimer.never && controller.isPrague
        }
    }

    @inline(__always)
    mutating func advance(to acknowledged: UInt64, _ echo: UInt64, _ now: UInt64) {
        unacknowledged = acknowledged
        let roundTrip = now &- echo
        timer.measure(roundTrip, acknowledged: acknowledged, next: next)
        scoreboard.detection.measure(roundTrip)
        if unacknowledged == next { timer.stop() } else { timer.start(at: now) }
    }

    @inline(__always)
    mutating func grow(
        by count: UInt64, isWindowUsed: Bool, _ echo: UInt64, _ now: UInt64
    ) {
        let isMeasuring = controller.isMeasuring
        guard isWindowUsed || isMeasuring else { return }
        var sample = CongestionController.Sample(
            now: now, roundTrip: now &- echo, smoothed: timer.smoothed,
            unacknowledged: unacknowledged, next: next)
        if isMeasuring {
            // A delayed acknowledgement answers its first segment, too late for a delay's measure.
            if let exact = scoreboard.estimator.roundTrip {
                sample.roundTrip = exact
                scoreboard.estimator.forget()
            }
            controller.measured(sample)
        }
        guard isWindowUsed else { return }
        controller.acknowledged(count, sample)
        let wanted = 2 &* controller.window
        if wanted > bufferSize { bufferSize = min(wanted, largestBuffer) }
    }
}
