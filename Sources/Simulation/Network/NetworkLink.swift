import LinkModels
import Quantities
import RunLog

/// One direction of a link in virtual time: its model, its packets and its books.
struct NetworkLink: ~Copyable, Clonable {
    private let plan: LinkPlan
    private let index: UInt16
    private var direction: LinkDirection
    private var travelling = PacketRing()
    private var books = Books()
    /// Packets sent, without duplicates.
    private var sentCount: UInt64 = 0
    private let overtakesOnWay: Bool
    /// Packets in a queue that decides at dequeue.
    private var waiting = PacketStalls()
    private let isDisciplined: Bool
    /// Whether `send` may take its fast path; false while the link is down.
    private var isPlain: Bool
    private(set) var isDown = false
    private var departure: Instant?

    /// Totals of a link, counted packet by packet so that the sums can be checked against each
    /// other.
    private struct Books {
        var sentBytes: UInt64 = 0
        var duplicated = LinkCount.Tally()
        var deliveredBytes: UInt64 = 0
        var dropped = LinkCount.Tally()
        var drops = LinkCount.Drops()
        /// Packets dropped at the head of the ring.
        var lostOnWay: UInt64 = 0
        var marked = LinkCount.Tally()
        /// Packets of cross traffic now on the link.
        var foreignPackets: UInt64 = 0
    }

    init(_ plan: LinkPlan, index: UInt16, seed: UInt64) {
        self.plan = plan
        overtakesOnWay = plan.overtakesOnWay
        isDisciplined = if case .disciplined = plan.bottleneck.queue { true } else { false }
        self.index = index
        direction = LinkDirection(plan, seed: seed)
        isPlain = direction.isPlain
    }

    mutating func unshare() {
        keep(plan)
        direction.unshare()
        travelling.unshare()
        waiting.unshare()
    }

    /// Writes a packet to its place on the link.
    @inline(__always)
    mutating func write(_ packet: consuming Packet) -> UnsafeMutablePointer<Packet> {
        let place = travelling.freeSlot()
        place.initialize(to: packet)
        return place
    }

    /// Adds the SACK blocks of the packet that was written last.
    mutating func write(_ blocks: SelectiveAcknowledgement) { travelling.put(blocks) }

    /// Returns the SACK blocks of a packet on the link, or of the packet just delivered.
    func blocks(of packet: UnsafePointer<Packet>) -> SelectiveAcknowledgement {
        travelling.blocks(of: packet)
    }

    /// Sends the packet that was written last, or drops it. The kernel hears only of the first
    /// packet on the link.
    @inline(__always)
    mutating func send(
        _ packet: UnsafeMutablePointer<Packet>, of size: UInt16, kernel: inout SimulationKernel,
        journal: inout PacketJournal
    ) {
        packet.pointee.number = nextNumber
        sentCount &+= 1
        books.sentBytes &+= UInt64(size)
        if packet.pointee.isForeign { books.foreignPackets &+= 1 }
        journal.append(record(.sent, packet.pointee, size, atNanoseconds: kernel.nowNanoseconds))
        if isPlain {
            let arrival = direction.arrival(of: Int(size), atNanoseconds: kernel.nowNanoseconds)
            guard let arrival else {
                return drop(packet.pointee, .queueFull, kernel, &journal)
            }
            return putLast(packet, atNanoseconds: arrival, &kernel)
        }
        sendFiltered(packet, &kernel, &journal)
    }

    /// Passes the packet in the free slot through the link's stages and its queue.
    private mutating func sendFiltered(
        _ packet: UnsafeMutablePointer<Packet>, _ kernel: inout SimulationKernel,
        _ journal: inout PacketJournal
    ) {
        if isDown { return drop(packet.pointee, .linkDown, kernel, &journal) }
        if isDisciplined { return makeWait(packet, &kernel, &journal) }
        let passage = direction.enqueue(Int(packet.pointee.size), at: kernel.now)
        // Compares raw values, because an option set's methods would be calls into another target.
        if case .arrives(_, let marks) = passage, marks.rawValue != 0 {
            return carry(packet, passage, marks, &kernel, &journal)
        }
        carry(packet, passage, &kernel, &journal)
    }

