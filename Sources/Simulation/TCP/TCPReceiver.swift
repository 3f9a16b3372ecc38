import Quantities
import RunLog
import RunPlan

/// The receiving half of an endpoint: content in order, ranges beyond a hole, and when to
/// acknowledge.
struct TCPReceiver {
    /// Time at which a delayed acknowledgement must leave; `never` if none is delayed.
    private(set) var deadline = RetransmissionTimer.never
    /// Next expected number.
    private(set) var next: UInt64 = 0
    /// Unread bytes in order.
    private(set) var unread: UInt64 = 0
    /// TS.Recent: the stamp to echo (RFC 7323 §4.3).
    private(set) var recentStamp: UInt64 = 0
    /// The latest acknowledgement and window that were sent.
    private var acknowledged: UInt64 = 0
    private var offered: UInt16 = 0
    /// Whether the next packet would repeat the latest acknowledgement and window.
    private var isToldAll = false
    /// Whether the host has been told of unread bytes.
    var isReadAnnounced = false
    /// Whether the FIN and everything before it have arrived.
    private(set) var isFinished = false
    /// Whether an acknowledgement must leave now, with data or alone.
    private(set) var mustAcknowledge = false
    /// Whether acknowledgements need SACK blocks.
    private(set) var isDisturbed = false
    /// Whether content goes both ways in turn, so that answers can carry acknowledgements: Linux's
    /// ping-pong mode.
    private var isConversing = false
    /// Number of acknowledgements that will not be delayed: Linux's quick-ACK mode.
    private var quickCount: Int
    private var contentArrivedAt = RetransmissionTimer.never
    private var window: ReceiveWindow
    private var beyond = ReassemblyRanges()
    /// The latest duplicate, until it is reported.
    private var duplicate: Range<UInt64>?
    private var finSequence = UInt64.max
    private let quickAcknowledgements: Int
    private let segment: UInt64

    /// Linux's delay of an acknowledgement; RFC 9293 §3.8.6.3 allows less than half a second.
    static let longestDelay: UInt64 = 40_000_000
    /// Number of first acknowledgements that Linux does not delay, so that slow start is not held
    /// up.
    private static let usualQuickAcknowledgements = 16

    init(_ settings: TCPSettings = TCPSettings(), segment: UInt64 = Packet.usualSegment) {
        self.segment = segment
        quickAcknowledgements = settings.acknowledgesQuickly ? Self.usualQuickAcknowledgements : 0
        quickCount = quickAcknowledgements
        window = ReceiveWindow(largest: settings.receiveWindow.bytes)
    }

    mutating func synArrived(_ packet: UnsafePointer<Packet>, at now: UInt64) {
        next = packet.pointee.sequence + 1
        window.begin(with: next, at: now)
        recentStamp = packet.pointee.stamp
        acknowledgeAtOnce()
    }

    /// Takes the content of a packet, and decides when to acknowledge it.
    @inline(__always)
    mutating func take(_ packet: UnsafePointer<Packet>, at now: UInt64) {
        guard packet.pointee.sequence == next, !isDisturbed,
            packet.pointee.flags.isDisjoint(with: [.syn, .fin])
        else {
            noteStamp(packet)
            isToldAll = false
            window.heard(packet.pointee.echo, at: now)
            mustAcknowledge = true
            return takeOutOfOrder(packet)
        }
        takeNext(packet, at: now)
    }

    /// Takes the next expected content, with nothing beyond a hole.
    @inline(__always)
    mutating func takeNext(_ packet: UnsafePointer<Packet>, at now: UInt64) {
        noteStamp(packet)
        isToldAll = false
        window.heard(packet.pointee.echo, at: now)
        next &+= UInt64(packet.pointee.payload)
        unread &+= UInt64(packet.pointee.payload)
        contentArrivedAt = now
        // RFC 5681 §4.2: at least every second full segment is acknowledged at once.
        if next &- acknowledged > segment {
            mustAcknowledge = true
        } else if !isConversing, quickCount > 0 || packet.pointee.flags.contains(.psh) {
            // As in Linux, a host that has read everything acknowledges a pushed segment at once.
            mustAcknowledge = true
        } else if deadline == RetransmissionTimer.never {
            deadline = now &+ Self.longestDelay
        }
    }

