extension Sequence {
    /// Returns the elements with equal keys together, in the order of each key's first element.
    func gathered<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
        var groups: [[Element]] = []
        var places: [Key: Int] = [:]
        for element in self {
            let name = key(element)
            let place = places[name] ?? groups.count
            places[name] = place
            if place == groups.count { groups.append([]) }
            groups[place].append(element)
        }
        return groups
    }
}
