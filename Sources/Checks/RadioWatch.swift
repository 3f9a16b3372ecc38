import Quantities
import RunLog

/// The packets of one radio, in both directions: none may be earlier than the radio can be ready,
/// computed from the terms of its links and from its packets alone.
///
/// A packet waits if the radio certainly rests: nothing is on the way, and nothing has been for
/// longer than the rest begins after. What keeps the radio busy without a delivery, such as a
/// promotion for a packet that is then lost, only makes this watch more lenient.
struct RadioWatch: Sendable {
    let links: [UInt16]
    private let names: [String]
    private let terms: [LinkTerms]
    private let waits: [RadioWaits]
    /// The packets on the way by their links, with the earliest beginning of their sending.
    private var onWay: [[UInt32: UInt64]]
    /// The latest moment at which the radio may have been at work; `nil` before the first packet.
    private var latest: UInt64?
    private var latestDrop: UInt64?
    private var copyCount = 0
    private var downWays: Set<Int> = []
    private var readyAt: UInt64 = 0
    private let slack: UInt64
    /// The number of packets that had to wait.
    private(set) var waitCount = 0

    /// Makes the watch of a pair of links with a radio.
    init?(_ first: (UInt16, LinkTerms), _ second: (UInt16, LinkTerms)) {
        guard let one = first.1.waits, let other = second.1.waits, one.partner == second.0,
            other.partner == first.0
        else { return nil }
        links = [first.0, second.0]
        terms = [first.1, second.1]
        names = terms.map(\.name)
        waits = [one, other]
        onWay = [[:], [:]]
        slack = Self.longestWait(one)
    }

    /// Reads a packet of one of the links; returns what is wrong with it.
    mutating func read(_ record: PacketRecord) -> Slip? {
        guard let way = links.firstIndex(of: record.link) else { return nil }
        let now = record.atNanoseconds
        guard !downWays.contains(way) else { return nil }
        defer { latest = max(latest ?? 0, now) }
        switch record.kind {
        case .sent: onWay[way][record.packet] = beginning(of: way, at: now)
        case .dropped:
            latestDrop = now
            if onWay[way].removeValue(forKey: record.packet) == nil { copyCount -= 1 }
        case .delivered:
            guard let begin = onWay[way].removeValue(forKey: record.packet) else {
                copyCount -= 1
                return nil
            }
            let least = begin + terms[way].leastTime(of: record.size)
            guard now < least else { return nil }
            return Slip(
                expected: "packet \(record.packet) of the \(names[way]) waits for the radio and "
                    + "arrives no earlier than \(least) ns",
                seen: "it arrives at \(now) ns")
        case .duplicated: copyCount += 1
        case .captured: break
        }
        return nil
    }

    /// Notes that a link goes down, and the radio with it, or that the link comes up.
    mutating func turn(_ link: UInt16, down: Bool) {
        guard let way = links.firstIndex(of: link) else { return }
        if !down {
            downWays.remove(way)
            return
        }
        downWays.insert(way)
        latest = nil
        readyAt = 0
        onWay = [[:], [:]]
        copyCount = 0
    }

    /// Returns the earliest moment at which the radio can begin to send a packet.
    private mutating func beginning(of way: Int, at now: UInt64) -> UInt64 {
        if now < readyAt {
            waitCount += 1
            return readyAt
        }
        let radio = waits[way]
        let quiet = latest.map { now - $0 }
        guard onWay.allSatisfy(\.isEmpty), copyCount == 0, isCertain(after: quiet, radio) else {
            return now
        }
        if let rest = rest(after: quiet, radio) {
            let start = radio.isUplink ? now : Self.next(now, in: rest.paging)
            readyAt = start + rest.promotion.nanoseconds.magnitude
            latest = readyAt
            waitCount += 1
            return readyAt
        }
        if let latestDrop, now <= latestDrop + slack { return now }
        let begin =
            radio.isUplink ? granted(radio, at: now) : heard(radio, at: now, after: quiet ?? 0)
        waitCount += begin > now ? 1 : 0
        return begin
    }

    private func rest(after quiet: UInt64?, _ radio: RadioWaits) -> RadioWaits.Rest? {
        guard let quiet else { return radio.rests.last }
        return radio.rests.last { quiet > $0.after.nanoseconds.magnitude }
    }

    /// Whether the radio's state is certain after a time in which nothing was seen.
    private func isCertain(after quiet: UInt64?, _ radio: RadioWaits) -> Bool {
        guard let quiet else { return true }
        let spans = radio.rests.map(\.after) + [radio.sleep?.after].compactMap(\.self)
        return spans.map(\.nanoseconds.magnitude).allSatisfy {
            quiet <= $0 || quiet > $0 + slack
        }
    }

    private func granted(_ radio: RadioWaits, at now: UInt64) -> UInt64 {
        guard let grant = radio.grant else { return now }
        return Self.next(now, in: grant.every) + grant.takes.nanoseconds.magnitude
    }

    private func heard(_ radio: RadioWaits, at now: UInt64, after quiet: UInt64) -> UInt64 {
        guard let sleep = radio.sleep, quiet > sleep.after.nanoseconds.magnitude,
            now % sleep.cycle.nanoseconds.magnitude >= sleep.awake.nanoseconds.magnitude
        else { return now }
        return Self.next(now, in: sleep.cycle)
    }

    private static func next(_ now: UInt64, in period: TimeSpan) -> UInt64 {
        let period = period.nanoseconds.magnitude
        return period == 0 ? now : now + (period - now % period) % period
    }

    /// The longest time that a packet can keep the radio busy before it is sent, or lost.
    private static func longestWait(_ radio: RadioWaits) -> UInt64 {
        let rests = radio.rests.map { $0.paging + $0.promotion }.max() ?? .zero
        let others = [radio.sleep?.cycle, radio.grant.map { $0.every + $0.takes }]
        return others.compactMap(\.self).reduce(rests, +).nanoseconds.magnitude
    }
}