    /// Sends the packet in the free slot, or drops it.
    private mutating func carry(
        _ packet: UnsafeMutablePointer<Packet>, _ passage: LinkDirection.Passage,
        _ kernel: inout SimulationKernel, _ journal: inout PacketJournal
    ) {
        switch passage {
        case .arrives(let arrival, _): putOnWay(packet, atNanoseconds: arrival.nanoseconds, &kernel)
        case .waits:
            preconditionFailure("a packet of \(plan.name) waits where departures are known")
        case .dropped(let reason):
            drop(packet.pointee, reason, kernel, &journal)
        }
    }

    /// Sends or drops a packet that a stage has marked.
    private mutating func carry(
        _ packet: UnsafeMutablePointer<Packet>, _ passage: LinkDirection.Passage,
        _ marks: PacketMarks, _ kernel: inout SimulationKernel, _ journal: inout PacketJournal
    ) {
        packet.pointee.isCorrupted = marks.contains(.corrupted)
        packet.pointee.isLostOnWay = marks.contains(.lostOnWay)
        guard marks.contains(.duplicated) else {
            return carry(packet, passage, &kernel, &journal)
        }
        let copy = travelling.copy(of: packet)
        carry(packet, passage, &kernel, &journal)
        duplicate(copy, marks, &kernel, &journal)
    }

    /// Inserts the packet in the free slot into the ring.
    private mutating func putOnWay(
        _ packet: UnsafeMutablePointer<Packet>, atNanoseconds arrival: UInt64,
        _ kernel: inout SimulationKernel
    ) {
        guard overtakesOnWay else { return putLast(packet, atNanoseconds: arrival, &kernel) }
        packet.pointee.arrivalNanoseconds = arrival
        packet.pointee.order = kernel.takeOrder()
        insert(&kernel)
    }

    /// Appends the packet in the free slot to the ring.
    @inline(__always)
    private mutating func putLast(
        _ packet: UnsafeMutablePointer<Packet>, atNanoseconds arrival: UInt64,
        _ kernel: inout SimulationKernel
    ) {
        packet.pointee.arrivalNanoseconds = arrival
        packet.pointee.order = kernel.takeOrder()
        if travelling.isEmpty {
            kernel.set(source, atNanoseconds: arrival, order: packet.pointee.order)
        }
        travelling.append()
    }

    @inline(never)
    private mutating func drop(
        _ packet: borrowing Packet, _ reason: DropReason, _ kernel: borrowing SimulationKernel,
        _ journal: inout PacketJournal
    ) {
        switch reason {
        case .lost: books.drops.lost &+= 1
        case .policed: books.drops.policed = (books.drops.policed ?? 0) + 1
        case .tooLarge: books.drops.tooLarge &+= 1
        case .queueFull: books.drops.byQueue &+= 1
        case .linkDown: books.drops.whileDown = (books.drops.whileDown ?? 0) + 1
        }
        books.dropped.add(bytes: Int(packet.size))
        if packet.isForeign { books.foreignPackets &-= 1 }
        journal.append(
            record(.dropped, packet, packet.size, atNanoseconds: kernel.nowNanoseconds))
    }

    /// Inserts the packet by arrival, so that even a link that reorders has one event, its head.
    private mutating func insert(_ kernel: inout SimulationKernel) {
        travelling.insert()
        let first = travelling.first
        kernel.set(
            source, atNanoseconds: first.pointee.arrivalNanoseconds, order: first.pointee.order)
    }

    // MARK: Queues that decide later

