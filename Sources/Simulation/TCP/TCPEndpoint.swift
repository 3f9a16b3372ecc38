import LinkModels
import RunLog
import RunPlan

/// One end of a connection: its state, its two halves, and the requests of its host.
///
/// It knows neither the other end nor the hosts. Packets enter by `arrived`, time by `wake`, and
/// requests by the other verbs. Packets leave by the fabric; the return value says what the host
/// should hear.
struct TCPEndpoint: ~Copyable, Clonable {
    /// Number by which packets find the endpoint.
    let index: Int32
    /// Source of the endpoint's deadlines in the kernel.
    private let source: EventSource
    /// Link by which the endpoint's packets leave.
    private(set) var link: Int32
    /// Number of earlier connections in this place, modulo 256. Each keeps its place for at least a
    /// second after its end.
    let generation: UInt8
    /// Generation of the packets that the endpoint accepts: its own, unless its way is cut.
    private(set) var hears: UInt8
    private(set) var state = TCPState.closed
    /// Reason why the connection is over; `nil` while it is not.
    private(set) var end: ConnectionEnd?
    /// Whether the process is gone, so that new content is answered with a reset.
    private(set) var isAbandoned = false
    /// Limit of bytes that may be read on arrival and kept back without telling the host.
    private var mayKeepBack: UInt64 = 0
    private var keptBack: UInt64 = 0
    /// Arrival of the latest bytes kept back.
    private var keptBackAt: UInt64 = 0
    /// Whether a host knows this end and has not released it.
    var isHeld = false
    /// Whether this end is in the steady state of a long transfer, for `isUsual`. A timer, or a
    /// request of the host other than reading, ends that state; the next packet may restore it.
    private(set) var isSteady = false
    /// Time at which the kernel will call; perhaps too early, because deadlines usually move on.
    private(set) var wakeAt = RetransmissionTimer.never
    /// The sender's deadline when last armed, copied here because few of a thousand endpoints are
    /// in the cache.
    private var senderDeadline = RetransmissionTimer.never
    var receiver: TCPReceiver
    var sender: TCPSender

    init(
        index: Int32, link: Int32, generation: UInt8 = 0, initialSequence: UInt64,
        controller: consuming CongestionController, segment: UInt64 = Packet.usualSegment,
        family: AddressFamily = .ipv4, blackHoles: TCPSettings.BlackHoleDetection = .off,
        settings: TCPSettings = TCPSettings(), source: EventSource? = nil
    ) {
        receiver = TCPReceiver(settings, segment: segment)
        self.generation = generation
        hears = generation
        self.index = index
        self.source = source ?? EventSource(.endpoint, index)
        self.link = link
        sender = TCPSender(
            initialSequence: initialSequence, controller: controller, segment: segment,
            family: family, blackHoles: blackHoles, settings: settings)
    }

    mutating func unshare() {
        keep(receiver)
        sender.unshare()
    }

    mutating func listen(onlyCounting: Bool = false) {
        if onlyCounting { mayKeepBack = .max }
        move(.passiveOpen)
    }

    mutating func connect(_ fabric: inout NetworkFabric) {
        move(.activeOpen)
        isHeld = true
        sendSyn(&fabric)
        arm(&fabric)
    }

    /// Queues bytes that are in the sender's table.
    mutating func queue(_ count: UInt64, _ fabric: inout NetworkFabric) {
        isSteady = false
        precondition(!sender.finishRequested, "data after the end of the stream")
        guard end == nil else { return }
        sender.noteWrite(at: fabric.kernel.nowNanoseconds)
        sender.dataEnd += count
        sender.noteTightness()
        transmit(&fabric)
        arm(&fabric)
    }

    /// Reads everything, including what was kept back.
    mutating func read(_ fabric: inout NetworkFabric) -> UInt64 {
        let kept = takeKeptBack().count
        return kept + receive(&fabric)
    }

    @inline(__always)
    private mutating func receive(_ fabric: inout NetworkFabric) -> UInt64 {
        let count = receiver.read(at: fabric.kernel.nowNanoseconds)
        if end == nil, receiver.mustAcknowledge { sendAcknowledgement(&fabric) }
        return count
    }

    mutating func keepBack(upTo count: UInt64) { mayKeepBack = count }

    /// Reads new content and keeps it back, if allowed. Returns false if the host must be told.
    @inline(__always)
    mutating func keepsBack(_ fabric: inout NetworkFabric) -> Bool {
        guard mayKeepBack > 0, keptBack &+ receiver.unread <= mayKeepBack else { return false }
        keptBack &+= receive(&fabric)
        keptBackAt = fabric.kernel.nowNanoseconds
        return true
    }