    mutating func acknowledgeAtOnce() {
        mustAcknowledge = true
        isToldAll = false
    }

    /// Notes a packet that leaves, and returns its window. Every packet acknowledges content in
    /// order; only packets without content have room for SACK blocks.
    @inline(__always)
    mutating func packetLeaves(tellingAll: Bool) -> UInt16 {
        if !isToldAll { tell(all: tellingAll) }
        return offered
    }

    /// Notes a SYN that leaves, and returns its window.
    mutating func synLeaves() -> UInt16 {
        acknowledge(all: false)
        return window.initial
    }

    @inline(__always)
    private mutating func tell(all isWhole: Bool) {
        acknowledge(all: isWhole)
        offered = window.offer(from: next, held: isDisturbed ? unread &+ beyond.byteCount : unread)
        isToldAll = !isDisturbed
    }

    @inline(__always)
    private mutating func acknowledge(all isWhole: Bool) {
        if quickCount > 0, next != acknowledged || isDisturbed { quickCount &-= 1 }
        acknowledged = next
        if isWhole || !isDisturbed { mustAcknowledge = false }
        deadline = RetransmissionTimer.never
    }

    mutating func stop() {
        mustAcknowledge = false
        deadline = RetransmissionTimer.never
    }

    /// Notes that content leaves. Soon after an arrival it is probably an answer, and more answers
    /// may follow.
    @inline(__always)
    mutating func contentLeaves(at now: UInt64) {
        if contentArrivedAt != RetransmissionTimer.never,
            now &- contentArrivedAt < Self.longestDelay
        {
            isConversing = true
        }
    }

    /// Notes that a delayed acknowledgement must leave without an answer to carry it. As in Linux,
    /// the next ones are no longer kept for answers.
    mutating func answerWasMissed() { isConversing = false }

    /// Takes a packet without content. If its number was acknowledged before, its sender asks for
    /// an answer (RFC 9293 §3.10.7.4).
    @inline(__always)
    mutating func takeEmpty(_ packet: UnsafePointer<Packet>) {
        noteStamp(packet)
        if packet.pointee.sequence < acknowledged { acknowledgeAtOnce() }
    }

    /// Reads everything. Afterwards an acknowledgement may have to announce the larger window.
    @inline(__always)
    mutating func read(at now: UInt64) -> UInt64 {
        isReadAnnounced = false
        isToldAll = false
        let count = unread
        unread = 0
        if window.hostRead(count, next: next, at: now) { mustAcknowledge = true }
        return count
    }

    /// Returns the SACK blocks of an acknowledgement that leaves now, and forgets the duplicate,
    /// which is reported once (RFC 2883 §4).
    mutating func tellStretches() -> SelectiveAcknowledgement {
        defer {
            duplicate = nil
            isDisturbed = !beyond.isEmpty
        }
        return beyond.selectiveAcknowledgement(beyond: next, duplicate: duplicate)
    }

    /// Notes the stamp to echo (RFC 7323 §4.3). A late packet does not turn it back.
    @inline(__always)
    private mutating func noteStamp(_ packet: UnsafePointer<Packet>) {
        if packet.pointee.sequence <= acknowledged, packet.pointee.stamp > recentStamp {
            recentStamp = packet.pointee.stamp
        }
    }

    private mutating func takeOutOfOrder(_ packet: UnsafePointer<Packet>) {
        let end = packet.pointee.endSequence
        // Already received: our acknowledgement was lost, or the peer retransmitted too early.
        // Retransmissions are whole segments, so none is received in part.
        if end <= next {
            quickCount = quickAcknowledgements
            isConversing = false
            tell(of: packet.pointee.sequence..<end)
            return
        }
        if packet.pointee.flags.contains(.fin) { finSequence = end - 1 }
        if packet.pointee.sequence > next {
            let stretch = packet.pointee.sequence..<end
            if beyond.holds(stretch) { tell(of: stretch) }
            beyond.insert(stretch)
            window.reached(beyond.end - next)
        } else {
            let whole = beyond.absorb(from: end)
            isFinished = whole > finSequence
            unread += whole - next - (isFinished ? 1 : 0)
            next = whole
        }
        isDisturbed = !beyond.isEmpty || duplicate != nil
    }

    private mutating func tell(of twice: Range<UInt64>) {
        duplicate = twice
        isDisturbed = true
    }
}