    /// Moves the packet in the free slot to a stall.
    private mutating func makeWait(
        _ packet: UnsafeMutablePointer<Packet>, _ kernel: inout SimulationKernel,
        _ journal: inout PacketJournal
    ) {
        let size = packet.pointee.size
        let flow = packet.pointee.label
        let marking = packet.pointee.marking
        let place = waiting.put(travelling.copy(of: packet))
        let passage = direction.enqueue(
            Int(size), flow: flow, place: place, marking: marking, at: kernel.now)
        switch passage {
        case .waits(let marks) where marks.contains(.duplicated):
            noteDuplicate(packet.pointee, kernel, &journal)
            _ = direction.enqueueCopy(
                Int(size), marks, flow: flow, place: waiting.put(travelling.copy(of: packet)),
                marking: marking, at: kernel.now)
        case .waits: break
        case .dropped(let reason): drop(waiting.take(place).packet, reason, kernel, &journal)
        case .arrives:
            preconditionFailure("a departure of \(plan.name) is known before its time")
        }
        settle(&kernel, &journal)
    }

    /// The end of the latest sending, in nanoseconds.
    var busyUntil: UInt64 { mutating get { direction.busyUntil } }

    /// Lets no packet that is sent from now on leave before a moment.
    mutating func hold(untilNanoseconds time: UInt64) { direction.hold(untilNanoseconds: time) }

    /// Moves a packet from the queue to the ring.
    mutating func depart(kernel: inout SimulationKernel, journal: inout PacketJournal) {
        guard let left = direction.depart() else {
            preconditionFailure("nothing leaves \(plan.name) at \(kernel.now)")
        }
        let packet = travelling.put(waiting.take(left.place))
        packet.pointee.isCorrupted = left.marks.contains(.corrupted)
        packet.pointee.isLostOnWay = left.marks.contains(.lostOnWay)
        if left.marks.contains(.congested) { packet.pointee.codepoint = .experienced }
        putOnWay(packet, atNanoseconds: left.arrival.nanoseconds, &kernel)
        departure = nil
        settle(&kernel, &journal)
    }

    /// Handles drops after a change of the queue, and sets the next departure.
    private mutating func settle(
        _ kernel: inout SimulationKernel, _ journal: inout PacketJournal
    ) {
        dropGivenUp(.queueFull, kernel, &journal)
        let next = direction.nextDeparture
        guard next != departure || next == nil else { return }
        departure = next
        let source = EventSource(.departure, Int32(index))
        if let next {
            kernel.set(source, atNanoseconds: next.nanoseconds)
        } else {
            kernel.cancel(source)
        }
    }

    /// Drops all packets on the link, and all that are sent until it is up again.
    mutating func takeDown(kernel: inout SimulationKernel, journal: inout PacketJournal) {
        guard !isDown else { return }
        isDown = true
        isPlain = false
        kernel.cancel(source)
        while !travelling.isEmpty {
            let packet = travelling.removeFirst()
            books.lostOnWay &+= 1
            journal.makeRoom()
            drop(packet.pointee, .linkDown, kernel, &journal)
        }
        direction.clear(at: kernel.now)
        dropGivenUp(.linkDown, kernel, &journal)
        if departure != nil { kernel.cancel(EventSource(.departure, Int32(index))) }
        departure = nil
    }

    private mutating func dropGivenUp(
        _ reason: DropReason, _ kernel: borrowing SimulationKernel, _ journal: inout PacketJournal
    ) {
        while let place = direction.nextGivenUp() {
            journal.makeRoom()
            drop(waiting.take(place).packet, reason, kernel, &journal)
        }
    }

    mutating func bringUp() {
        isDown = false
        isPlain = direction.isPlain
    }

    private mutating func duplicate(
        _ copy: consuming Parcel, _ marks: PacketMarks, _ kernel: inout SimulationKernel,
        _ journal: inout PacketJournal
    ) {
        let packet = travelling.put(copy)
        noteDuplicate(packet.pointee, kernel, &journal)
        let passage = direction.enqueueCopy(Int(packet.pointee.size), marks, at: kernel.now)
        if case .arrives(_, let marks) = passage {
            packet.pointee.isLostOnWay = marks.contains(.lostOnWay)
        }
        carry(packet, passage, &kernel, &journal)
    }

