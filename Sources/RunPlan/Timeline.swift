package import Quantities

/// Something that is done to the world at a time of the run.
package struct TimelineEntry: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// The app's process ends at once, without a word to it.
        case killApp
        case launchApp
        /// A fault of the server, by its name.
        case switchFault(String, on: Bool)
    }

    package var at: Instant
    package var action: Action

    package init(at: Instant, _ action: Action) {
        self.at = at
        self.action = action
    }
}

/// Plays a plan's entries in order, in either world: the world asks what is due and carries it out.
package struct Timeline: Sendable {
    private let entries: [TimelineEntry]
    private var next = 0

    package init(_ entries: [TimelineEntry]) { self.entries = entries }

    /// The next entry that is due, if one is; ask again until there is none.
    package mutating func due(at now: Instant) -> TimelineEntry.Action? {
        guard next < entries.count, entries[next].at <= now else { return nil }
        defer { next += 1 }
        return entries[next].action
    }

    package var nextDeadline: Instant? { next < entries.count ? entries[next].at : nil }
}
