import Quantities
import RunLog

/// The accounts of one link direction, kept from its packet records: packets on the way, and
/// totals. A ledger sees tens of millions of records. Its lane takes nearly all of them, packets on
/// the way are in a ring by number, and serialisation times are looked up.
struct LinkLedger: Sendable {
    private(set) var name = ""
    private(set) var isPlanned = false
    private var isDown = false
    private(set) var count = LinkCount()

    private var delay: UInt64 = 0
    private var keepsOrder = true
    private var keepsDistance = true
    private(set) var marking = LinkMarking()
    private var cells: CellChangeWatch?
    private var capacity: LinkCapacity?
    private var chances: LinkChances?
    private var delays: LinkDelays?
    /// Whether the link follows a trace that the log does not have.
    private(set) var lacksTrace = false
    private var shaper: LinkBucket?
    private var policer: LinkBucket?
    private var slots: LinkSlots?
    private var air: LinkAir?
    private var satellites: LinkTerms.Satellites?
    /// Whether a packet that is dropped later than it was sent has crossed the link.
    private var losesOnWay = false
    /// Packets sent that exceeded the policer.
    private(set) var exceeding: UInt64 = 0
    private(set) var lostBetweenSatellites: UInt64 = 0
    /// Packets that crossed the link and were lost.
    private(set) var lostOnWay: UInt64 = 0
    private var isScheduled = false
    /// Whether the rate is constant, and packets neither overtake nor approach each other.
    private var isPlain = false
    /// Serialisation time in nanoseconds, for all common sizes.
    private var serialisation: [UInt64] = []
    private var rate = Bitrate(bitsPerSecond: 1)

    private var onWay = PacketsOnWay()
    private var lastDelivery: UInt64 = 0
    /// The earliest possible departure of the latest packet, if jitter hides the real one.
    private var virtualDeparture: UInt64 = 0
    private var shares = FlowShares()

    /// Takes the terms of the link, which may name some of the run's traces.
    mutating func plan(_ terms: LinkTerms, traces: [IncludedTrace] = []) {
        isPlanned = true
        name = terms.name
        rate = terms.rate
        delay = terms.delay.nanoseconds.magnitude
        keepsOrder = terms.keepsOrder ?? true
        keepsDistance = terms.keepsDistance ?? true
        marking = LinkMarking(terms)
        cells = terms.forgets.map { CellChangeWatch($0) }
        capacity = LinkCapacity(terms)
        chances = LinkChances(terms, traces: traces)
        delays = LinkDelays(terms, traces: traces)
        shaper = terms.shaper.map { LinkBucket($0) }
        policer = terms.policer.map { LinkBucket($0) }
        slots = terms.slots.map { LinkSlots($0) }
        air = terms.air.map { LinkAir($0, peak: terms.rate) }
        satellites = terms.satellites
        losesOnWay = terms.losesOnWay ?? false
        lacksTrace =
            terms.trace != nil && chances == nil || terms.delayTrace != nil && delays == nil
        isScheduled =
            capacity != nil || chances != nil || delays != nil || shaper != nil || slots != nil
            || air != nil
        isPlain =
            keepsOrder && keepsDistance && terms.hasConstantRate && terms.hasConstantDelay
            && !isScheduled && policer == nil && satellites == nil && !losesOnWay
            && terms.markThreshold == nil
        serialisation =
            terms.hasChances
            ? Array(repeating: 0, count: 2048)
            : terms.rate.timesToSend(fewerThan: 2048).map(\.nanoseconds.magnitude)
    }

    /// Takes a record; false if it is impossible, and `impossibility` then says why.
    mutating func take(_ record: PacketRecord) -> Bool {
        switch record.kind {
        case .sent: send(record)
        case .delivered: deliver(record)
        case .dropped, .duplicated: dropOrDuplicate(record)
        case .captured: true
        }
    }

