import CProcessor
import LinkModels

/// The segments from the first unacknowledged one to the last sent, and their states.
///
/// Segments are in order of sequence, which is the order of first transmission. Retransmitted
/// segments are also queued in order of retransmission. Losses are found at the front of either
/// queue, at constant cost. Storage is raw, because every segment is written and read here once.
struct Scoreboard: ~Copyable, Clonable {
    /// Bytes believed to be in the network: RFC 6675's pipe.
    private(set) var inFlight: UInt64 = 0
    /// Bytes sent, including retransmissions, and bytes known to have arrived.
    private(set) var sent: UInt64 = 0
    private(set) var delivered: UInt64 = 0
    private(set) var sackedCount = 0
    private(set) var lostCount = 0
    private var slots: UnsafeMutablePointer<Segment>
    private var mask = 15
    private var head = 0
    private var tail = 0
    /// Retransmitted segments on the way, in order of retransmission.
    private var repeated = SegmentNumberRing()
    var detection = LossDetection()
    var estimator = DeliveryRateEstimator()
    // Fields used only for losses come last.
    /// Bytes marked as lost, counted every time.
    private(set) var lostBytes: UInt64 = 0
    /// Segments marked as lost that have not arrived, even if retransmitted.
    private(set) var missingCount = 0
    /// Lost segments that were retransmitted and are on the way.
    private(set) var repairingCount = 0
    /// Number of retransmissions, and of segments reported as duplicates.
    private(set) var repetitions = 0
    private var duplicates = 0
    /// First segment whose first transmission has not been judged.
    private var judged = 0
    /// Segments to retransmit: lost for the first time, and lost again.
    private var lost = SegmentNumberRing()
    private var lostAgain = SegmentNumberRing()
    /// Blocks of the latest acknowledgement, which need not be looked up again.
    private var known: (Range<UInt64>, Range<UInt64>, Range<UInt64>) = (0..<0, 0..<0, 0..<0)

    init() { slots = .allocate(capacity: mask + 1) }

    deinit { slots.deallocate() }

    mutating func unshare() {
        slots = slots.cloned(capacity: mask + 1)
        repeated.unshare()
        estimator.unshare()
        lost.unshare()
        lostAgain.unshare()
    }

    // MARK: Sending

    @inline(__always)
    mutating func append(_ segment: Segment) {
        if tail &- head > mask { slots.growRing(head..<tail, mask: &mask) }
        (slots + (tail & mask)).initialize(to: segment)
        inFlight &+= segment.length
        if estimator.isOn { noteLeaving(tail, at: segment.sentAt) }
        tail &+= 1
        sent &+= segment.length
    }

    /// Returns the next segment to retransmit: the one with the lowest number, as RFC 8985's
    /// tie-break for segments of the same time expects.
    mutating func firstLost() -> Segment? {
        while let number = lost.first, !isWaiting(number) { lost.removeFirst() }
        while let number = lostAgain.first, !isWaiting(number) { lostAgain.removeFirst() }
        return foremostLost.map { slots[$0 & mask] }
    }

    /// Retransmits the last segment as a probe; there must be one.
    mutating func lastLeaves(at now: UInt64) -> Segment {
        let segment = slots + ((tail - 1) & mask)
        precondition(tail > head && segment.pointee.isOnWay, "no tail to probe with")
        segment.pointee.isRepeated = true
        segment.pointee.sentAt = now
        repetitions += 1
        sent += segment.pointee.length
        if estimator.isOn { noteLeaving(tail - 1, at: now) }
        repeated.append(tail - 1)
        return segment.pointee
    }

    /// Retransmits the segment that `firstLost` has returned.
    mutating func firstLostLeaves(at now: UInt64) {
        guard let number = foremostLost else { return }
        if number == lost.first { lost.removeFirst() } else { lostAgain.removeFirst() }
        let segment = slots + (number & mask)
        segment.pointee.state = .repairing
        segment.pointee.isRepeated = true
        segment.pointee.sentAt = now
        repetitions += 1
        repairingCount += 1
        lostCount -= 1
        inFlight += segment.pointee.length
        sent += segment.pointee.length
        if estimator.isOn { noteLeaving(number, at: now) }
        repeated.append(number)
    }

    // MARK: Arriving acknowledgements

    /// Removes all segments before `end`, which have arrived; `echo` is the stamp of the answered
    /// packet.
    @inline(__always)
    mutating func acknowledge(to end: UInt64, echo: UInt64, at now: UInt64) {
        while head < tail {
            let segment = slots[head & mask]
            guard segment.end <= end else {
                // Prefetch for the next acknowledgement.
                return prefetch(slots + ((head &+ 2) & mask))
            }
            guard segment.state == .flying else {
                return acknowledgeMixed(to: end, echo: echo, at: now)
            }
            let number = head
            head &+= 1
            inFlight &-= segment.length
            delivered &+= segment.length
            note(number, segment, echo: echo, at: now)
        }
    }