    private mutating func noteDuplicate(
        _ packet: borrowing Packet, _ kernel: borrowing SimulationKernel,
        _ journal: inout PacketJournal
    ) {
        books.duplicated.add(bytes: Int(packet.size))
        if packet.isForeign { books.foreignPackets &+= 1 }
        journal.append(
            record(.duplicated, packet, packet.size, atNanoseconds: kernel.nowNanoseconds))
    }

    /// Takes the first packet off at its arrival, or at the end of a way on which it was lost.
    @inline(__always)
    mutating func deliver(
        kernel: inout SimulationKernel, journal: inout PacketJournal
    ) -> UnsafePointer<Packet> {
        let packet = travelling.removeFirst()
        if travelling.isEmpty {
            kernel.cancel(source)
        } else {
            let next = travelling.first
            kernel.set(
                source, atNanoseconds: next.pointee.arrivalNanoseconds, order: next.pointee.order)
        }
        if packet.pointee.isLostOnWay {
            lose(packet, kernel, &journal)
            return packet
        }
        let size = packet.pointee.size
        books.deliveredBytes &+= UInt64(size)
        if packet.pointee.isForeign { books.foreignPackets &-= 1 }
        if packet.pointee.codepoint == .experienced { books.marked.add(bytes: Int(size)) }
        journal.append(
            record(
                .delivered, packet.pointee, size,
                atNanoseconds: packet.pointee.arrivalNanoseconds))
        return packet
    }

    @inline(never)
    private mutating func lose(
        _ packet: UnsafePointer<Packet>, _ kernel: borrowing SimulationKernel,
        _ journal: inout PacketJournal
    ) {
        books.lostOnWay &+= 1
        drop(packet.pointee, .lost, kernel, &journal)
    }

    /// Number of the next packet sent.
    var nextNumber: UInt32 {
        @inline(__always) get { UInt32(truncatingIfNeeded: sentCount) }
    }

    /// The packet that `deliver` will return.
    var nextDelivery: UnsafePointer<Packet> { travelling.first }

    /// A packet that `deliver` will return soon, or any other.
    var coming: UnsafePointer<Packet> {
        @inline(__always) get { travelling.coming }
    }

    /// Packets dropped because they were too large.
    var tooLargeCount: UInt64 { books.drops.tooLarge }

    /// Properties of the link, for the checks.
    var terms: LinkTerms { plan.terms }

    /// Current state of the books, including packets on the way.
    var count: LinkCount {
        var count = LinkCount()
        count.sent.packets = sentCount
        count.sent.bytes = books.sentBytes
        count.duplicated = books.duplicated
        count.delivered.packets = travelling.removedCount - books.lostOnWay
        count.delivered.bytes = books.deliveredBytes
        count.dropped = books.dropped
        if books.dropped.packets > 0 { count.drops = books.drops }
        if books.marked.packets > 0 { count.marked = books.marked }
        count.inFlight.packets = waiting.count
        count.inFlight.bytes = waiting.bytes
        travelling.forEach { count.inFlight.add(bytes: Int($0.size)) }
        return count
    }

    /// Packets on the link that are not cross traffic.
    var ownCount: UInt64 {
        sentCount + books.duplicated.packets + books.lostOnWay - travelling.removedCount
            - books.dropped.packets - books.foreignPackets
    }

    private var source: EventSource {
        @inline(__always) get { EventSource(.link, Int32(index)) }
    }

    @inline(__always)
    private func record(
        _ kind: PacketRecord.Kind, _ packet: borrowing Packet, _ size: UInt16,
        atNanoseconds time: UInt64
    ) -> PacketRecord {
        PacketRecord(
            atNanoseconds: time, kind: kind, packet: packet.number, link: index, flow: packet.flow,
            size: size, payload: packet.payload,
            sequence: UInt32(truncatingIfNeeded: packet.sequence),
            acknowledgement: UInt32(truncatingIfNeeded: packet.acknowledgement),
            flags: packet.flags, codepoint: packet.codepoint, ae: packet.ae)
    }
}
