import LinkModels
import Quantities

/// The virtual clock and what is to happen next: by time, and at one time in order of insertion.
///
/// A run may ask for perturbed ties, to prove that nothing hangs on that order: events of one
/// moment then come in random order, but packets that travel on one link still keep theirs, for
/// only the first of a row is an event.
///
/// Each source has at most one pending event; setting it again moves it, and counts as a new
/// insertion.
struct SimulationKernel: ~Copyable, Clonable {
    /// The moment of the event that is being carried out.
    private(set) var nowNanoseconds: UInt64 = 0
    private var queue = EventQueue()
    private var insertions: UInt64 = 0
    private var ties: RandomStream
    private let isPerturbed: Bool

    init(ties seed: UInt64? = nil) {
        isPerturbed = seed != nil
        ties = RandomStream(seed: seed ?? 0, name: "kernel/ties")
    }

    mutating func unshare() {
        queue.unshare()
    }

    /// A place in the order of insertion, for an event whose time is known but which waits in a
    /// row.
    @inline(__always)
    mutating func takeOrder() -> UInt64 {
        if isPerturbed { return ties.next() }
        insertions &+= 1
        return insertions
    }

    @inline(__always)
    mutating func set(_ source: EventSource, atNanoseconds time: UInt64, order: UInt64) {
        queue.set(.init(nanoseconds: time, order: order, source: source.rawValue))
    }

    @inline(__always)
    mutating func set(_ source: EventSource, atNanoseconds time: UInt64) {
        precondition(time >= nowNanoseconds, "an event at \(time) ns is in the past")
        set(source, atNanoseconds: time, order: takeOrder())
    }

    mutating func cancel(_ source: EventSource) { queue.remove(source: source.rawValue) }

    /// Moves the clock to the first event; whoever asks looked at `first` before.
    @inline(__always)
    mutating func advance(toNanoseconds time: UInt64) { nowNanoseconds = time }

    var isEmpty: Bool { queue.isEmpty }

    /// The next event's time and source; where there is none, its time is beyond all others.
    var first: (nanoseconds: UInt64, source: EventSource) {
        @inline(__always) get {
            let entry = queue.first
            return (entry.nanoseconds, EventSource(rawValue: entry.source))
        }
    }

    var now: Instant {
        @inline(__always) get { Instant(nanoseconds: nowNanoseconds) }
    }
}
