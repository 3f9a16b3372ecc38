/// How many items of each façade there are, or come before somebody's own.
package struct ItemCounts: Hashable, Sendable, Codable {
    private var numbers: [UInt64]

    package init() { numbers = Facade.allCases.map { _ in 0 } }

    package subscript(facade: Facade) -> UInt64 {
        get { numbers[facade.place] }
        set { numbers[facade.place] = newValue }
    }

    package static func += (counts: inout ItemCounts, more: ItemCounts) {
        for facade in Facade.allCases { counts[facade] += more[facade] }
    }

    /// The name among all items of one that somebody counts for himself.
    package func name(_ own: ItemName) -> ItemName {
        ItemName(own.number + self[own.facade], of: own.facade)
    }

    /// What somebody calls an item for himself.
    package func own(_ name: ItemName) -> ItemName {
        ItemName(name.number - self[name.facade], of: name.facade)
    }
}

extension Facade {
    fileprivate var place: Int {
        switch self {
        case .queue: 0
        case .operations: 1
        case .background: 2
        case .bucket: 3
        }
    }
}