    /// Returns how much was kept back, and when the latest came. From now on nothing is kept back.
    mutating func takeKeptBack() -> (count: UInt64, latest: UInt64) {
        defer { (mayKeepBack, keptBack) = (0, 0) }
        return (keptBack, keptBackAt)
    }

    /// Ends the stream after the queued content.
    mutating func finish(_ fabric: inout NetworkFabric) {
        guard end == nil, !sender.finishRequested else { return }
        isSteady = false
        sender.finishRequested = true
        sender.wantsRoom = false
        transmit(&fabric)
        arm(&fabric)
    }

    /// Ends the stream after the queued content, and refuses new content, because the process is
    /// gone.
    mutating func abandon(_ fabric: inout NetworkFabric) {
        isAbandoned = true
        isSteady = false
        // A connection not yet established dies with its opener.
        if state == .synSent { abort(&fabric) } else { finish(&fabric) }
    }

    mutating func abort(
        because reason: ConnectionEnd = .reset, _ fabric: inout NetworkFabric
    ) {
        guard end == nil else { return }
        if state.isSynchronized || state == .synReceived { sendReset(&fabric) }
        close(because: reason)
        arm(&fabric)
    }

    /// Diverts this end's packets, and ignores the peer's.
    mutating func cutOff(sendingTo link: Int32) {
        self.link = link
        // The network holds no packet of that generation any more.
        hears = generation &+ 128
        isSteady = false
    }

    /// Ends the connection because its network is gone. The peer hears nothing.
    mutating func lose(_ fabric: inout NetworkFabric) {
        guard end == nil else { return }
        close(because: .networkLost)
        arm(&fabric)
    }

    mutating func move(_ event: TCPState.Event) {
        guard let after = state.after(event) else {
            preconditionFailure("\(event) cannot reach an endpoint that is \(state)")
        }
        state = after
        isSteady = false
    }

    /// Ends the connection in disorder. It sends nothing more.
    mutating func close(because reason: ConnectionEnd) {
        move(.reset)
        sender.stop()
        receiver.stop()
        if end == nil { end = reason }
    }

    mutating func closeInOrder() { end = .closed }

    /// Ensures that the kernel calls in time.
    @inline(__always)
    mutating func arm(_ fabric: inout NetworkFabric) {
        senderDeadline = sender.deadline
        let deadline = earliestDeadline
        if deadline < wakeAt { wakeEarlier(at: deadline, &fabric) }
    }

    @inline(never)
    mutating func wakeEarlier(at deadline: UInt64, _ fabric: inout NetworkFabric) {
        wakeAt = deadline
        fabric.kernel.set(source, atNanoseconds: deadline)
    }

    /// Returns whether the kernel's entry is really due. If the deadline has moved or vanished, the
    /// entry follows.
    mutating func isDue(_ fabric: inout NetworkFabric) -> Bool {
        assert(senderDeadline == sender.deadline, "endpoint \(index) was not armed")
        let deadline = earliestDeadline
        if deadline == wakeAt { return true }
        wakeAt = deadline
        if deadline == RetransmissionTimer.never {
            fabric.kernel.cancel(source)
        } else {
            fabric.kernel.set(source, atNanoseconds: deadline)
        }
        return false
    }

    /// Notes whether this end is in its steady state after a packet, and the packet's window.
    @inline(__always)
    mutating func noteSteadiness(_ packet: UnsafePointer<Packet>) {
        isSteady =
            state == .established && packet.pointee.payload > 0
            && packet.pointee.acknowledgement == sender.unacknowledged
            && !receiver.isDisturbed && !sender.notification.isAgreed && sender.isSteady
        sender.latestWindow = packet.pointee.window
    }

    mutating func wake(_ fabric: inout NetworkFabric) -> TCPNotice {
        isSteady = false
        fabric.kernel.cancel(source)
        wakeAt = RetransmissionTimer.never
        let now = fabric.kernel.nowNanoseconds
        if receiver.deadline <= now {
            receiver.answerWasMissed()
            sendAcknowledgement(&fabric)
        }
        if sender.scoreboard.detection.deadline <= now {
            sender.reorderingTimedOut(at: now)
            transmit(&fabric)
        }
        if sender.pacer.deadline <= now { transmit(&fabric) }
        if sender.probe.deadline <= now { probe(&fabric) }
        var notice = sender.timer.deadline <= now ? retransmissionIsDue(&fabric) : []
        if sender.persist.deadline <= now { notice.formUnion(askForWindow(&fabric)) }
        arm(&fabric)
        return notice
    }

    /// Whether the connection is closed, was never opened, or waits only for stray packets.
    var isOver: Bool {
        @inline(__always) get { state == .closed || state == .timeWait }
    }

    var mayBeReplaced: Bool { isOver && !isHeld }

    /// The next time to act without a packet.
    var earliestDeadline: UInt64 {
        @inline(__always) get { min(senderDeadline, receiver.deadline) }
    }
}
