import Quantities
import RunPlan

/// The state of the world while its timeline is read, to find entries that cannot happen while all
/// times are known.
struct TimelineCourse {
    private let limit: TimeSpan
    private var now = TimeSpan.zero
    /// The current file: each has its own entries in order.
    private var file = 0
    /// The run begins with a launch at 0 s. `nil` after an unreadable entry, or one without a known
    /// time.
    private var isAppRunning: Bool? = true
    private var isTimeKnown = true
    private var phone: DeviceCourse

    init(limit: TimeSpan, _ device: DevicePlan) {
        self.limit = limit
        phone = DeviceCourse(device)
    }

    mutating func loseTrack() {
        isAppRunning = nil
        phone.loseTrack()
    }

    /// Checks that entries with a time are in order; others may stand anywhere.
    mutating func reach(_ occasion: ScheduledEntry.Occasion, _ words: PlacedText) {
        isTimeKnown = occasion.time != nil
        guard let time = occasion.time else { return loseTrack() }
        if words.place.file != file {
            file = words.place.file
            now = .zero
            loseTrack()
        }
        if time < now {
            words.refuse(
                "“\(words.text)” is earlier than the entry before it",
                expected: "the entries in the order of their times, \(now) or later")
        }
        if time >= limit {
            words.refuse(
                "“\(words.text)” is too late: the run ends at its limit of \(limit)",
                expected: "a time before that, or a longer “limit”")
            return
        }
        now = max(now, time)
    }

    mutating func take(_ action: TimelineEntry.Action, _ words: PlacedText) {
        if let objection = phone.objection(to: action) { return words.refuse(objection) }
        switch (action, isAppRunning) {
        case (.device, _): isAppRunning = phone.isRunning
        case (.heal(let healing), _): take(healing, words)
        case (.switchFault, _), (.visit, _), (.network, _), (.changeFile, _): break
        case (.asks, false):
            words.refuse(
                "the app is not running then, so it cannot do this",
                expected: "“app launched” before it")
        case (.asks, true), (.asks, nil): break
        case (.killApp, false):
            words.refuse(
                "the app is not running then", expected: "“app launched” before it is killed again")
        case (.launchApp, true):
            words.refuse(
                "the app is running then",
                expected: "“app killed” before it is launched again: it is launched at 0 s")
        case (.killApp, true): isAppRunning = false
        case (.launchApp, false): isAppRunning = phone.isRunning
        case (.killApp, nil), (.launchApp, nil): break
        }
    }

    /// Checks that a healing ends before the run does.
    private func take(_ healing: Healing, _ words: PlacedText) {
        let deadline = (isTimeKnown ? now : .zero) + healing.within
        guard deadline > limit else { return }
        words.refuse(
            "everything must end by \(deadline), but the run ends at its limit of \(limit)",
            expected: "a longer “limit”, or less time: “healing within 30 s”")
    }
}