    /// Opens the lane of a plain link while `body` runs; any other link gets a closed lane.
    mutating func withLane<Result>(_ body: (inout LinkLane) -> Result) -> Result {
        guard isPlain, !isDown else {
            var lane = LinkLane.closed
            return body(&lane)
        }
        return serialisation.withUnsafeBufferPointer { onWire in
            onWay.withRow { row in
                shares.withOpened { shares in
                    let before = (row.oldest, row.next)
                    var lane = LinkLane(
                        row: row, onWire: onWire, delay: delay, lastDelivery: lastDelivery,
                        shares: shares)
                    let result = body(&lane)
                    row = lane.row
                    // The movement of the row counts the packets.
                    count.sent.packets += UInt64(row.next &- before.1)
                    count.sent.bytes += lane.sentBytes
                    count.delivered.packets += UInt64(row.oldest &- before.0 &- lane.skipped)
                    count.delivered.bytes += lane.deliveredBytes
                    count.dropped.packets += lane.dropped.packets
                    count.dropped.bytes += lane.dropped.bytes
                    lastDelivery = lane.lastDelivery
                    return result
                }
            }
        }
    }

    mutating func goDown() { isDown = true }

    /// Notes that the link is up again: packets on it when it went down, or sent since, must be
    /// lost.
    mutating func comeUp() -> Slip? {
        isDown = false
        let count = expectedCount.inFlight.packets
        guard count > 0 else { return nil }
        return Slip(
            expected: "no packet is left on the \(name) when it comes up again",
            seen: "\(count) packets are still on it")
    }

    var hasDelay: Bool { delay > 0 }

    /// What the terms of the link say about the distance of its packets.
    var clause: NetworkObeysPhysics.Clause? {
        if delays != nil { return .changingDelay }
        if slots != nil { return .slots }
        if marking.hasTwoLines { return .lines }
        if !keepsOrder { return .reordering }
        if !keepsDistance { return .jitter }
        if shaper != nil { return .shaper }
        if air != nil { return .air }
        if chances != nil { return .trace }
        return capacity != nil ? .changingRate : .rate
    }

    /// Returns why the record that `take` has just rejected is impossible.
    func impossibility(of record: PacketRecord) -> Slip {
        let packet = "packet \(record.packet) of the \(name)"
        guard isPlanned else {
            return Slip(
                expected: "packets only on planned links", seen: "a packet on link \(record.link)")
        }
        if record.kind == .sent {
            return Slip(
                expected: "packet \(onWay.next) is the next to be sent on the \(name)",
                seen: "\(packet) is sent")
        }
        guard let entry = onWay[record.packet] else {
            return Slip(
                expected: "a packet that was sent and is still on the way",
                seen: "\(packet) is \(record.kind), but is not on the way")
        }
        guard entry.size == record.size else {
            return Slip(
                expected: "\(packet) keeps its \(entry.size) B", seen: "it has \(record.size) B")
        }
        let seen = "it is \(record.kind) at \(record.atNanoseconds) ns"
        guard record.kind == .delivered || record.atNanoseconds >= entry.sentAt else {
            return Slip(
                expected: "\(packet), sent at \(entry.sentAt) ns, is not \(record.kind) before "
                    + "that",
                seen: seen)
        }
        return impossibility(of: record, entry, seen: seen)
    }

