import Quantities
import RunLog

/// Brings the events of several processes into one order: by the clock that they share.
///
/// What happens because of something else has a later stamp, and has been heard by then: an app
/// tells before it acts. Only events that do not know of each other may arrive the wrong way round;
/// they are held back until nothing earlier is to be expected.
struct MergedLog: RunLogReader {
    private var waiting: [RunEvent] = []
    private var released = Instant.start

    /// An app that stamps an event is given so long to write it out.
    static let patience = TimeSpan.milliseconds(100)

    mutating func read(_ event: RunEvent) {
        var event = event
        // Later than all patience: its order is still right as far as anything hangs on it.
        event.at = max(event.at, released)
        var place = waiting.endIndex
        while place > 0, waiting[place - 1].at > event.at { place -= 1 }
        waiting.insert(event, at: place)
    }

    mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        precondition(packets.isEmpty, "packets have one witness and need no merging")
    }

    /// All processes have been heard after this moment.
    mutating func release(heardAt now: Instant, into log: inout RunLogSink) {
        guard now.sinceStart > Self.patience else { return }
        let due = Instant(nanoseconds: UInt64((now.sinceStart - Self.patience).nanoseconds))
        let count = waiting.firstIndex { $0.at > due } ?? waiting.endIndex
        for event in waiting[..<count] { log.record(event.fact, at: event.at, app: event.app) }
        waiting.removeFirst(count)
        released = max(released, due)
    }

    /// Nobody has anything more to say.
    mutating func releaseAll(into log: inout RunLogSink) {
        for event in waiting { log.record(event.fact, at: event.at, app: event.app) }
        released = max(released, waiting.last?.at ?? released)
        waiting = []
    }
}
