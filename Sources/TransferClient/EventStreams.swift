import Synchronization

/// The readers of an interface's events. Each has a stream of its own, and may read it on any
/// actor.
final class EventStreams<Event: Sendable>: Sendable {
    private typealias Reader = AsyncStream<Event>.Continuation

    private struct Readers {
        var last = 0
        var open: [(number: Int, reader: Reader)] = []
        var hasEnded = false
    }

    private let readers = Mutex(Readers())

    deinit { end() }

    /// Ends all streams. Those that are opened later end at once.
    func end() {
        let open = readers.withLock { readers in
            readers.hasEnded = true
            return readers.open
        }
        for entry in open { entry.reader.finish() }
    }

    var isEmpty: Bool { readers.withLock { $0.open.isEmpty } }

    /// Returns the events from now on. The stream ends when its reader's task is cancelled, or with
    /// the interface.
    func open(_ policy: AsyncStream<Event>.Continuation.BufferingPolicy) -> AsyncStream<Event> {
        let (stream, reader) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: policy)
        let number = readers.withLock { readers in
            readers.last += 1
            readers.open.append((readers.last, reader))
            return readers.last
        }
        reader.onTermination = { [weak self] _ in
            self?.readers.withLock { $0.open.removeAll { $0.number == number } }
        }
        if readers.withLock({ $0.hasEnded }) { reader.finish() }
        return stream
    }

    /// Tells all readers. One thread calls this, so that they hear of everything in order.
    func tell(_ event: Event) {
        for entry in readers.withLock({ $0.open }) { entry.reader.yield(event) }
    }
}
