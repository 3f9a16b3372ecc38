import LinkModels

/// The pending events, first by time, then by the order in which they were made: at most one entry
/// per source.
///
/// A link in which a thousand packets travel is one source: only the head of its row is here. The
/// two links that every network has change with every packet, and stand apart; all others are in a
/// binary heap. Raw storage, because this is touched for every packet; each source's place in the
/// heap is kept, so that an entry can be moved or taken out without a search.
struct EventQueue: ~Copyable, Clonable {
    /// By `source / 4`.
    private var lanes: UnsafeMutablePointer<Entry>
    /// How many entries the heap has. What stands in front of an empty one never comes.
    private var count = 0
    private var entries: UnsafeMutablePointer<Entry>
    private var capacity = 16
    /// Where each source stands in `entries`; -1 for one that has no entry.
    private var places: UnsafeMutablePointer<Int32>
    private var sourceCapacity = 16

    struct Entry {
        var nanoseconds: UInt64
        var order: UInt64
        var source: Int32

        /// For a source that has no entry: it comes after all others.
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

    /// Enters a source, or moves its entry earlier or later.
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
            if count == capacity { growEntries() }
            count += 1
            rise(entry, from: count - 1)
        } else if entry.comes(before: entries[place]) {
            rise(entry, from: place)
        } else {
            sink(entry, from: place)
        }
    }

    /// Takes a source out; nothing happens if it has no entry.
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

    /// The next event, or `none`.
    var first: Entry {
        @inline(__always) get {
            let lane = lanes[1].comes(before: lanes[0]) ? lanes + 1 : lanes
            return entries[0].comes(before: lane.pointee) ? entries[0] : lane.pointee
        }
    }

    var isEmpty: Bool { first.source < 0 }

    /// Whether a source is one of the first two links.
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

    private mutating func growEntries() {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: 2 * capacity)
        larger.moveInitialize(from: entries, count: count)
        entries.deallocate()
        entries = larger
        capacity *= 2
    }

    private mutating func makeRoom(forSource source: Int) {
        let needed = max(2 * sourceCapacity, source + 1)
        let larger = UnsafeMutablePointer<Int32>.allocate(capacity: needed)
        larger.moveInitialize(from: places, count: sourceCapacity)
        (larger + sourceCapacity).initialize(repeating: -1, count: needed - sourceCapacity)
        places.deallocate()
        places = larger
        sourceCapacity = needed
    }
}
