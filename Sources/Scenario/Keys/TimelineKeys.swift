import Checks
import Quantities
import RunPlan

/// The keys `limit` and `timeline`: the events of a run, and its longest time.
enum TimelineKeys {
    static let shape = Shape.list(
        of: .pair(of: TimelineOccasions.shape, to: TimelineActions.book.shape))

    static func limit(_ node: YAMLNode) -> TimeSpan? {
        node.text(expected: Measure.time.expectation)?.time(expected: "a limit above 0 s") {
            $0 > .zero ? nil : "a run without any time"
        }
    }

    static func readTimeline(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation = "a list of entries such as “- 4 s: app killed”"
        guard let items = node.items(expected: expectation) else { return }
        var course = TimelineCourse(limit: draft.limit, draft.device)
        var written: [(ScheduledEntry, PlacedText)] = []
        var making = ItemMaking(draft)
        for item in items {
            guard let (time, action) = entry(item) else {
                course.loseTrack()
                continue
            }
            let reading = TimelineOccasions.read(time, draft)
            if let occasion = reading?.occasion {
                course.reach(occasion, time)
            } else {
                course.loseTrack()
            }
            guard let what = TimelineActions.book.read(action, draft) else {
                course.loseTrack()
                continue
            }
            course.take(what, action)
            NetworkActions.check(what, action, in: draft)
            guard let reading else { continue }
            let occasion = reading.occasion.of(what)
            making.take(what, action, on: occasion)
            let entry = ScheduledEntry(occasion: occasion, action: what)
            draft.timeline.append(entry)
            written.append((entry, time))
            if !reading.mayFailToCome { expect(reading.occasion, time, &draft) }
        }
        TimelineHealing.check(written, draft)
    }

    /// Splits `4 s: app killed` into its two halves.
    private static func entry(_ item: YAMLNode) -> (time: PlacedText, action: PlacedText)? {
        let expectation = "an entry such as “4 s: app killed”, with a space after the colon"
        guard let (time, value) = item.entry(expected: expectation) else { return nil }
        return value.text(expected: "what happens then, such as “app killed”").map { (time, $0) }
    }

    /// Expects the condition to come, or the run would not show what it is for.
    private static func expect(
        _ occasion: ScheduledEntry.Occasion, _ words: PlacedText, _ draft: inout ScenarioDraft
    ) {
        guard let condition = occasion.condition else { return }
        let plan = ExpectationPlan.conditionMet(condition.words)
        guard !draft.expectations.contains(where: { $0.plan == plan }) else { return }
        draft.expectations.append(
            Scenario.Expectation(
                plan: plan, words: "it comes to “\(condition.words)”", place: words.location))
    }
}
