import LinkModels
import Quantities
import RunLog

/// A link direction in virtual time: the model, the packets that travel on it, and its books.
struct NetworkLink: ~Copyable, Clonable {
    private let plan: LinkPlan
    private let index: UInt16
    private var direction: LinkDirection
    private var travelling = PacketRing()
    private var books = Books()
    /// How many packets were sent, duplicates not counted.
    private var sentCount: UInt64 = 0
    private let overtakesOnWay: Bool
    /// Packets in a queue that decides about them later, and when the next will leave it.
    private var waiting = PacketStalls()
    private let isDisciplined: Bool
    /// The usual way in `send`; not taken while the link is down, either.
    private var isPlain: Bool
    private(set) var isDown = false
    private var departure: Instant?

    /// Counted packet by packet, so that they can be held against each other in the end.
    private struct Books {
        var sentBytes: UInt64 = 0
        var duplicatedPackets: UInt64 = 0
        var duplicatedBytes: UInt64 = 0
        var deliveredBytes: UInt64 = 0
        var droppedPackets: UInt64 = 0
        var droppedBytes: UInt64 = 0
        var drops = LinkCount.Drops()
        /// Of those that have left the row by its head, the ones that were dropped there.
        var lostOnWay: UInt64 = 0
        var marked = LinkCount.Tally()
        /// Packets of the cross traffic that are on the link now.
        var foreignPackets: UInt64 = 0
    }

