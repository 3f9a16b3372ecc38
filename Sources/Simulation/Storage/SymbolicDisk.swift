import Content
import DocrootServer
import Quantities

/// A disk whose files hold ranges instead of bytes, and that remembers what it has not promised
/// yet, so that a loss of power can take it back.
///
/// A process reads what was written last. A loss of power keeps of each file what was there when it
/// was last synchronised, and of each write since then the whole, nothing, or any of its parts; the
/// file may be as long as if all had been kept. Of the names that were given and taken since their
/// folders were last synchronised, it keeps any, in any order; a rename is kept as a whole or not
/// at all. A copy of the struct is a snapshot of the disk.
struct SymbolicDisk: Sendable {
    private var nodes: [DiskNode] = []
    private var names: [Place: NodeNumber] = [:]
    private var durableNames: [Place: NodeNumber] = [:]
    private var unsynced: [NameChange] = []
    /// Without a name, but perhaps not yet on the disk.
    private var nameless: [NodeNumber] = []

    /// A file or a folder, whatever its name is; numbers are not used again.
    struct NodeNumber: Hashable, Sendable { fileprivate var index: Int }

    /// A name in a folder.
    struct Place: Hashable, Sendable {
        var folder: NodeNumber
        var name: String
    }

    /// What stands at these places from then on.
    private struct NameChange: Sendable {
        var settings: [(place: Place, before: NodeNumber?, node: NodeNumber?)]
    }

    /// A folder that was always there.
    mutating func mount() -> NodeNumber {
        nodes.append(DiskNode(isFolder: true))
        return NodeNumber(index: nodes.count - 1)
    }

    /// What stands there; read and written in place.
    subscript(node: NodeNumber) -> DiskNode {
        _read { yield nodes[node.index] }
        _modify { yield &nodes[node.index] }
    }

    func node(at place: Place) -> NodeNumber? { names[place] }

    /// The names in a folder, in order.
    func members(of folder: NodeNumber) -> [String] {
        names.keys.filter { $0.folder == folder }.map(\.name).sorted()
    }

    // MARK: Changes

    mutating func make(_ place: Place, isFolder: Bool = false) -> NodeNumber {
        nodes.append(DiskNode(isFolder: isFolder))
        let node = NodeNumber(index: nodes.count - 1)
        change([(place, node)])
        return node
    }

    mutating func rename(_ place: Place, to target: Place) {
        guard let node = names[place] else { return }
        change([(place, nil), (target, node)])
    }

    mutating func remove(_ place: Place) {
        if names[place] != nil { change([(place, nil)]) }
    }

    private mutating func change(_ settings: [(place: Place, node: NodeNumber?)]) {
        var change = NameChange(settings: [])
        for (place, node) in settings {
            let before = names[place]
            if let before { nodes[before.index].nameCount -= 1 }
            if let node { nodes[node.index].nameCount += 1 }
            change.settings.append((place, before, node))
            names[place] = node
        }
        unsynced.append(change)
        nameless += change.settings.compactMap(\.before)
    }

    // MARK: Promises

    mutating func synchronise(_ node: NodeNumber) { nodes[node.index].synchronise() }

    /// The names in a folder are durable, and whatever happened to them elsewhere.
    mutating func synchroniseNames(in folder: NodeNumber) {
        guard !unsynced.isEmpty else { return }
        var settled: Set<Place> = []
        var kept: [NameChange] = []
        var promised: [NameChange] = []
        // Backwards, as what came before a change of the same name comes to the disk before it.
        for change in unsynced.reversed() {
            let isMeant = change.settings.contains {
                $0.place.folder == folder || settled.contains($0.place)
            }
            guard isMeant else {
                kept.append(change)
                continue
            }
            settled.formUnion(change.settings.map(\.place))
            promised.append(change)
        }
        unsynced = kept.reversed()
        for change in promised.reversed() { bringToDisk(change) }
        forgetNameless()
    }

    /// Everything that was not synchronised is at the mercy of chance; what is left is what a disk
    /// holds that has just been mounted.
    mutating func losePower(random: inout RandomStream) {
        let changes = unsynced
        unsynced = []
        for change in changes where random.below(2) == 0 { bringToDisk(change) }
        names = durableNames
        for index in nodes.indices {
            nodes[index].losePower(random: &random)
            nodes[index].nameCount = 0
        }
        // any order: they are only counted
        for node in names.values { nodes[node.index].nameCount += 1 }
        forgetNameless()
    }

    private mutating func bringToDisk(_ change: NameChange) {
        for (place, _, node) in change.settings { durableNames[place] = node }
    }

    /// What no name leads to any more, whatever comes to the disk yet, has left its room to others.
    private mutating func forgetNameless() {
        let undecided = Set(unsynced.flatMap(\.settings).flatMap { [$0.before, $0.node] })
        for node in nameless where !undecided.contains(node) && nodes[node.index].nameCount == 0 {
            nodes[node.index] = DiskNode()
        }
        nameless.removeAll { !undecided.contains($0) }
    }
}