    /// Returns why a packet on the way cannot have come to the end of the link.
    private func impossibility(
        of record: PacketRecord, _ entry: PacketsOnWay.Entry, seen: String
    ) -> Slip {
        let packet = "packet \(record.packet) of the \(name)"
        guard marking.isPossible(entry, record) else {
            return Slip(
                expected: "\(packet) arrives \(entry.codepoint), as it was sent, or marked by a "
                    + "queue that marks",
                seen: "it arrives \(record.codepoint)")
        }
        guard !isDown else {
            return Slip(expected: "the \(name) delivers nothing while it is down", seen: seen)
        }
        guard !entry.mustBeDropped else {
            return Slip(
                expected: "\(packet), sent at \(entry.sentAt) ns, is dropped by the policer or "
                    + "between two satellites", seen: seen)
        }
        let wire = onWire(record.size)
        let arrival = entry.sentAt + wire + delay
        guard arrival <= record.atNanoseconds else {
            return Slip(
                expected: "\(packet), sent at \(entry.sentAt) ns, is not delivered before "
                    + "\(arrival) ns",
                seen: seen)
        }
        guard !isTooClose(record) else {
            return Slip(
                expected: "\(packet) arrives \(wire) ns or more after the packet before it, which "
                    + "came at \(lastDelivery) ns",
                seen: seen)
        }
        var marking = marking
        if let slip = marking.take(record, entry, waited: record.atNanoseconds - arrival) {
            return slip
        }
        guard !keepsOrder || record.packet == onWay.oldest else {
            return Slip(
                expected: "packet \(onWay.oldest) of the \(name), which was sent before it, "
                    + "comes before it",
                seen: "\(packet) comes at \(record.atNanoseconds) ns")
        }
        var cells = cells
        let departure = keepsDistance ? record.atNanoseconds - delay : virtualDeparture
        if cells?.allows(entry.sentAt, leaving: departure) == false {
            return Slip(
                expected: "\(packet), sent at \(entry.sentAt) ns, is lost if it still waits when "
                    + "the cell changes",
                seen: seen)
        }
        let when = slots == nil ? "the link's rate lets it" : "its rate and its slots let it"
        return Slip(
            expected: "\(packet), sent at \(entry.sentAt) ns, leaves when \(when), "
                + (delays == nil
                    ? "\(delay) ns before it arrives"
                    : "and arrives after the delay of that moment"),
            seen: seen)
    }

    /// Notes that another sender uses this link.
    mutating func share(_ flow: UInt16) { shares.add(flow) }

    /// Returns what was delivered of another flow; `nil` if it was not announced.
    func delivered(of flow: UInt16) -> LinkCount.Tally? { shares[flow] }

    // MARK: The kinds of record

    private mutating func send(_ record: PacketRecord) -> Bool {
        guard isPlanned, record.packet == onWay.next else { return false }
        var entry = PacketsOnWay.Entry(of: record)
        if !isDown, policer?.admits(record.size, at: record.atNanoseconds) == false {
            entry.mustBeDropped = true
            exceeding += 1
        }
        if isLostBetweenSatellites(record) {
            entry.mustBeDropped = true
            lostBetweenSatellites += 1
        }
        onWay.append(entry)
        count.sent.packets &+= 1
        count.sent.bytes &+= UInt64(record.size)
        return true
    }

    private mutating func deliver(_ record: PacketRecord) -> Bool {
        guard !isDown, let entry = onWay[record.packet], entry.size == record.size,
            !entry.mustBeDropped, marking.isPossible(entry, record), crosses(entry, record)
        else { return false }
        count.delivered.packets &+= 1
        count.delivered.bytes &+= UInt64(record.size)
        if record.codepoint == .experienced {
            count.marked = count.marked ?? LinkCount.Tally()
            count.marked?.add(bytes: Int(record.size))
        }
        shares.note(record.flow, record.size)
        onWay.takeOff(record.packet)
        return true
    }

    /// Whether a packet was sent while the link moved to another satellite.
    private func isLostBetweenSatellites(_ record: PacketRecord) -> Bool {
        guard let satellites, !isDown else { return false }
        let (turns, since) = record.atNanoseconds.quotientAndRemainder(
            dividingBy: satellites.every.nanoseconds.magnitude)
        return turns > 0 && since < satellites.outage.nanoseconds.magnitude
    }

    /// Whether a packet may be at the end of the link at this moment, and may be the next there.
    private mutating func crosses(_ entry: PacketsOnWay.Entry, _ record: PacketRecord) -> Bool {
        let arrival = entry.sentAt + onWire(record.size) + delay
        guard record.atNanoseconds >= arrival, !isTooClose(record),
            // Earlier packets are no longer on the link.
            !keepsOrder || record.packet == onWay.oldest
        else { return false }
        if isScheduled, !keepsSchedule(entry, record) { return false }
        guard staysInCell(entry, record),
            marking.take(record, entry, waited: record.atNanoseconds - arrival) == nil
        else { return false }
        lastDelivery = record.atNanoseconds
        return true
    }