    init(_ plan: LinkPlan, index: UInt16, seed: UInt64) {
        self.plan = plan
        overtakesOnWay = plan.overtakesOnWay
        isDisciplined =
            if case .disciplined = plan.bottleneck.queue { true } else { false }
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

    /// Writes a packet to where it will travel.
    @inline(__always)
    mutating func write(_ packet: consuming Packet) -> UnsafeMutablePointer<Packet> {
        let place = travelling.freeSlot()
        place.initialize(to: packet)
        return place
    }

    /// Says what SACK blocks the packet has that was written last.
    mutating func write(_ blocks: SelectiveAcknowledgement) { travelling.put(blocks) }

    /// The SACK blocks of a packet that is here, or has just arrived.
    func blocks(of packet: UnsafePointer<Packet>) -> SelectiveAcknowledgement {
        travelling.blocks(of: packet)
    }

    /// Puts what was written on the way, or drops it; the kernel hears of it when it is the first
    /// in the row.
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
            let arrival = direction.arrival(
                of: Int(size), atNanoseconds: kernel.nowNanoseconds)
            guard let arrival else {
                return drop(packet.pointee, .queueFull, kernel, &journal)
            }
            return putLast(packet, atNanoseconds: arrival, &kernel)
        }
        sendFiltered(packet, &kernel, &journal)
    }

    /// What stands in the free slot passes the link's stages, and a queue of whatever kind.
    private mutating func sendFiltered(
        _ packet: UnsafeMutablePointer<Packet>, _ kernel: inout SimulationKernel,
        _ journal: inout PacketJournal
    ) {
        if isDown { return drop(packet.pointee, .linkDown, kernel, &journal) }
        if isDisciplined { return makeWait(packet, &kernel, &journal) }
        let passage = direction.enqueue(Int(packet.pointee.size), at: kernel.now)
        // The raw value, for a set's own questions are calls into another target for every packet.
        if case .arrives(_, let marks) = passage, marks.rawValue != 0 {
            return carry(packet, passage, marks, &kernel, &journal)
        }
        carry(packet, passage, &kernel, &journal)
    }

    /// What stands in the free slot goes on the way, or is dropped.
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

    /// The same, of a packet that a stage has marked.
    private mutating func carry(
        _ packet: UnsafeMutablePointer<Packet>, _ passage: LinkDirection.Passage,
        _ marks: PacketMarks, _ kernel: inout SimulationKernel, _ journal: inout PacketJournal
    ) {
        packet.pointee.isCorrupted = marks.contains(.corrupted)
        guard marks.contains(.duplicated) else {
            return carry(packet, passage, &kernel, &journal)
        }
        let copy = travelling.copy(of: packet)
        carry(packet, passage, &kernel, &journal)
        duplicate(copy, marks, &kernel, &journal)
    }

    /// Enters what stands in the free slot into the row.
    private mutating func putOnWay(
        _ packet: UnsafeMutablePointer<Packet>, atNanoseconds arrival: UInt64,
        _ kernel: inout SimulationKernel
    ) {
        guard overtakesOnWay else { return putLast(packet, atNanoseconds: arrival, &kernel) }
        packet.pointee.arrivalNanoseconds = arrival
        packet.pointee.order = kernel.takeOrder()
        insert(&kernel)
    }

    /// Enters it behind all others.
    @inline(__always)
    private mutating func putLast(
        _ packet: UnsafeMutablePointer<Packet>, atNanoseconds arrival: UInt64,
        _ kernel: inout SimulationKernel
    ) {
        packet.pointee.arrivalNanoseconds = arrival
        packet.pointee.order = kernel.takeOrder()
        if travelling.isEmpty {
            kernel.set(
                source, atNanoseconds: arrival, order: packet.pointee.order)
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
        case .tooLarge: books.drops.tooLarge &+= 1
        case .queueFull: books.drops.byQueue &+= 1
        case .linkDown: books.drops.whileDown = (books.drops.whileDown ?? 0) + 1
        }
        books.droppedPackets &+= 1
        books.droppedBytes &+= UInt64(packet.size)
        if packet.isForeign { books.foreignPackets &-= 1 }
        journal.append(
            record(.dropped, packet, packet.size, atNanoseconds: kernel.nowNanoseconds))
    }

    /// The row stays sorted by arrival, so that its head is the only event of a link that
    /// reorders, too.
    private mutating func insert(_ kernel: inout SimulationKernel) {
        travelling.insert()
        let first = travelling.first
        kernel.set(
            source, atNanoseconds: first.pointee.arrivalNanoseconds, order: first.pointee.order)
    }

    // MARK: Queues that decide later

    /// What stands in the free slot waits in a stall instead.
    private mutating func makeWait(
        _ packet: UnsafeMutablePointer<Packet>, _ kernel: inout SimulationKernel,
        _ journal: inout PacketJournal
    ) {
        let size = packet.pointee.size
        let flow = packet.pointee.flow
        let isMarkable = packet.pointee.codepoint != .notCapable
        let place = waiting.put(travelling.copy(of: packet))
        let passage = direction.enqueue(
            Int(size), flow: flow, place: place, isMarkable: isMarkable, at: kernel.now)
        switch passage {
        case .waits(let marks) where marks.contains(.duplicated):
            books.duplicatedPackets &+= 1
            books.duplicatedBytes &+= UInt64(size)
            if packet.pointee.isForeign { books.foreignPackets &+= 1 }
            journal.append(
                record(.duplicated, packet.pointee, size, atNanoseconds: kernel.nowNanoseconds))
            _ = direction.enqueueCopy(
                Int(size), marks, flow: flow, place: waiting.put(travelling.copy(of: packet)),
                isMarkable: isMarkable, at: kernel.now)
        case .waits: break
        case .dropped(let reason): drop(waiting.take(place).packet, reason, kernel, &journal)
        case .arrives:
            preconditionFailure("a departure of \(plan.name) is known before its time")
        }
        settle(&kernel, &journal)
    }

    /// A packet has left the queue, and is on the way.
    mutating func depart(kernel: inout SimulationKernel, journal: inout PacketJournal) {
        guard let left = direction.depart() else {
            preconditionFailure("nothing leaves \(plan.name) at \(kernel.now)")
        }
        let packet = travelling.put(waiting.take(left.place))
        packet.pointee.isCorrupted = left.marks.contains(.corrupted)
        if left.marks.contains(.congested) { packet.pointee.codepoint = .experienced }
        putOnWay(packet, atNanoseconds: left.arrival.nanoseconds, &kernel)
        departure = nil
        settle(&kernel, &journal)
    }

    /// What follows from a change in the queue: drops, and the moment of the next departure.
    private mutating func settle(
        _ kernel: inout SimulationKernel, _ journal: inout PacketJournal
    ) {
        while let place = direction.nextGivenUp() {
            journal.makeRoom()
            drop(waiting.take(place).packet, .queueFull, kernel, &journal)
        }
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

    /// What waits or is on the way is lost, and so is all that is sent until it is up again.
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
        while let place = direction.nextGivenUp() {
            journal.makeRoom()
            drop(waiting.take(place).packet, .linkDown, kernel, &journal)
        }
        if departure != nil { kernel.cancel(EventSource(.departure, Int32(index))) }
        departure = nil
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
        let size = packet.pointee.size
        books.duplicatedPackets &+= 1
        books.duplicatedBytes &+= UInt64(size)
        if packet.pointee.isForeign { books.foreignPackets &+= 1 }
        journal.append(
            record(.duplicated, packet.pointee, size, atNanoseconds: kernel.nowNanoseconds))
        let passage = direction.enqueueCopy(Int(size), marks, at: kernel.now)
        carry(packet, passage, &kernel, &journal)
    }

    /// Takes the first packet off, at the moment of its arrival.
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

    /// That of the packet that will be sent next.
    var nextNumber: UInt32 {
        @inline(__always) get { UInt32(truncatingIfNeeded: sentCount) }
    }

    /// What `deliver` will take off.
    var nextDelivery: UnsafePointer<Packet> { travelling.first }

    /// What it will take off soon; or any other packet.
    var coming: UnsafePointer<Packet> {
        @inline(__always) get { travelling.coming }
    }

    /// What the link promises, for the checks.
    var terms: LinkTerms {
        var terms = LinkTerms(
            name: plan.name, rate: plan.bottleneck.rate, delay: plan.delay,
            queueLimit: plan.bottleneck.queue.limit, loss: plan.meanLoss)
        if !plan.keepsOrder { terms.keepsOrder = false }
        if case .disciplined(let discipline, _) = plan.bottleneck.queue, discipline.marks {
            terms.marks = true
        }
        if !plan.keepsDistance { terms.keepsDistance = false }
        switch plan.bottleneck.schedule {
        case .steps(let schedule):
            terms.rateSteps = schedule.steps.map { .init(from: $0.from, rate: $0.rate) }
            terms.ratePeriod = schedule.period
        case .trace(let trace): terms.chances = trace.chances
        case nil: break
        }
        return terms
    }

    /// The books as they stand, with what is on the way now.
    var count: LinkCount {
        var count = LinkCount()
        count.sent.packets = sentCount
        count.sent.bytes = books.sentBytes
        count.duplicated.packets = books.duplicatedPackets
        count.duplicated.bytes = books.duplicatedBytes
        count.delivered.packets = travelling.removedCount - books.lostOnWay
        count.delivered.bytes = books.deliveredBytes
        count.dropped.packets = books.droppedPackets
        count.dropped.bytes = books.droppedBytes
        if books.droppedPackets > 0 { count.drops = books.drops }
        if books.marked.packets > 0 { count.marked = books.marked }
        count.inFlight.packets = waiting.count
        count.inFlight.bytes = waiting.bytes
        travelling.forEach { count.inFlight.add(bytes: Int($0.size)) }
        return count
    }

    /// Packets on the link that are not of the cross traffic.
    var ownCount: UInt64 {
        sentCount + books.duplicatedPackets + books.lostOnWay - travelling.removedCount
            - books.droppedPackets - books.foreignPackets
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
            flags: packet.flags, codepoint: packet.codepoint)
    }
}