    /// Continues `acknowledge` with segments in any state.
    @inline(never)
    private mutating func acknowledgeMixed(to end: UInt64, echo: UInt64, at now: UInt64) {
        while head < tail, slots[head & mask].end <= end {
            let segment = slots[head & mask]
            discount(head)
            head += 1
            if segment.state == .sacked { continue }
            delivered += segment.length
            note(head - 1, segment, echo: echo, at: now)
        }
    }

    /// Marks what has arrived beyond `acknowledged`. With `isTwice`, the first block is a
    /// duplicate.
    mutating func take(
        _ blocks: SelectiveAcknowledgement, beyond acknowledged: UInt64, isTwice: Bool,
        at now: UInt64
    ) {
        var heard: (Range<UInt64>, Range<UInt64>, Range<UInt64>) = (0..<0, 0..<0, 0..<0)
        for place in (isTwice ? 1 : 0)..<Int(blocks.count) {
            let block = blocks.range(place, acknowledging: acknowledged)
            sack(block, at: now)
            heard = (block, heard.0, heard.1)
        }
        known = heard
    }

    /// Notes a duplicate. Returns its number of segments, or 0 if there have been more duplicates
    /// than retransmissions: then the network has duplicated a packet. Needless retransmissions
    /// count as delivered, as in Linux.
    mutating func takeDuplicate(_ range: Range<UInt64>, segment: UInt64) -> Int {
        let length = range.upperBound - range.lowerBound
        let segments = Int((length + segment - 1) / segment)
        duplicates += segments
        guard duplicates <= repetitions else { return 0 }
        delivered += length
        return segments
    }

    /// Returns how many unacknowledged segments in a range were retransmitted.
    func repeatedCount(in range: Range<UInt64>) -> Int {
        var place = number(of: range.lowerBound)
        var count = 0
        while place < tail, slots[place & mask].end <= range.upperBound {
            if slots[place & mask].isRepeated { count += 1 }
            place += 1
        }
        return count
    }

    // MARK: Losses

    /// Marks the segments that are lost by now (RFC 8985 §6.2, step 5); returns whether there are
    /// any.
    mutating func detectLosses(at now: UInt64, smoothed: UInt64, isRecovering: Bool) -> Bool {
        let lostBefore = lostCount
        detection.open(
            sackedCount: sackedCount, smoothed: smoothed, isRecovering: isRecovering)
        if judged < head { judged = head }
        while judged < tail {
            let segment = slots[judged & mask]
            if segment.state == .flying, !segment.isRepeated {
                guard detection.isLost(segment, at: now) else { break }
                markLost(judged)
            }
            judged += 1
        }
        while let number = repeated.first {
            if number >= head, slots[number & mask].isOnWay {
                guard detection.isLost(slots[number & mask], at: now) else { break }
                markLost(number)
            }
            repeated.removeFirst()
        }
        return lostCount > lostBefore
    }

    /// Marks the first segment as lost, and every segment that has had enough time (RFC 8985 §6.3).
    mutating func timedOut(at now: UInt64, smoothed: UInt64) {
        detection.open(sackedCount: sackedCount, smoothed: smoothed, isRecovering: false)
        for number in head..<tail where slots[number & mask].isOnWay {
            if number == head || detection.hadTime(slots[number & mask], until: now) {
                markLost(number)
            }
        }
        queueAnew()
    }

    /// Marks lost segments as on the way again.
    mutating func undoLosses() {
        lost.removeAll()
        lostAgain.removeAll()
        missingCount = 0
        for number in head..<tail {
            slots[number & mask].wasLost = false
            guard slots[number & mask].state == .lost else { continue }
            slots[number & mask].state = .flying
            inFlight += slots[number & mask].length
            lostCount -= 1
            if slots[number & mask].isRepeated { repeated.append(number) }
        }
        judged = head
    }

    /// Cuts segments that have not arrived to a size. Larger ones on the way are lost.
    mutating func cut(to size: UInt64) {
        var cut: [Segment] = []
        var former: [Int] = []
        for number in head..<tail {
            let isLarge = UInt64(slots[number & mask].payload) > size
            if isLarge, slots[number & mask].isOnWay { markLost(number) }
            let segment = slots[number & mask]
            let pieces = segment.state == .sacked ? [segment] : segment.pieces(of: size)
            cut += pieces
            former += pieces.map { _ in number }
            guard segment.state == .lost else { continue }
            lostCount += pieces.count - 1
            missingCount += pieces.count - 1
        }
        if estimator.isOn { estimator.renumber(former, from: head) }
        while cut.count > mask + 1 { slots.growRing(head..<tail, mask: &mask) }
        tail = head + cut.count
        for (place, segment) in cut.enumerated() {
            (slots + ((head + place) & mask)).initialize(to: segment)
        }
        queueAnew()
    }

