import RunLog

/// The background tasks that an app begins by itself, beside those of its engine.
///
/// The numbers of the app's own tasks follow from those of the engine's.
package struct OwnBackgroundTasks: Hashable, Sendable {
    private let manners: AppManners
    /// The own tasks that were begun and have not ended.
    private var held: Set<UInt32> = []

    /// What an app asks of its phone.
    package enum Deed: Hashable, Sendable {
        case begin(UInt32)
        case end(UInt32)
    }

    private static let firstTwin = DeviceFact.lastTaskOfEngine
    private static let firstLate = 2 * firstTwin

    package init(_ manners: AppManners) { self.manners = manners }

    /// Whether a task is one of the app's own, of which the engine knows nothing.
    package static func owns(_ task: UInt32) -> Bool { task > DeviceFact.lastTaskOfEngine }

    /// The engine has begun a task.
    package mutating func began(_ task: UInt32) -> Deed? {
        manners.asksForTimeTwice ? begin(Self.firstTwin + task) : nil
    }

    /// The engine has ended a task.
    package mutating func ended(_ task: UInt32) -> Deed? { end(Self.firstTwin + task) }

    /// A task expires, be it the engine's or the app's own.
    package mutating func expires(_ task: UInt32) -> Deed? {
        if Self.owns(task) { return end(task) }
        return manners.asksForMoreTime ? begin(Self.firstLate + task) : nil
    }

    private mutating func begin(_ task: UInt32) -> Deed {
        held.insert(task)
        return .begin(task)
    }

    private mutating func end(_ task: UInt32) -> Deed? {
        held.remove(task).map { .end($0) }
    }
}
