import Content
import DocrootServer
import Quantities

/// A disk of files without bytes that tracks which changes are durable.
///
/// A process reads the latest writes. A power loss keeps each file as last synchronised, and all,
/// nothing or any part of each later write; the file may keep its full length. It keeps any of the
/// name changes since their folders were last synchronised, in any order; a rename is kept whole or
/// not at all. A copy of the struct is a snapshot.
struct SymbolicDisk: Sendable {
    private var nodes: [DiskNode] = []
    private var names: [Place: NodeNumber] = [:]
    private var durableNames: [Place: NodeNumber] = [:]
    private var unsynced: [NameChange] = []
    /// Nodes without a current name that may still have a durable one.
    private var nameless: [NodeNumber] = []

    /// Number of a file or folder, never reused.
    struct NodeNumber: Hashable, Sendable { fileprivate var index: Int }

    struct Place: Hashable, Sendable {
        var folder: NodeNumber
        var name: String
    }

    /// A change of one or more places: the node before and after.
    private struct NameChange: Sendable {
        var settings: [(place: Place, before: NodeNumber?, node: NodeNumber?)]
    }

    /// Adds a folder that was always there.
    mutating func mount() -> NodeNumber {
        nodes.append(DiskNode(isFolder: true))
        return NodeNumber(index: nodes.count - 1)
    }

    /// Node of this number, read and written in place.
    subscript(node: NodeNumber) -> DiskNode {
        _read { yield nodes[node.index] }
        _modify { yield &nodes[node.index] }
    }

    func node(at place: Place) -> NodeNumber? { names[place] }

    /// Returns the names in a folder, sorted.
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

    /// Makes the names in a folder durable, and the other folder's side of their renames.
    mutating func synchroniseNames(in folder: NodeNumber) {
        guard !unsynced.isEmpty else { return }
        var settled: Set<Place> = []
        var kept: [NameChange] = []
        var promised: [NameChange] = []
        // Backwards, because earlier changes of the same name become durable first.
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

    /// Leaves each change that is not durable to chance, and goes on with the outcome.
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

    /// Frees nodes to which no name leads or can lead again.
    private mutating func forgetNameless() {
        let undecided = Set(unsynced.flatMap(\.settings).flatMap { [$0.before, $0.node] })
        for node in nameless where !undecided.contains(node) && nodes[node.index].nameCount == 0 {
            nodes[node.index] = DiskNode()
        }
        nameless.removeAll { !undecided.contains($0) }
    }
}
