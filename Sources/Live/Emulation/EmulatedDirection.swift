import LinkModels
import Quantities

/// A link direction in real time: the model, its packets, and its lateness.
///
/// Its driver provides the time. Packets arrive when the model says; a driver that asks late only
/// hands them on late.
struct EmulatedDirection: ~Copyable {
    private var link: LinkDirection
    private var stalls = FrameStalls()
    private var row = ArrivalRow()
    private(set) var lateness = Lateness()

    init(_ plan: LinkPlan, seed: UInt64) { link = LinkDirection(plan, seed: seed) }

    /// The buffer for the next packet.
    var incoming: UnsafeMutableRawBufferPointer { mutating get { stalls.incoming } }

    /// Takes the packet that was written to `incoming`.
    mutating func accept(_ length: Int, at now: Instant) -> LinkDirection.Passage {
        settle(until: now)
        let place = stalls.keep(length)
        let passage = link.enqueue(length, place: place, at: now)
        switch passage {
        case .arrives(let arrival, let marks):
            // Copied before its bits flip: the copy's bits flip separately.
            let copy = marks.contains(.duplicated) ? stalls.copy(place) : nil
            putOnWay(place, arrival, marks)
            if let copy { acceptCopy(copy, marks, at: now) }
        case .waits(let marks):
            if marks.contains(.duplicated) { acceptCopy(stalls.copy(place), marks, at: now) }
        case .dropped:
            stalls.release(place)
        }
        releaseGivenUp()
        return passage
    }

    /// Takes the next packet that has arrived. Its bytes are valid until the next call.
    mutating func takeArrived(at now: Instant) -> UnsafeRawBufferPointer? {
        settle(until: now)
        guard let first = row.first, first.arrival <= now else { return nil }
        row.removeFirst()
        lateness.note(now - first.arrival)
        stalls.release(first.place)
        return UnsafeRawBufferPointer(stalls.content(first.place))
    }

    /// The next departure or arrival.
    var nextDeadline: Instant? {
        guard let departure = link.nextDeparture else { return row.first?.arrival }
        return row.first.map { min($0.arrival, departure) } ?? departure
    }

    /// A queue that decides at dequeue must be asked at each departure, in order.
    private mutating func settle(until now: Instant) {
        while let departure = link.nextDeparture, departure <= now, let left = link.depart() {
            putOnWay(left.place, left.arrival, left.marks)
            releaseGivenUp()
        }
    }

    private mutating func releaseGivenUp() {
        while let place = link.nextGivenUp() { stalls.release(place) }
    }

    private mutating func acceptCopy(_ copy: Int32, _ marks: PacketMarks, at now: Instant) {
        let length = stalls.content(copy).count
        switch link.enqueueCopy(length, marks, place: copy, at: now) {
        case .arrives(let arrival, let marks): putOnWay(copy, arrival, marks)
        case .waits: break
        case .dropped: stalls.release(copy)
        }
    }

    private mutating func putOnWay(_ place: Int32, _ arrival: Instant, _ marks: PacketMarks) {
        if marks.contains(.lostOnWay) { return stalls.release(place) }
        // Flips the last byte, which is payload if there is any, and so breaks the checksum.
        if marks.contains(.corrupted) {
            let bytes = stalls.content(place)
            bytes[bytes.count - 1] ^= 0xff
        }
        row.insert(.init(arrival: arrival, place: place))
    }
}
