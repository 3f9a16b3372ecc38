import Quantities
import RunLog

/// One direction of a link over time.
struct LinkSeriesBook: Sendable {
    private(set) var sentBytes: UInt64 = 0
    private var steps = TimeSteps<Step>(limit: SeriesBook.stepLimit)
    private var departures = Departures()
    private var shortestTransit = UInt64.max
    private var onLink: UInt64 = 0
    private var latest: UInt64 = 0

    private struct Step: TimeStep {
        var dropped: UInt64 = 0
        var queueingDelay: UInt64?
        var onLink = LevelStep()

        var next: Step {
            var step = Step()
            step.onLink = onLink.next
            return step
        }

        mutating func merge(_ later: Step) {
            dropped += later.dropped
            queueingDelay = [queueingDelay, later.queueingDelay].compactMap(\.self).max()
            onLink.merge(later.onLink)
        }
    }

    mutating func read(_ record: PacketRecord) {
        let (now, size) = (record.atNanoseconds, UInt64(record.size))
        // A packet that finds no room is sent and dropped at one moment, and never on the link.
        if now != latest { noteLevel() }
        latest = now
        switch record.kind {
        case .sent:
            sentBytes += size
            onLink += size
            departures.note(record.packet, at: now)
        case .duplicated: onLink += size
        case .delivered:
            onLink -= min(onLink, size)
            noteTransit(of: record.packet, at: now)
        case .dropped:
            onLink -= min(onLink, size)
            steps[at: now].dropped += 1
        case .captured: break
        }
    }

    func series(of link: UInt16, _ name: String, until end: Instant) -> RunSeries.Link {
        var book = self
        book.noteLevel()
        // The picture includes the silence after the last packet.
        book.steps = book.steps.reaching(end)
        _ = book.steps[at: max(end.nanoseconds, latest)]
        let steps = book.steps.steps
        return RunSeries.Link(
            link: link, name: name, step: book.steps.width, dropped: steps.map(\.dropped),
            queueingDelay: steps.map { $0.queueingDelay.map(TimeSpan.init(counting:)) },
            onLink: steps.map { ByteCount($0.onLink.largest) })
    }

    private mutating func noteLevel() { steps[at: latest].onLink.set(onLink) }

    private mutating func noteTransit(of packet: UInt32, at now: UInt64) {
        guard let transit = departures.transit(of: packet, until: now) else { return }
        shortestTransit = min(shortestTransit, transit)
        let delay = transit - shortestTransit
        steps[at: now].queueingDelay = max(steps[at: now].queueingDelay ?? 0, delay)
    }
}

extension TimeSpan {
    init(counting nanoseconds: UInt64) { self.init(nanoseconds: Int64(nanoseconds)) }
}
