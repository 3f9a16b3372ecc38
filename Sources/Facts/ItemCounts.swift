/// A number of items of each façade, such as the items of the apps before one app.
package struct ItemCounts: Hashable, Sendable, Codable {
    private var numbers: [UInt64]
    /// The transfers of the queue's sessions. A session has a number for each of its files, and at
    /// least one.
    package var transfersOfSessions: UInt64 = 0

    package init() { numbers = Facade.allCases.map { _ in 0 } }

    package subscript(facade: Facade) -> UInt64 {
        get { numbers[facade.place] }
        set { numbers[facade.place] = newValue }
    }

    package static func += (counts: inout ItemCounts, more: ItemCounts) {
        for facade in Facade.allCases { counts[facade] += more[facade] }
        counts.transfersOfSessions += more.transfersOfSessions
    }

    /// Counts an app's sessions and their transfers once more.
    package mutating func addSessions(of app: ItemCounts) {
        self[.queue] += app[.queue]
        transfersOfSessions += app.transfersOfSessions
    }

    /// Returns the name in the run of an item that one app counts.
    package func name(_ own: ItemName) -> ItemName {
        ItemName(own.number + self[own.facade], of: own.facade)
    }

    /// Returns the app's own name of an item of the run.
    package func own(_ name: ItemName) -> ItemName {
        ItemName(name.number - self[name.facade], of: name.facade)
    }
}

extension Facade {
    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