    /// Queues what is lost, and what was retransmitted and is on the way.
    private mutating func queueAnew() {
        lost.removeAll()
        lostAgain.removeAll()
        repeated.removeAll()
        for number in head..<tail {
            let segment = slots[number & mask]
            if segment.state == .lost { lost.append(number) }
            if segment.isRepeated, segment.isOnWay { repeated.append(number) }
        }
        judged = head
    }

    // MARK: Queries

    /// Payload of the largest outstanding segment.
    var largestPayload: UInt64 {
        (head..<tail).reduce(0) { max($0, UInt64(slots[$1 & mask].payload)) }
    }

    /// Whether no outstanding segment is sacked, lost or retransmitted.
    var isClean: Bool {
        @inline(__always) get { sackedCount == 0 && lostCount == 0 && repeated.isEmpty }
    }

    /// Whether a retransmitted segment is on the way, or is the first unacknowledged one.
    var awaitsRepeated: Bool {
        !repeated.isEmpty || (head < tail && slots[head & mask].isRepeated)
    }

    var isLonely: Bool {
        @inline(__always) get { tail &- head == 1 }
    }

    // MARK: Private parts

    private mutating func sack(_ block: Range<UInt64>, at now: UInt64) {
        var position = block.lowerBound
        while position < block.upperBound {
            if let end = endOfKnown(around: position) {
                position = end
                continue
            }
            var place = number(of: position)
            guard place < tail else { return }
            position = block.upperBound
            while place < tail, slots[place & mask].end <= block.upperBound {
                if let end = endOfKnown(around: slots[place & mask].start) {
                    position = end
                    break
                }
                markSacked(place, at: now)
                place += 1
            }
        }
    }

    private func endOfKnown(around position: UInt64) -> UInt64? {
        if known.0.contains(position) { return known.0.upperBound }
        if known.1.contains(position) { return known.1.upperBound }
        if known.2.contains(position) { return known.2.upperBound }
        return nil
    }

    private mutating func markSacked(_ number: Int, at now: UInt64) {
        let segment = slots[number & mask]
        if segment.state == .sacked { return }
        discount(number)
        slots[number & mask].state = .sacked
        sackedCount += 1
        delivered += segment.length
        // Stamps beyond a hole are not echoed (RFC 7323 §4.3).
        note(number, segment, echo: now, at: now)
    }

    /// Takes a segment out of the counts of its state.
    @inline(never)
    private mutating func discount(_ number: Int) {
        switch slots[number & mask].state {
        case .flying: inFlight -= slots[number & mask].length
        case .repairing:
            inFlight -= slots[number & mask].length
            repairingCount -= 1
        case .lost:
            lostCount -= 1
            missingCount -= 1
        case .sacked: sackedCount -= 1
        }
    }

    private mutating func markLost(_ number: Int) {
        if slots[number & mask].state == .repairing { repairingCount -= 1 }
        slots[number & mask].state = .lost
        if !slots[number & mask].wasLost {
            slots[number & mask].wasLost = true
            missingCount += 1
        }
        inFlight -= slots[number & mask].length
        lostBytes += slots[number & mask].length
        lostCount += 1
        if estimator.isOn {
            estimator.vanished(number, length: slots[number & mask].length, lost: lostBytes)
        }
        if slots[number & mask].isRepeated { lostAgain.append(number) } else { lost.append(number) }
    }

    private mutating func noteLeaving(_ number: Int, at now: UInt64) {
        estimator.leaves(
            number, first: head, isIdle: head == tail, delivered: delivered, lost: lostBytes,
            inFlight: inFlight, at: now)
    }

    private func isWaiting(_ number: Int) -> Bool {
        number >= head && slots[number & mask].state == .lost
    }

    private var foremostLost: Int? {
        guard let first = lost.first else { return lostAgain.first }
        return min(first, lostAgain.first ?? first)
    }

    @inline(__always)
    private mutating func note(_ number: Int, _ segment: Segment, echo: UInt64, at now: UInt64) {
        if estimator.isOn { estimator.arrived(number, segment, at: now) }
        if segment.isRepeated {
            if segment.wasLost, segment.isOnWay { missingCount -= 1 }
            if echo < segment.sentAt { return }
        }
        detection.note(segment, at: now)
    }

    /// Returns the first segment that begins at `sequence` or later.
    private func number(of sequence: UInt64) -> Int {
        var low = head
        var high = tail
        while low < high {
            let middle = (low + high) / 2
            if slots[middle & mask].start < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
