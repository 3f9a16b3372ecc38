import LinkModels
import RunLog
import RunPlan

/// One end of a connection: its state, its two halves, and the wishes of the host behind it.
///
/// It knows neither the other end nor the hosts. Packets come in by `arrived`, time by `wake`,
/// wishes by the verbs here; packets go out by the fabric, and what the host should hear is the
/// answer.
struct TCPEndpoint: ~Copyable, Clonable {
    /// Its number, by which packets find it.
    let index: Int32
    /// Who the kernel calls for its deadlines.
    private let source: EventSource
    /// The link by which its packets leave.
    private(set) var link: Int32
    /// How many connections have had this place before; it begins anew after 256, each of which
    /// keeps its place for a minute after its end.
    let generation: UInt8
    /// The generation of the packets that reach it: its own, unless something on the way lets none
    /// of them through any more.
    private(set) var hears: UInt8
    private(set) var state = TCPState.closed
    /// Why the connection is over, once it is.
    private(set) var end: ConnectionEnd?
    /// The process that read here is gone; what still arrives is answered with a reset.
    private(set) var isAbandoned = false
    /// Of so much that comes the host need not hear: it is read at once, and kept back for it.
    private var mayKeepBack: UInt64 = 0
    private var keptBack: UInt64 = 0
    /// When the latest of it came.
    private var keptBackAt: UInt64 = 0
    /// A host knows of this end, and has not let go of it.
    var isHeld = false
    /// Everything here is as it is for most of a long transfer, so that `isUsual` has little to
    /// ask. Whatever the host does ends that, and the next packet may begin it again.
    private(set) var isSteady = false
    /// When the kernel will call; it may be earlier than any deadline, for deadlines mostly move
    /// away.
    private(set) var wakeAt = RetransmissionTimer.never
    /// The sender's deadline when it was last armed. It is here so that whoever asks for the
    /// earliest has to look at one place, for of a thousand endpoints few are near the processor.
    private var senderDeadline = RetransmissionTimer.never
    var receiver: TCPReceiver
    var sender: TCPSender

    init(
        index: Int32, link: Int32, generation: UInt8 = 0, initialSequence: UInt64,
        controller: consuming CongestionController, settings: TCPSettings = TCPSettings(),
        source: EventSource? = nil
    ) {
        receiver = TCPReceiver(settings)
        self.generation = generation
        hears = generation
        self.index = index
        self.source = source ?? EventSource(.endpoint, index)
        self.link = link
        sender = TCPSender(
            initialSequence: initialSequence, controller: controller, settings: settings)
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

    /// So many bytes were put into the sender's table.
    mutating func queue(_ count: UInt64, _ fabric: inout NetworkFabric) {
        isSteady = false
        precondition(!sender.finishRequested, "data after the end of the stream")
        guard end == nil else { return }
        sender.noteApplicationLimit(at: fabric.kernel.nowNanoseconds)
        sender.noteResumption(at: fabric.kernel.nowNanoseconds)
        sender.dataEnd += count
        sender.noteTightness()
        transmit(&fabric)
        arm(&fabric)
    }

    /// The host takes what can be read, and what was kept back.
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

    /// Until it has read again, the host need not hear of so much more.
    mutating func keepBack(upTo count: UInt64) { mayKeepBack = count }

    /// There is something to read: whether it was kept back, and nobody has to hear of it.
    @inline(__always)
    mutating func keepsBack(_ fabric: inout NetworkFabric) -> Bool {
        guard mayKeepBack > 0, keptBack &+ receiver.unread <= mayKeepBack else { return false }
        keptBack &+= receive(&fabric)
        keptBackAt = fabric.kernel.nowNanoseconds
        return true
    }

    /// How much was kept back, and when the latest of it came; from now on nothing is.
    mutating func takeKeptBack() -> (count: UInt64, latest: UInt64) {
        defer { (mayKeepBack, keptBack) = (0, 0) }
        return (keptBack, keptBackAt)
    }

    /// No data will follow what is queued.
    mutating func finish(_ fabric: inout NetworkFabric) {
        guard end == nil, !sender.finishRequested else { return }
        isSteady = false
        sender.finishRequested = true
        sender.wantsRoom = false
        transmit(&fabric)
        arm(&fabric)
    }

    /// The process is gone: what was queued still goes out, but nobody will read here.
    mutating func abandon(_ fabric: inout NetworkFabric) {
        isAbandoned = true
        isSteady = false
        // A connection that is only being asked for dies with who asks.
        if state == .synSent { abort(&fabric) } else { finish(&fabric) }
    }

    mutating func abort(_ fabric: inout NetworkFabric) {
        guard end == nil else { return }
        if state.isSynchronized || state == .synReceived { sendReset(&fabric) }
        close(because: .reset)
        arm(&fabric)
    }

    /// Its packets go elsewhere from now on, and none of its peer reaches it.
    mutating func cutOff(sendingTo link: Int32) {
        self.link = link
        // No connection in this place has that for so long that none of its packets is left.
        hears = generation &+ 128
        isSteady = false
    }

    /// The host's own network is gone, and the connection with it: the peer hears nothing.
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

    /// The connection is over in disorder; nothing more will be sent of itself.
    mutating func close(because reason: ConnectionEnd) {
        move(.reset)
        sender.stop()
        receiver.stop()
        if end == nil { end = reason }
    }

    /// Both directions are finished.
    mutating func closeInOrder() { end = .closed }

    /// Makes sure that the kernel calls in time.
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

    /// The kernel's entry is due, but its deadline may have moved on or vanished meanwhile: if so,
    /// the entry follows, and the answer is no.
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

    /// A packet has been read to its end. If it was the newest, the window that it offers is known
    /// now, whichever it is.
    @inline(__always)
    mutating func noteSteadiness(_ packet: UnsafePointer<Packet>) {
        isSteady =
            state == .established && packet.pointee.payload > 0
            && packet.pointee.acknowledgement == sender.unacknowledged
            && !receiver.isDisturbed && !sender.notification.isAgreed && sender.isSteady
        sender.latestWindow = packet.pointee.window
    }

    /// A deadline has come.
    mutating func wake(_ fabric: inout NetworkFabric) -> TCPNotice {
        isSteady = false
        fabric.kernel.cancel(source)
        wakeAt = RetransmissionTimer.never
        let now = fabric.kernel.nowNanoseconds
        if receiver.deadline <= now { sendAcknowledgement(&fabric) }
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

    /// Whether nothing more will come of it: it is closed, was never opened, or waits only for what
    /// may be left of its connection in the network.
    var isOver: Bool {
        @inline(__always) get { state == .closed || state == .timeWait }
    }

    var mayBeReplaced: Bool { isOver && !isHeld }

    /// When something has to happen although nothing arrives.
    var earliestDeadline: UInt64 {
        @inline(__always) get { min(senderDeadline, receiver.deadline) }
    }
}
