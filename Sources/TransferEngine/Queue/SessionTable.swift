/// The sessions of a queue in order, found by index or number.
///
/// A hundred thousand sessions are no more work than ten: records stay in place, and only a list of
/// small numbers moves.
struct SessionTable: Sendable {
    private var records: [SessionRecord] = []
    /// Unused places in `records`.
    private var free: [UInt32] = []
    private var slots: [SessionID: UInt32] = [:]
    /// Places in `records`, in the order of the queue.
    private var order: [UInt32] = []
    /// No session before this index waits.
    private var firstPerhapsWaiting = 0
    /// Sessions that may have changed since anybody asked, perhaps several times.
    private var changed: [SessionID] = []

    /// Orders the sessions by rank. Stores of an older version have equal ranks, which are ordered
    /// by number.
    init(_ records: [SessionRecord] = []) {
        // Sorting whole records would move each of them many times.
        let standings = records.map(\.standing)
        let sorted = records.indices.sorted { standings[$0] < standings[$1] }
        self.records = sorted.map { records[$0] }
        order = Array(0..<UInt32(sorted.count))
        slots.reserveCapacity(sorted.count)
        for (slot, record) in zip(order, self.records) {
            let other = slots.updateValue(slot, forKey: record.id)
            precondition(other == nil, "\(record.id) is in the queue already")
        }
    }

    var count: Int { order.count }

    func holds(_ id: SessionID) -> Bool { slots[id] != nil }

    subscript(id: SessionID) -> SessionRecord {
        get { records[Int(slot(of: id))] }
        _modify {
            touch(id)
            yield &records[Int(slot(of: id))]
        }
    }

    /// Notes that something about a session has changed.
    mutating func touch(_ id: SessionID) {
        if changed.last != id { changed.append(id) }
    }

    /// Returns the sessions that may have changed, by number. Whoever asks next has those since.
    mutating func takeChanged() -> [SessionID] {
        guard !changed.isEmpty else { return [] }
        defer { changed.removeAll(keepingCapacity: true) }
        // As in most turns: a set would cost more than all the rest.
        if changed.count == 1 { return changed.filter(holds) }
        return Set(changed).filter(holds).sorted()
    }

    func id(at index: Int) -> SessionID { records[Int(order[index])].id }

    func index(of id: SessionID) -> Int {
        let slot = slot(of: id)
        guard let index = order.firstIndex(of: slot) else {
            preconditionFailure("\(id) has a record and no place in the queue")
        }
        return index
    }

    /// All sessions in the order of the queue.
    var ids: some Sequence<SessionID> { order.lazy.map { records[Int($0)].id } }

    /// Inserts a session by its rank; returns its index.
    @discardableResult
    mutating func insert(_ record: SessionRecord) -> Int {
        precondition(slots[record.id] == nil, "\(record.id) is in the queue already")
        let slot: UInt32
        if let last = free.popLast() {
            slot = last
            records[Int(slot)] = record
        } else {
            slot = UInt32(records.count)
            records.append(record)
        }
        slots[record.id] = slot
        touch(record.id)
        let index = place(of: record)
        order.insert(slot, at: index)
        firstPerhapsWaiting = min(firstPerhapsWaiting, index)
        return index
    }

    /// Returns a rank for a session at this index; `nil` if its neighbours leave no room, and all
    /// have to be ranked anew.
    func rank(at index: Int) -> Int64? {
        SessionRecord.rank(
            between: index > 0 ? records[Int(order[index - 1])].rank : nil,
            and: index < order.count ? records[Int(order[index])].rank : nil)
    }

    /// Ranks all sessions as far apart as new ones. It leaves the given places to sessions that are
    /// about to be inserted, in ascending order.
    mutating func rankAnew(leaving places: [Int] = []) {
        var next = 0
        var left = places[...]
        for slot in order {
            while left.first == next {
                left.removeFirst()
                next += 1
            }
            records[Int(slot)].rank = Int64(next) * SessionRecord.rankStep
            next += 1
        }
    }

    /// Returns the index of a session by its rank; after others with the same rank and lower
    /// numbers.
    func place(of record: SessionRecord) -> Int {
        var low = 0
        var high = order.count
        while low < high {
            let middle = (low + high) / 2
            let other = records[Int(order[middle])]
            if other.comesBefore(record) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// Removes a session; returns its last index.
    @discardableResult
    mutating func remove(_ id: SessionID) -> Int {
        let index = index(of: id)
        free.append(order.remove(at: index))
        slots[id] = nil
        firstPerhapsWaiting = min(firstPerhapsWaiting, index)
        return index
    }

    /// Notes that a session starts to wait.
    mutating func startsWaiting(_ id: SessionID) {
        guard firstPerhapsWaiting > 0 else { return }
        firstPerhapsWaiting = min(firstPerhapsWaiting, index(of: id))
    }

    /// Returns the first waiting session that meets the condition.
    mutating func firstWaiting(where isMeant: (SessionRecord) -> Bool) -> SessionID? {
        while firstPerhapsWaiting < order.count,
            records[Int(order[firstPerhapsWaiting])].state != .waiting
        { firstPerhapsWaiting += 1 }
        for slot in order[firstPerhapsWaiting...] {
            let record = records[Int(slot)]
            if record.state == .waiting, isMeant(record) { return record.id }
        }
        return nil
    }

    private func slot(of id: SessionID) -> UInt32 {
        guard let slot = slots[id] else { preconditionFailure("\(id) is not in the queue") }
        return slot
    }
}
