/// A dictionary that knows whom it was asked for last.
///
/// Nearly every packet of an upload concerns the connection and the upload of the packet before,
/// and a look-up by key hashes: this is where a simulation would spend its time.
struct Register<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var entries: [Key: Value] = [:]
    /// Where the one lies that was changed last, as long as nothing can have moved it.
    private var latest: (key: Key, place: Dictionary<Key, Value>.Index)?

    subscript(key: Key) -> Value? {
        get { entries[key] }
        _modify {
            latest = nil
            yield &entries[key]
        }
    }

    /// Changes an entry where it lies; `nil` if there is none.
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
