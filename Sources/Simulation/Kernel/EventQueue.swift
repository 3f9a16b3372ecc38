import LinkModels

/// Pending events in order of time, then of insertion: at most one per source.
///
/// A link with a thousand packets is one source: only its first packet is here. The first two links
/// change with every packet and have lanes of their own; all other sources are in a binary heap.
/// Each source's place in the heap is kept, so that moving or removing an entry needs no search.
/// Storage is raw, because every packet passes through.
struct EventQueue: ~Copyable, Clonable {
    /// Entries of the first two links, indexed by `source / 4`.
    private var lanes: UnsafeMutablePointer<Entry>
    /// Size of the heap. An empty heap begins with `Entry.none`.
    private var count = 0
    private var entries: UnsafeMutablePointer<Entry>
    private var capacity = 16
    /// Place of each source in `entries`; -1 for a source without an entry.
    private var places: UnsafeMutablePointer<Int32>
    private var sourceCapacity = 16

    struct Entry {
        var nanoseconds: UInt64
        var order: UInt64
        var source: Int32

        /// Absence of an entry; it comes after all entries.
        static var none: Entry {
            @inline(__always) get { Entry(nanoseconds: .max, order: .max, source: -1) }
        }

        @inline(__always)
        func comes(before other: Entry) -> Bool {
            nanoseconds < other.nanoseconds
                || (nanoseconds == other.nanoseconds && order < other.order)
        }
    }

    init() {
        lanes = .allocate(capacity: 2)
        lanes.initialize(repeating: .none, count: 2)
        entries = .allocate(capacity: capacity)
        entries[0] = .none
        places = .allocate(capacity: sourceCapacity)
        places.initialize(repeating: -1, count: sourceCapacity)
    }

    deinit {
        lanes.deallocate()
        entries.deallocate()
        places.deallocate()
    }

    mutating func unshare() {
        lanes = lanes.cloned(capacity: 2)
        entries = entries.cloned(capacity: capacity)
        places = places.cloned(capacity: sourceCapacity)
    }

    /// Inserts the entry of a source, or moves it.
    @inline(__always)
    mutating func set(_ entry: Entry) {
        if Self.hasLane(entry.source) {
            lanes[Int(entry.source >> 2)] = entry
        } else {
            enter(entry)
        }
    }

    private mutating func enter(_ entry: Entry) {
        if Int(entry.source) >= sourceCapacity { makeRoom(forSource: Int(entry.source)) }
        let place = Int(places[Int(entry.source)])
        if place < 0 {
            if count == capacity {
                entries.move(count, toCapacity: 2 * capacity)
                capacity *= 2
            }
            count += 1
            rise(entry, from: count - 1)
        } else if entry.comes(before: entries[place]) {
            rise(entry, from: place)
        } else {
            sink(entry, from: place)
        }
    }

    /// Removes the entry of a source, if there is one.
    @inline(__always)
    mutating func remove(source: Int32) {
        if Self.hasLane(source) {
            lanes[Int(source >> 2)] = .none
        } else {
            takeOut(source: source)
        }
    }

    private mutating func takeOut(source: Int32) {
        guard Int(source) < sourceCapacity, places[Int(source)] >= 0 else { return }
        let place = Int(places[Int(source)])
        places[Int(source)] = -1
        count -= 1
        if count == 0 { entries[0] = .none }
        guard place < count else { return }
        let last = entries[count]
        if place > 0, last.comes(before: entries[(place - 1) / 2]) {
            rise(last, from: place)
        } else {
            sink(last, from: place)
        }
    }

    var first: Entry {
        @inline(__always) get {
            let lane = lanes[1].comes(before: lanes[0]) ? lanes + 1 : lanes
            return entries[0].comes(before: lane.pointee) ? entries[0] : lane.pointee
        }
    }

    var isEmpty: Bool { first.source < 0 }

    @inline(__always)
    private static func hasLane(_ source: Int32) -> Bool { source & ~4 == 0 }

    @inline(__always)
    private mutating func put(_ entry: Entry, at place: Int) {
        entries[place] = entry
        places[Int(entry.source)] = Int32(truncatingIfNeeded: place)
    }

    @inline(__always)
    private mutating func rise(_ entry: Entry, from start: Int) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard entry.comes(before: entries[parent]) else { break }
            put(entries[parent], at: place)
            place = parent
        }
        put(entry, at: place)
    }

    @inline(__always)
    private mutating func sink(_ entry: Entry, from start: Int) {
        var place = start
        while true {
            var child = 2 * place + 1
            guard child < count else { break }
            if child + 1 < count, entries[child + 1].comes(before: entries[child]) { child += 1 }
            guard entries[child].comes(before: entry) else { break }
            put(entries[child], at: place)
            place = child
        }
        put(entry, at: place)
    }

    private mutating func makeRoom(forSource source: Int) {
        let needed = max(2 * sourceCapacity, source + 1)
        places.move(sourceCapacity, toCapacity: needed)
        (places + sourceCapacity).initialize(repeating: -1, count: needed - sourceCapacity)
        sourceCapacity = needed
    }
}
