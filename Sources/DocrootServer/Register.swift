/// A dictionary that remembers its last look-up.
///
/// Nearly every packet of an upload concerns the connection and the upload of the packet before.
/// Look-ups by key would take most of a simulation's time.
struct Register<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var entries: [Key: Value] = [:]
    /// The place of the last entry that was changed, until something may have moved it.
    private var latest: (key: Key, place: Dictionary<Key, Value>.Index)?

    subscript(key: Key) -> Value? {
        get { entries[key] }
        _modify {
            latest = nil
            yield &entries[key]
        }
    }

    /// Changes an entry in place; `nil` if there is none.
    mutating func change<Answer>(_ key: Key, _ change: (inout Value) -> Answer) -> Answer? {
        if let latest, latest.key == key { return change(&entries.values[latest.place]) }
        guard let place = entries.index(forKey: key) else { return nil }
        latest = (key, place)
        return change(&entries.values[place])
    }

    mutating func removeValue(forKey key: Key) -> Value? {
        latest = nil
        return entries.removeValue(forKey: key)
    }

    // MARK: All of them, in any order

    var count: Int { entries.count }

    var isEmpty: Bool { entries.isEmpty }

    var keys: Dictionary<Key, Value>.Keys { entries.keys }

    var values: Dictionary<Key, Value>.Values { entries.values }

    func filter(_ isWanted: (Dictionary<Key, Value>.Element) -> Bool) -> [Key: Value] {
        entries.filter(isWanted)
    }
}
