import Quantities
import RunLog
import RunPlan

/// The receiving half of an endpoint: what has come in order, what lies beyond a hole, and when to
/// acknowledge it.
struct TCPReceiver {
    /// When a held-back acknowledgement has to go out; `never` while none is.
    private(set) var deadline = RetransmissionTimer.never
    /// The number that is expected next; all before it has arrived.
    private(set) var next: UInt64 = 0
    /// Bytes in order that the host has not read.
    private(set) var unread: UInt64 = 0
    /// TS.Recent: the stamp that goes back to the peer (RFC 7323 §4.3).
    private(set) var recentStamp: UInt64 = 0
    /// What `next` was when it was last told to the peer, and the window that was told with it.
    private var acknowledged: UInt64 = 0
    private var offered: UInt16 = 0
    /// Nothing has happened here since then: the next packet says the same.
    private var isToldAll = false
    /// The host has been told that there is something to read, and has not read since.
    var isReadAnnounced = false
    /// The FIN has arrived, and everything before it.
    private(set) var isFinished = false
    /// An acknowledgement has to go out now, with data or alone.
    private(set) var mustAcknowledge = false
    /// There is more to tell than how far the stream is whole.
    private(set) var isDisturbed = false
    /// Content goes both ways in turn, so that an acknowledgement can go with an answer: Linux's
    /// ping-pong mode.
    private var isConversing = false
    /// So many acknowledgements more are not held back: Linux's quick-ACK mode.
    private var quickCount: Int
    private var contentArrivedAt = RetransmissionTimer.never
    private var window: ReceiveWindow
    private var beyond = ReassemblyRanges()
    /// The latest that has come twice, until a packet tells of it.
    private var duplicate: Range<UInt64>?
    private var finSequence = UInt64.max
    private let quickAcknowledgements: Int

    /// Linux; RFC 9293 §3.8.6.3 allows half a second.
    static let longestDelay: UInt64 = 40_000_000
    /// Linux: a sender in slow start shall not wait.
    private static let usualQuickAcknowledgements = 16

    init(_ settings: TCPSettings = TCPSettings()) {
        quickAcknowledgements = settings.acknowledgesQuickly ? Self.usualQuickAcknowledgements : 0
        quickCount = quickAcknowledgements
        window = ReceiveWindow(largest: settings.receiveWindow.bytes)
    }

    /// The peer's first sequence number is known.
    mutating func synArrived(_ packet: UnsafePointer<Packet>, at now: UInt64) {
        next = packet.pointee.sequence + 1
        window.begin(with: next, at: now)
        recentStamp = packet.pointee.stamp
        acknowledgeAtOnce()
    }

    /// Takes what a packet brings, and decides when to acknowledge it.
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

    /// The same of content that is expected next, where nothing lies beyond a hole.
    @inline(__always)
    mutating func takeNext(_ packet: UnsafePointer<Packet>, at now: UInt64) {
        noteStamp(packet)
        isToldAll = false
        window.heard(packet.pointee.echo, at: now)
        next &+= UInt64(packet.pointee.payload)
        unread &+= UInt64(packet.pointee.payload)
        contentArrivedAt = now
        // RFC 5681 §4.2: at least every second full segment.
        if next &- acknowledged > UInt64(Packet.maximumPayload) {
            mustAcknowledge = true
        } else if !isConversing, quickCount > 0 || packet.pointee.flags.contains(.psh) {
            // Linux: who has read all there was acknowledges a pushed segment.
            mustAcknowledge = true
        } else if deadline == RetransmissionTimer.never {
            deadline = now &+ Self.longestDelay
        }
    }

    /// The peer must hear of something that cannot wait.
    mutating func acknowledgeAtOnce() {
        mustAcknowledge = true
        isToldAll = false
    }

    /// A packet goes out, and every packet says what has arrived in order; what lies beyond a hole
    /// is told by packets without content only, which have room for it. Answers what the packet
    /// says about the room here.
    @inline(__always)
    mutating func packetLeaves(tellingAll: Bool) -> UInt16 {
        if !isToldAll { tell(all: tellingAll) }
        return offered
    }

    /// The same of a SYN, whose window is the first.
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

    /// Nothing more will be said.
    mutating func stop() {
        mustAcknowledge = false
        deadline = RetransmissionTimer.never
    }

    /// Content leaves this end; if it may be an answer, the next may be one, too.
    @inline(__always)
    mutating func contentLeaves(at now: UInt64) {
        if contentArrivedAt != RetransmissionTimer.never,
            now &- contentArrivedAt < Self.longestDelay
        {
            isConversing = true
        }
    }

    /// A packet without content has come: if it is older than what was acknowledged, its sender
    /// asks for an answer (RFC 9293 §3.10.7.4).
    @inline(__always)
    mutating func takeEmpty(_ packet: UnsafePointer<Packet>) {
        noteStamp(packet)
        if packet.pointee.sequence < acknowledged { acknowledgeAtOnce() }
    }

    /// The host takes all that can be read; afterwards an acknowledgement may have to go out, to
    /// tell of the room.
    @inline(__always)
    mutating func read(at now: UInt64) -> UInt64 {
        isReadAnnounced = false
        isToldAll = false
        let count = unread
        unread = 0
        if window.hostRead(count, next: next, at: now) { mustAcknowledge = true }
        return count
    }

    /// What an acknowledgement that leaves now says about the stretches beyond a hole, and of what
    /// has come twice, which is told once (RFC 2883 §4).
    mutating func tellStretches() -> SelectiveAcknowledgement {
        defer {
            duplicate = nil
            isDisturbed = !beyond.isEmpty
        }
        return beyond.selectiveAcknowledgement(beyond: next, duplicate: duplicate)
    }

    /// RFC 7323 §4.3: with or without content, but what is late does not turn time back.
    @inline(__always)
    private mutating func noteStamp(_ packet: UnsafePointer<Packet>) {
        if packet.pointee.sequence <= acknowledged, packet.pointee.stamp > recentStamp {
            recentStamp = packet.pointee.stamp
        }
    }

    private mutating func takeOutOfOrder(_ packet: UnsafePointer<Packet>) {
        let end = packet.pointee.endSequence
        // Wholly known: our acknowledgement was lost, or the peer was too impatient. Whoever sends
        // again does so by whole segments, so that nothing is known in part.
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

    /// The peer shall hear that this has come twice.
    private mutating func tell(of twice: Range<UInt64>) {
        duplicate = twice
        isDisturbed = true
    }
}
