package import Device
package import Quantities
package import RunLog

/// An action on the world, at a time of the run or after a condition.
package struct TimelineEntry: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// Ends the app's process at once.
        case killApp
        case launchApp
        /// An event of a phone, counted from 0.
        case device(DeviceEvent, on: Int = 0)
        /// Switches the fault of the server with this name.
        case switchFault(String, on: Bool)
        /// Another client begins the visit with this name.
        case visit(String)
        /// Ends the chaos: everything that the plan has broken works again.
        case heal(Healing)
        case changeFile(FileChange)
        /// A command of the user to an app. Items have their numbers in the whole plan.
        case asks(AppPlan.Command)
        /// An event of a phone's interfaces.
        case network(DeviceNetwork.Input, on: Int = 0)
    }

    package enum Trigger: Hashable, Sendable {
        case at(Instant)
        /// A time after the condition has come true.
        case when(TimelineCondition, after: TimeSpan, Meeting)
    }

    /// Which of the times at which a condition comes true.
    package enum Meeting: Hashable, Sendable {
        case every
        /// Counted from 1.
        case number(Int)

        package static let first = Meeting.number(1)
    }

    package var trigger: Trigger
    package var action: Action

    package init(_ trigger: Trigger, _ action: Action) {
        self.trigger = trigger
        self.action = action
    }

    package init(at: Instant, _ action: Action) { self.init(.at(at), action) }

    /// How often the action can happen at most.
    package var mostTimes: Int {
        if case .when(_, _, .every) = trigger { Timeline.mostMeetings } else { 1 }
    }
}

/// An entry of a timeline that has happened. Entries are counted from 0, in the plan's order.
package struct TimelineDeed: Hashable, Sendable {
    package var entry: Int
    package var at: Instant
    /// Whether the world has recorded nothing of it.
    package var isVoid = false
}

/// Plays a plan's entries in either world: the world reports its events, asks which actions are
/// due, and carries them out.
package struct Timeline: Sendable {
    /// Actions in the order of their times, and of the plan within a moment.
    private var upcoming: [Upcoming] = []
    private var next = 0
    private var watches: [Watch] = []
    private var isHealed = false
    /// The entries that have happened, in this order.
    package private(set) var deeds: [TimelineDeed] = []

    private struct Upcoming {
        var at: Instant
        var entry: Int
        var action: TimelineEntry.Action
    }

    private struct Watch {
        var entry: Int
        var condition: TimelineCondition
        var delay: TimeSpan
        var wanted: TimelineEntry.Meeting
        var action: TimelineEntry.Action
        var meetings = 0

        /// Whether the latest meeting is wanted.
        var isDue: Bool {
            switch wanted {
            case .every: true
            case .number(let number): meetings == number
            }
        }

        var isOver: Bool {
            switch wanted {
            case .every: meetings >= Timeline.mostMeetings
            case .number(let number): meetings >= number
            }
        }
    }

    /// A limit for actions that meet their own condition at once, so that time goes on.
    fileprivate static let mostMeetings = 1_000

    package init(_ entries: [TimelineEntry]) {
        for (number, entry) in entries.enumerated() {
            switch entry.trigger {
            case .at(let at): schedule(entry.action, of: number, at: at)
            case .when(let condition, let delay, let meeting):
                watches.append(
                    Watch(
                        entry: number, condition: condition, delay: delay,
                        wanted: condition.lasts ? .first : meeting, action: entry.action))
            }
        }
    }

    /// Whether a condition is pending; if not, events need not be reported.
    package var isWatching: Bool { !watches.isEmpty }

    package mutating func read(
        _ event: RunEvent, at now: Instant, into log: inout RunLogSink
    ) {
        meet(at: now, into: &log) { $0.isMet(by: event.fact) }
    }

    /// Returns the next action that is due; ask again until there is none.
    package mutating func due(
        at now: Instant, into log: inout RunLogSink
    ) -> TimelineEntry.Action? {
        while next < upcoming.count, upcoming[next].at <= now {
            let (action, entry) = (upcoming[next].action, upcoming[next].entry)
            next += 1
            // Nothing breaks after a healing.
            if isHealed, action.breaks { continue }
            if case .heal = action { isHealed = true }
            deeds.append(TimelineDeed(entry: entry, at: now))
            meet(at: now, into: &log) { $0.kind == .done(action) }
            return action
        }
        return nil
    }

    /// Notes that the action that was due last has changed nothing.
    package mutating func lastDeedIsVoid() { deeds[deeds.count - 1].isVoid = true }

    package var nextDeadline: Instant? { next < upcoming.count ? upcoming[next].at : nil }

    private mutating func meet(
        at now: Instant, into log: inout RunLogSink, _ isMet: (TimelineCondition) -> Bool
    ) {
        guard !watches.isEmpty else { return }
        var isOver = false
        for index in watches.indices where isMet(watches[index].condition) {
            watches[index].meetings += 1
            let watch = watches[index]
            guard watch.isDue else { continue }
            if watch.meetings == 1 || watch.wanted != .every {
                log.record(.run(.conditionMet(watch.condition.words)), at: now)
            }
            schedule(watch.action, of: watch.entry, at: now + watch.delay)
            isOver = isOver || watch.isOver
        }
        guard isOver else { return }
        watches.removeAll(where: \.isOver)
    }

    private mutating func schedule(_ action: TimelineEntry.Action, of entry: Int, at: Instant) {
        var place = upcoming.endIndex
        while place > next, upcoming[place - 1].at > at { place -= 1 }
        upcoming.insert(Upcoming(at: at, entry: entry, action: action), at: place)
    }
}
