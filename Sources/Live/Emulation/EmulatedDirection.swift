import LinkModels
import Quantities

/// A link direction in real time: the model, the packets it holds, and how late it gave them on.
///
/// It has no clock and no device: whoever drives it says what time it is. A packet arrives when the
/// model says, however late its driver came to ask; only the handing on is late then.
struct EmulatedDirection: ~Copyable {
    private var link: LinkDirection
    private var stalls = FrameStalls()
    private var row = ArrivalRow()
    private(set) var lateness = Lateness()

    init(_ plan: LinkPlan, seed: UInt64) { link = LinkDirection(plan, seed: seed) }

    /// Where the next packet is to be written to, before it is accepted.
    var incoming: UnsafeMutableRawBufferPointer { mutating get { stalls.incoming } }

    /// Takes the packet of so many bytes that was written to `incoming`.
    mutating func accept(_ length: Int, at now: Instant) -> LinkDirection.Passage {
        settle(until: now)
        let place = stalls.keep(length)
        let passage = link.enqueue(length, place: place, at: now)
        switch passage {
        case .arrives(let arrival, let marks):
            // Copied before its bits are turned: the copy's are turned for themselves.
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

    /// The next packet that has arrived by now; its bytes are good until the next call.
    mutating func takeArrived(at now: Instant) -> UnsafeRawBufferPointer? {
        settle(until: now)
        guard let first = row.first, first.arrival <= now else { return nil }
        row.removeFirst()
        lateness.note(now - first.arrival)
        stalls.release(first.place)
        return UnsafeRawBufferPointer(stalls.content(first.place))
    }

    /// When there will be something to do, if nothing comes before.
    var nextDeadline: Instant? {
        guard let departure = link.nextDeparture else { return row.first?.arrival }
        return row.first.map { min($0.arrival, departure) } ?? departure
    }

    /// A queue that decides at dequeue has to be asked at each departure, in order.
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
        // The last byte is payload, if there is any: its checksum will not fit.
        if marks.contains(.corrupted) {
            let bytes = stalls.content(place)
            bytes[bytes.count - 1] ^= 0xff
        }
        row.insert(.init(arrival: arrival, place: place))
    }
}
