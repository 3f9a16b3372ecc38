package import Quantities

/// The receiver of the paced transport: it tells its sender what is missing, and how fast packets
/// come. It sends nothing else, and decides nothing else.
///
/// A host calls `arrived` for each packet, and `report` whenever `deadline` has come.
///
///               close, and nothing is missing
///     open ─────────────────────────────────────▶ complete
///       │
///       │ abort, from either side
///       └─────────────────────────────────────▶ aborted
///
/// A receiver that has ended answers each packet with a report, because the last one may be lost.
package struct PacedReceiver: Sendable {
    package private(set) var ending = PacedReport.Ending.none
    private var numbers = ArrivedNumbers()
    private var overtaking = Overtaking()
    /// When the next report is due.
    package private(set) var deadline: Instant?
    private var reports: UInt64 = 0
    /// Where the next report goes on to tell of missing numbers; 0: at the first that is missing.
    private var toldUpTo: UInt64 = 0
    private var reportEvery = TimeSpan.milliseconds(5)
    private var newest: (sentAt: Instant, arrivedAt: Instant) = (.start, .start)
    private var shortestWay: TimeSpan?
    private var firstAt: Instant?
    private var lastAt = Instant.start
    private var received = ByteCount.zero
    private var packets: UInt64 = 0
    private var unneeded: UInt64 = 0
    /// What the reports tell of content.
    package var intake = PacedIntake.boundless

    /// Reports are at least this far apart, unless a packet asks for one.
    private static let shortestPause = TimeSpan.milliseconds(1)

    package init() {}

    // MARK: Events

    /// Notes a packet; returns whether its content is new.
    package mutating func arrived(_ packet: PacedPacket, at now: Instant) -> Bool {
        packets += 1
        if firstAt == nil { firstAt = now } else { received += ByteCount(UInt64(packet.size)) }
        lastAt = now
        let way = now - packet.sentAt
        shortestWay = min(shortestWay ?? way, way)
        reportEvery = max(packet.reportEvery, Self.shortestPause)
        let isPatient = packet.kind == .data && ending == .none
        deadline.advance(to: isPatient ? now + reportEvery : now)
        guard ending == .none else {
            unneeded += 1
            return false
        }
        numbers.giveUp(below: packet.floor)
        let expected = numbers.end
        let isNew = numbers.insert(packet.number)
        if !isNew {
            unneeded += 1
        } else if packet.number >= expected {
            newest = (packet.sentAt, now)
            overtaking.isAhead(upTo: numbers.end, at: now)
        } else {
            overtaking.wasOvertaken(for: way - (shortestWay ?? way), at: now)
        }
        switch packet.kind {
        case .close where numbers.contiguous == numbers.end: ending = .complete
        case .abort: ending = .aborted
        case .data, .probe, .close: break
        }
        return isNew
    }

    /// Gives up; the next report tells the sender.
    package mutating func abort(at now: Instant) {
        guard ending == .none else { return }
        ending = .aborted
        deadline = now
    }

    /// Number after the highest that has come.
    var end: UInt64 { numbers.end }

    /// Reports at once.
    package mutating func tell(at now: Instant) { deadline.advance(to: now) }

    /// Returns a report if one is due.
    package mutating func report(at now: Instant) -> PacedReport? {
        guard let due = deadline, due <= now else { return nil }
        deadline = nil
        reports += 1
        let limit = overtaking.limit(numbers.end, at: now)
        let start = max(toldUpTo, numbers.contiguous)
        let missing = numbers.missing(from: start, below: max(limit, start))
        toldUpTo = missing.end < limit ? missing.end : 0
        // The rest is told soon, even if no other packet comes.
        if toldUpTo > 0 {
            deadline = now + Self.shortestPause
        } else if missing.end < numbers.end {
            deadline = now + max(overtaking.wait, reportEvery)
        }
        defer { shortestWay = nil }
        return PacedReport(
            number: reports, contiguous: numbers.contiguous, end: numbers.end,
            told: start..<missing.end, missing: missing.ranges, echo: newest.sentAt,
            held: now - newest.arrivedAt, shortestWay: shortestWay, received: received,
            span: lastAt - (firstAt ?? lastAt), packets: packets, unneeded: unneeded,
            intake: intake, ending: ending)
    }
}

/// How long a missing packet may still be on its way, because later ones have overtaken it.
struct Overtaking: Sendable {
    /// The time for which a missing number is not told; zero as long as nothing was overtaken.
    private(set) var wait = TimeSpan.zero
    private var checkedAt = Instant.start
    /// How far numbers had come at some moments, the oldest first.
    private var marks: [(at: Instant, end: UInt64)] = []

    private static let mostMarks = 32
    private static let longestWait = TimeSpan.milliseconds(500)

    @inline(__always)
    mutating func isAhead(upTo end: UInt64, at now: Instant) {
        if wait > .zero { mark(end, at: now) }
    }

    private mutating func mark(_ end: UInt64, at now: Instant) {
        let gap = TimeSpan(nanoseconds: wait.nanoseconds / Int64(Self.mostMarks / 2))
        if let last = marks.last, now - last.at < gap { return }
        if marks.count == Self.mostMarks { marks.removeFirst() }
        marks.append((now, end))
    }

    /// Waits a little longer than the latest packet was late.
    mutating func wasOvertaken(for time: TimeSpan, at now: Instant) {
        let longer = TimeSpan(nanoseconds: time.nanoseconds / 8 * 9)
        wait = min(max(wait, longer), Self.longestWait)
        checkedAt = now
    }

    /// Returns the number below which missing packets are lost, not late.
    mutating func limit(_ end: UInt64, at now: Instant) -> UInt64 {
        guard wait > .zero else { return end }
        if now - checkedAt > .seconds(10) {
            wait = TimeSpan(nanoseconds: wait.nanoseconds / 2)
            checkedAt = now
            if wait < .microseconds(100) { wait = .zero }
        }
        var limit: UInt64 = 0
        for mark in marks where now - mark.at >= wait { limit = mark.end }
        return limit
    }
}
