/// The state table of a machine.
package protocol StateTable: Hashable, CaseIterable, RawRepresentable<String>, Sendable {
    associatedtype Event: Hashable, CaseIterable, Sendable

    /// Whether the event can reach this state. If it cannot, its arrival is our own mistake and
    /// traps.
    func canSee(_ event: Event) -> Bool
}

/// A state table in which each event has an effect, or cannot reach the state.
package protocol EffectTable: StateTable {
    associatedtype Effect

    /// `nil` if the event cannot reach this state.
    func effect(of event: Event) -> Effect?
}

extension EffectTable {
    /// Returns the effect of an event in this state.
    ///
    /// Events that cannot reach a state are our own mistake, not the caller's, and trap.
    package func after(_ event: Event) -> Effect {
        guard let effect = effect(of: event) else {
            preconditionFailure("\(event) cannot reach \(Self.self).\(self)")
        }
        return effect
    }

    package func canSee(_ event: Event) -> Bool { effect(of: event) != nil }
}

/// Counts how often each cell of a state table was reached.
///
/// Cells without an effect count too: a queue that stops reaches all waiting sessions.
package struct StateCells<State: StateTable>: Hashable, Sendable {
    private var counts: [State: [State.Event: UInt64]] = [:]

    package init() {}

    package mutating func count(_ state: State, _ event: State.Event) {
        counts[state, default: [:]][event, default: 0] += 1
    }

    package subscript(state: State, event: State.Event) -> UInt64 { counts[state]?[event] ?? 0 }

    package static func += (total: inout Self, more: Self) {
        // any order: sums
        for (state, events) in more.counts {
            for (event, count) in events {
                total.counts[state, default: [:]][event, default: 0] += count
            }
        }
    }
}

/// The reached cells of an app's engine and of a phone's daemon.
package struct ReachedCells: Hashable, Sendable {
    /// Sessions of the queue; persistent ones are counted separately.
    package var sessions = StateCells<SessionState>()
    package var persistent = StateCells<SessionState>()
    package var operations = StateCells<OperationState>()
    package var entries = StateCells<EntryState>()
    /// Tasks of the daemon, by their own state and by their app's.
    package var tasks = StateCells<TaskState>()
    package var apps = StateCells<TaskAppState>()

    package init() {}

    package static func += (total: inout Self, more: Self) {
        total.sessions += more.sessions
        total.persistent += more.persistent
        total.operations += more.operations
        total.entries += more.entries
        total.tasks += more.tasks
        total.apps += more.apps
    }
}
