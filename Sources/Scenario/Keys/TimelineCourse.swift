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
    mutating func reach(
        _ occasion: ScheduledEntry.Occasion, _ words: PlacedText, _ mistakes: inout Mistakes
    ) {
        isTimeKnown = occasion.time != nil
        guard let time = occasion.time else { return loseTrack() }
        if words.place.file != file {
            file = words.place.file
            now = .zero
            loseTrack()
        }
        if time < now {
            mistakes.add(
                "“\(words.text)” is earlier than the entry before it", at: words.place,
                expected: "the entries in the order of their times, \(now) or later")
        }
        if time >= limit {
            mistakes.add(
                "“\(words.text)” is too late: the run ends at its limit of \(limit)",
                at: words.place, expected: "a time before that, or a longer “limit”")
            return
        }
        now = max(now, time)
    }

    mutating func take(
        _ action: TimelineEntry.Action, _ words: PlacedText, _ mistakes: inout Mistakes
    ) {
        if let objection = phone.objection(to: action) {
            return mistakes.add(
                objection.complaint, at: words.place, expected: objection.expected)
        }
        switch (action, isAppRunning) {
        case (.device, _): isAppRunning = phone.isRunning
        case (.heal(let healing), _): take(healing, words, &mistakes)
        case (.switchFault, _), (.network, _), (.changeFile, _): break
        case (.asks, false):
            mistakes.add(
                "the app is not running then, so it cannot do this", at: words.place,
                expected: "“app launched” before it")
        case (.asks, true), (.asks, nil): break
        case (.killApp, false):
            mistakes.add(
                "the app is not running then", at: words.place,
                expected: "“app launched” before it is killed again")
        case (.launchApp, true):
            mistakes.add(
                "the app is running then", at: words.place,
                expected: "“app killed” before it is launched again: it is launched at 0 s")
        case (.killApp, true): isAppRunning = false
        case (.launchApp, false): isAppRunning = phone.isRunning
        case (.killApp, nil), (.launchApp, nil): break
        }
    }

    /// Checks that a healing ends before the run does.
    private func take(_ healing: Healing, _ words: PlacedText, _ mistakes: inout Mistakes) {
        let deadline = (isTimeKnown ? now : .zero) + healing.within
        guard deadline > limit else { return }
        mistakes.add(
            "everything must end by \(deadline), but the run ends at its limit of "
                + "\(limit)", at: words.place,
            expected: "a longer “limit”, or less time: “healing within 30 s”")
    }
}