    private mutating func dropOrDuplicate(_ record: PacketRecord) -> Bool {
        guard let entry = onWay[record.packet], entry.size == record.size,
            record.atNanoseconds >= entry.sentAt
        else { return false }
        if record.kind == .dropped {
            let wasOnWay = losesOnWay && !isDown && record.atNanoseconds > entry.sentAt
            if wasOnWay {
                guard crosses(entry, record) else { return false }
                lostOnWay += 1
            }
            count.dropped.add(bytes: Int(record.size))
            onWay.takeOff(record.packet)
        } else {
            count.duplicated.add(bytes: Int(record.size))
            onWay.duplicate(record.packet)
        }
        return true
    }

    /// Whether the link's schedule allows a delivery that is otherwise possible.
    private mutating func keepsSchedule(_ entry: PacketsOnWay.Entry, _ record: PacketRecord) -> Bool
    {
        if slots?.admit(record.size, at: record.atNanoseconds) == false { return false }
        if delays != nil || keepsOrder && !keepsDistance {
            return followsVirtualDeparture(entry, record)
        }
        let departure = record.atNanoseconds - delay
        let isMine = keepsDistance && lastDelivery >= delay
        let begin = isMine ? max(entry.sentAt, lastDelivery - delay) : entry.sentAt
        if let capacity, !capacity.suffices(for: record.size, from: begin, to: departure) {
            return false
        }
        guard keepsDistance else { return true }
        let wire = onWire(record.size)
        if shaper?.admits(record.size, at: departure - wire) == false { return false }
        if air?.admits(record.size, sentAt: entry.sentAt, leavingAt: departure) == false {
            return false
        }
        return chances?.suffice(for: record.size, at: departure) ?? true
    }

    /// Whether the packet has left in the cell in which it was sent, if a change loses what waits.
    private mutating func staysInCell(_ entry: PacketsOnWay.Entry, _ record: PacketRecord) -> Bool {
        let departure = keepsDistance ? record.atNanoseconds - delay : virtualDeparture
        return cells?.allows(entry.sentAt, leaving: departure) ?? true
    }

    /// How often packets have moved on after a change of the cell.
    var cellChanges: Int { cells?.count ?? 0 }

    /// Whether a packet left no earlier than possible. Jitter and a changing delay hide the
    /// departure, but not its lower bound: after all earlier packets, each as early as the rate
    /// allows. Where packets overtake, only the packet itself is known to have left before, and a
    /// bucket may have been full between two that come in the other order.
    private mutating func followsVirtualDeparture(
        _ entry: PacketsOnWay.Entry, _ record: PacketRecord
    ) -> Bool {
        let isOrdered = keepsOrder || keepsDistance
        let begin = isOrdered ? max(entry.sentAt, virtualDeparture) : entry.sentAt
        if let capacity {
            virtualDeparture = capacity.earliestEnd(of: UInt64(record.size), from: begin)
        } else if chances == nil {
            let ready = isOrdered ? shaper?.earliest(for: record.size, from: begin) : nil
            virtualDeparture =
                air?.earliestEnd(of: record.size, from: ready ?? begin)
                ?? (ready ?? begin) + onWire(record.size)
        } else if isOrdered {
            virtualDeparture =
                chances?.earliestEnd(ofNext: record.size, from: entry.sentAt) ?? begin
        } else {
            virtualDeparture = begin
        }
        let earliest =
            delays?.earliestArrival(leaving: virtualDeparture) ?? virtualDeparture + delay
        return record.atNanoseconds >= earliest
    }

    @inline(__always)
    private func isTooClose(_ record: PacketRecord) -> Bool {
        (keepsDistance || keepsOrder && slots == nil)
            && record.atNanoseconds < lastDelivery + onWire(record.size)
    }

    // MARK: The wire

    @inline(__always)
    private func onWire(_ size: UInt16) -> UInt64 {
        Int(size) < serialisation.count
            ? serialisation[Int(size)]
            : rate.timeToSend(ByteCount(UInt64(size))).nanoseconds.magnitude
    }
}
