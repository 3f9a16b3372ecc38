import Quantities
import RunLog

/// Merges the events of several processes by the clock that they share.
///
/// An effect has a later stamp than its cause and is heard after it, because a process reports
/// before it acts. Only unrelated events may arrive in the wrong order; each is held back until no
/// earlier one can come.
struct MergedLog: RunLogReader {
    private var waiting: [RunEvent] = []
    private var released = Instant.start

    /// The longest delay between stamping an event and writing it.
    static let patience = TimeSpan.milliseconds(100)

    mutating func read(_ event: RunEvent) {
        var event = event
        // An event that is later than that keeps its order relative to its effects.
        event.at = max(event.at, released)
        var place = waiting.endIndex
        while place > 0, waiting[place - 1].at > event.at { place -= 1 }
        waiting.insert(event, at: place)
    }

    mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        precondition(packets.isEmpty, "packets have one witness and need no merging")
    }

    /// Releases events after all processes were heard at this moment.
    mutating func release(heardAt now: Instant, into log: inout RunLogSink) {
        guard now.sinceStart > Self.patience else { return }
        let due = Instant(nanoseconds: UInt64((now.sinceStart - Self.patience).nanoseconds))
        let count = waiting.firstIndex { $0.at > due } ?? waiting.endIndex
        for event in waiting[..<count] { log.record(event.fact, at: event.at, app: event.app) }
        waiting.removeFirst(count)
        released = max(released, due)
    }

    /// Releases everything, when no process has more to say.
    mutating func releaseAll(into log: inout RunLogSink) {
        for event in waiting { log.record(event.fact, at: event.at, app: event.app) }
        released = max(released, waiting.last?.at ?? released)
        waiting = []
    }
}
