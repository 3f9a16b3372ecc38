import Checks
import Quantities
import RunPlan

/// The keys `limit` and `timeline`: the events of a run, and its longest time.
enum TimelineKeys {
    static let shape = Shape.list(
        of: .pair(of: TimelineOccasions.shape, to: TimelineActions.book.shape))

    static func readLimit(
        _ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes
    ) {
        guard let words = mistakes.text(of: node, expected: Measure.time.expectation),
            let limit = mistakes.time(words)
        else { return }
        guard limit > .zero else {
            mistakes.add("a run without any time", at: words.place, expected: "a limit above 0 s")
            return
        }
        draft.limit = limit
    }

    static func readTimeline(
        _ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes
    ) {
        let expectation = "a list of entries such as “- 4 s: app killed”"
        guard let items = mistakes.items(of: node, expected: expectation) else { return }
        var course = TimelineCourse(limit: draft.limit, draft.device)
        var written: [(ScheduledEntry, PlacedText)] = []
        var making = ItemMaking(draft)
        for item in items {
            guard let (time, action) = entry(item, mistakes: &mistakes) else {
                course.loseTrack()
                continue
            }
            let reading = TimelineOccasions.read(time, draft, &mistakes)
            if let occasion = reading?.occasion {
                course.reach(occasion, time, &mistakes)
            } else {
                course.loseTrack()
            }
            guard
                let what = TimelineActions.book.read(action, draft: draft, mistakes: &mistakes)
            else {
                course.loseTrack()
                continue
            }
            course.take(what, action, &mistakes)
            NetworkActions.check(what, action, in: draft, mistakes: &mistakes)
            guard let reading else { continue }
            let occasion = reading.occasion.of(what)
            making.take(what, action, on: occasion, &mistakes)
            let entry = ScheduledEntry(occasion: occasion, action: what)
            draft.timeline.append(entry)
            written.append((entry, time))
            if !reading.mayFailToCome { expect(reading.occasion, time, &draft, &mistakes) }
        }
        TimelineHealing.check(written, draft, &mistakes)
    }

    /// Splits `4 s: app killed` into its two halves.
    private static func entry(
        _ item: YAMLNode, mistakes: inout Mistakes
    ) -> (time: PlacedText, action: PlacedText)? {
        let expectation = "an entry such as “4 s: app killed”, with a space after the colon"
        guard let pairs = mistakes.pairs(of: item, expected: expectation) else { return nil }
        guard pairs.count == 1, let (time, value) = pairs.first else {
            mistakes.add(
                "\(pairs.count) entries in one", at: item.place,
                expected: "each entry on a line of its own that begins with “- ”")
            return nil
        }
        let wanted = "what happens then, such as “app killed”"
        return mistakes.text(of: value, expected: wanted).map { (time, $0) }
    }

    /// Expects the condition to come, or the run would not show what it is for.
    private static func expect(
        _ occasion: ScheduledEntry.Occasion, _ words: PlacedText, _ draft: inout ScenarioDraft,
        _ mistakes: inout Mistakes
    ) {
        guard let condition = occasion.condition else { return }
        let plan = ExpectationPlan.conditionMet(condition.words)
        guard !draft.expectations.contains(where: { $0.plan == plan }) else { return }
        draft.expectations.append(
            Scenario.Expectation(
                plan: plan, words: "it comes to “\(condition.words)”",
                place: mistakes.words(for: words.place)))
    }
}
