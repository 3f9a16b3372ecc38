import RunLog

/// The sending half of an endpoint: what is queued, in flight and acknowledged, and how much more
/// may go.
///
///      initialSequence   unacknowledged        next        maximum        dataEnd
///             │ acknowledged  │    in flight     │ to go again │  not yet sent │
///     ────────┴───────────────┴──────────────────┴─────────────┴───────────────┴──▶
///
/// `next` is behind `maximum` only after a timeout, when everything is sent once more (RFC 5681
/// §3.1).
struct TCPSender {
    var initialSequence: UInt64
    var unacknowledged: UInt64
    var next: UInt64
    var maximum: UInt64
    /// After the last byte that was handed over; a FIN will have this number.
    var dataEnd: UInt64
    var finishRequested = false
    /// The right edge of the window that the peer has opened.
    var windowEnd: UInt64
    /// The buffer was nearly full, and the host wants to hear when there is room again.
    var wantsRoom = false
    var timer = RetransmissionTimer()
    var recovery: NewRenoRecovery
    var controller = CongestionController.newReno(NewReno())
    /// The content that belongs to the numbers; the peer's host reads it there.
    var table = SegmentTable()

    private static let smallestBuffer: UInt64 = 64 * 1024

    init(initialSequence: UInt64) {
        self.initialSequence = initialSequence
        unacknowledged = initialSequence
        next = initialSequence
        maximum = initialSequence
        dataEnd = initialSequence + 1
        windowEnd = initialSequence + 1
        recovery = NewRenoRecovery(initialSequence: initialSequence)
    }

    /// Answers of `acknowledgementArrived`.
    enum Answer {
        case nothing
        /// There may be room in the window for more.
        case proceed
        /// The first unacknowledged segment is lost; then proceed.
        case retransmitFirst
    }

    @inline(__always)
    mutating func acknowledgementArrived(_ packet: Packet, at now: UInt64) -> Answer {
        let acknowledged = packet.acknowledgement
        precondition(acknowledged <= maximum, "\(acknowledged) was never sent, only \(maximum)")
        let offered = acknowledged &+ UInt64(packet.window)
        let movesWindow = offered > windowEnd
        if movesWindow { windowEnd = offered }
        if acknowledged > unacknowledged { return advance(to: acknowledged, packet.echo, now) }
        // RFC 5681 §2: what makes an acknowledgement a duplicate.
        guard acknowledged == unacknowledged, maximum != unacknowledged, !movesWindow,
            packet.payload == 0, packet.flags == .ack
        else { return movesWindow ? .proceed : .nothing }
        let mustRetransmit = recovery.duplicateArrived(
            unacknowledged: unacknowledged, maximum: maximum, controller: &controller)
        guard mustRetransmit else { return .proceed }
        noteTightness()
        return .retransmitFirst
    }

    /// The wait for an acknowledgement was in vain: all that is outstanding goes again, slowly at
    /// first.
    mutating func timedOut() {
        controller.timedOut(flight: maximum - unacknowledged, again: timer.expiries > 0)
        recovery.timedOut(maximum: maximum)
        timer.expire()
        next = unacknowledged
        noteTightness()
    }

    /// The SYN, or the answer to it, was not acknowledged in time.
    mutating func handshakeTimedOut() {
        controller.handshakeTimedOut()
        timer.expire()
    }

    /// Remembers that the host will want to hear when there is room; a smaller window makes a
    /// smaller buffer, so that room can vanish without anything being queued.
    mutating func noteTightness() {
        if !finishRequested, !hasAmpleRoom { wantsRoom = true }
    }

    /// Where sending must stop for now.
    var limit: UInt64 {
        @inline(__always) get {
            let lent = Int64(bitPattern: controller.window) &+ recovery.lent
            let usable = max(lent, Int64(Packet.maximumPayload))
            return min(unacknowledged &+ UInt64(bitPattern: usable), windowEnd)
        }
    }

    /// How many bytes may wait here for acknowledgement or for sending.
    var bufferSize: UInt64 {
        @inline(__always) get { max(Self.smallestBuffer, 2 * controller.window) }
    }

    var room: UInt64 {
        let held = streamBytes(before: dataEnd) - acknowledged
        return bufferSize > held ? bufferSize - held : 0
    }

    /// Linux tells the writer when a third of the buffer is free.
    var hasAmpleRoom: Bool { 3 * room >= bufferSize }

    /// Stream bytes that have left for the first time.
    var transmitted: UInt64 { streamBytes(before: maximum) }

    /// Stream bytes that the peer has acknowledged.
    var acknowledged: UInt64 { streamBytes(before: unacknowledged) }

    var finWasSent: Bool {
        @inline(__always) get { maximum > dataEnd }
    }

    var finIsAcknowledged: Bool {
        @inline(__always) get { unacknowledged > dataEnd }
    }

    /// SYN and FIN have numbers, but are no bytes of the stream.
    private func streamBytes(before sequence: UInt64) -> UInt64 {
        let end = min(sequence, dataEnd)
        return end > initialSequence ? end - initialSequence - 1 : 0
    }

    @inline(__always)
    private mutating func advance(to acknowledged: UInt64, _ echo: UInt64, _ now: UInt64) -> Answer
    {
        let count = acknowledged &- unacknowledged
        // RFC 7661's point, simply: a window that was not used does not grow.
        let flight = next &- unacknowledged
        let used = controller.isInSlowStart ? 2 &* flight : flight &+ UInt64(Packet.maximumPayload)
        let wasUsed = used > controller.window
        unacknowledged = acknowledged
        if next < acknowledged { next = acknowledged }
        timer.measure(now &- echo)
        switch recovery.advanced(by: count, to: acknowledged) {
        case .ordinary:
            if wasUsed { controller.acknowledged(count) }
            restartTimer(at: now)
            return .proceed
        case .partial(let isFirst):
            if isFirst { restartTimer(at: now) }
            return .retransmitFirst
        case .complete:
            controller.recovered(flight: maximum &- acknowledged)
            noteTightness()
            restartTimer(at: now)
            return .proceed
        }
    }

    @inline(__always)
    private mutating func restartTimer(at now: UInt64) {
        if unacknowledged == maximum { timer.stop() } else { timer.start(at: now) }
    }
}
