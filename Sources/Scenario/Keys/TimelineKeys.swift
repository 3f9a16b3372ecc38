import Quantities
import RunPlan

/// The keys `limit` and `timeline`: what is done to the world, and when the run is over.
enum TimelineKeys {
    static let shape = Shape.list(of: .pair(of: .time, to: actions.shape))

    static func readLimit(
        _ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes
    ) {
        guard let words = mistakes.text(of: node, expected: Measure.time.expectation),
            let limit = mistakes.time(words)
        else { return }
        guard limit > .zero else {
            mistakes.add("a run of no time", at: words.place, expected: "a limit above 0 s")
            return
        }
        draft.limit = limit
    }

    static func readTimeline(
        _ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes
    ) {
        let expectation = "a list of entries such as “- 4 s: app killed”"
        guard let items = mistakes.items(of: node, expected: expectation) else { return }
        var course = Course(limit: draft.limit)
        for item in items {
            guard let (time, action) = entry(item, mistakes: &mistakes) else {
                course.loseTrack()
                continue
            }
            let at = mistakes.time(time).map { Instant.start + $0 }
            if let at { course.reach(at, time, mistakes: &mistakes) }
            guard let what = actions.read(action, draft: draft, mistakes: &mistakes) else {
                course.loseTrack()
                continue
            }
            course.take(what, action, mistakes: &mistakes)
            if let at { draft.timeline.append(TimelineEntry(at: at, what)) }
        }
    }

    /// `4 s: app killed`, in its two halves.
    private static func entry(
        _ item: YAMLNode, mistakes: inout Mistakes
    ) -> (time: PlacedText, action: PlacedText)? {
        let expectation = "an entry such as “4 s: app killed”, with a space after the colon"
        guard let pairs = mistakes.pairs(of: item, expected: expectation) else { return nil }
        guard pairs.count == 1, let (time, value) = pairs.first else {
            mistakes.add(
                "\(pairs.count) entries in one", at: item.place,
                expected: "each entry in a line of its own that begins with “- ”")
            return nil
        }
        let wanted = "what happens then, such as “app killed”"
        return mistakes.text(of: value, expected: wanted).map { (time, $0) }
    }

    /// Everything that can be done to the world; a new action is one more line.
    private static let actions = PhraseBook<TimelineEntry.Action>(
        name: "something that can happen",
        phrases: [
            Phrase("app killed") { _, _, _ in .killApp },
            Phrase("app launched") { _, _, _ in .launchApp },
            Phrase("fault NAME on") { holes, draft, mistakes in
                fault(holes[0], of: draft, mistakes: &mistakes).map { .switchFault($0, on: true) }
            },
            Phrase("fault NAME off") { holes, draft, mistakes in
                fault(holes[0], of: draft, mistakes: &mistakes).map { .switchFault($0, on: false) }
            },
        ])

    private static func fault(
        _ name: PlacedText, of draft: ScenarioDraft, mistakes: inout Mistakes
    ) -> String? {
        if draft.faultNames.contains(name.text) { return name.text }
        let nearest = Spelling.nearest(to: name.text, among: draft.faultNames)
        mistakes.add(
            "there is no fault “\(name.text)”", at: name.place,
            expected: "a name that stands under “faults” of “server”",
            suggestion: nearest.map { "“\($0)”" })
        return nil
    }

    /// What is known of the world while its timeline is read: enough to see that it cannot happen.
    private struct Course {
        let limit: TimeSpan
        private var now = Instant.start
        /// The run begins with a launch, at 0 s; `nil` after an entry that could not be read.
        private var isAppRunning: Bool? = true

        init(limit: TimeSpan) { self.limit = limit }

        mutating func reach(_ at: Instant, _ words: PlacedText, mistakes: inout Mistakes) {
            if at < now {
                mistakes.add(
                    "“\(words.text)” is earlier than the entry before it", at: words.place,
                    expected: "the entries in the order of their times, \(now.sinceStart) or later")
            }
            if at.sinceStart >= limit {
                mistakes.add(
                    "“\(words.text)” never comes: the run ends at its limit of \(limit)",
                    at: words.place, expected: "a time before that, or a longer “limit”")
                return
            }
            now = max(now, at)
        }

        mutating func loseTrack() { isAppRunning = nil }

        mutating func take(
            _ action: TimelineEntry.Action, _ words: PlacedText, mistakes: inout Mistakes
        ) {
            switch (action, isAppRunning) {
            case (.switchFault, _): break
            case (.killApp, false):
                mistakes.add(
                    "the app is not running then", at: words.place,
                    expected: "“app launched” before it is killed again")
            case (.launchApp, true):
                mistakes.add(
                    "the app is running then", at: words.place,
                    expected: "“app killed” before it is launched again: it is launched at 0 s")
            case (.killApp, _): isAppRunning = false
            case (.launchApp, _): isAppRunning = true
            }
        }
    }
}
