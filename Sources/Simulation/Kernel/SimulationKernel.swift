import LinkModels
import Quantities

/// The virtual clock and the next events, ordered by time, then by insertion.
///
/// A run may ask for perturbed ties, to prove that nothing depends on the order of insertion.
/// Simultaneous events then come in random order. Packets on one link keep their order, because
/// only the first is an event.
///
/// Each source has at most one pending event. Setting it again moves the event and counts as a new
/// insertion.
struct SimulationKernel: ~Copyable, Clonable {
    /// Time of the current event.
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

    /// Takes a place in the order of insertion for an event that waits behind another.
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

    /// Moves the clock to the time of `first`.
    @inline(__always)
    mutating func advance(toNanoseconds time: UInt64) { nowNanoseconds = time }

    var isEmpty: Bool { queue.isEmpty }

    /// Time and source of the next event. If there is none, the time is later than any other.
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
