import Quantities
import RunPlan

/// When an entry of a timeline happens: the words before its colon.
enum TimelineOccasions {
    static let shape = book.shape

    /// The occasion, and whether it may fail to come.
    struct Reading {
        var occasion: ScheduledEntry.Occasion
        var mayFailToCome: Bool
    }

    static func read(
        _ words: PlacedText, _ draft: ScenarioDraft, _ mistakes: inout Mistakes
    ) -> Reading? {
        // Commas are for people.
        let text = words.text.replacing(", ", with: " ")
        let excuse = " if it comes"
        let mayFail = text.hasSuffix(excuse)
        let plain = PlacedText(
            text: mayFail ? String(text.dropLast(excuse.count)) : text, place: words.place)
        guard let occasion = book.read(plain, draft: draft, mistakes: &mistakes) else {
            return nil
        }
        if mayFail, occasion.condition == nil {
            mistakes.add(
                "“\(plain.text)” always comes", at: words.place,
                expected: "“if it comes” only after a condition")
            return nil
        }
        return Reading(occasion: occasion, mayFailToCome: mayFail || occasion.isWhenever)
    }

    private typealias Occasion = ScheduledEntry.Occasion

    private static let book = PhraseBook<Occasion>(
        name: "a time or something to wait for",
        phrases: conditions + chances + repetitions + [
            // Last, because it matches any two words.
            Phrase("TIME", "counted from the run's start") { holes, _, mistakes in
                mistakes.time(holes[0]).map { .at($0) }
            }
        ])

    private static let conditions: [Phrase<Occasion>] = [
        Phrase(
            "when EVENT",
            "the first time; a run in which EVENT never happens is red, unless `, if it comes` "
                + "follows"
        ) { holes, draft, mistakes in
            TimelineConditions.read(holes[0], draft, &mistakes).map {
                .when($0, after: .zero, .first)
            }
        },
        Phrase("whenever EVENT", "each time; EVENT need not happen") { holes, draft, mistakes in
            TimelineConditions.read(holes[0], draft, &mistakes).map {
                .when($0, after: .zero, .whenever)
            }
        },
        Phrase(
            "TIME after EVENT",
            "this long after EVENT, each time; red if EVENT never happens. What can be made only "
                + "once is made the first time"
        ) { holes, draft, mistakes in
            let delay = mistakes.time(holes[0])
            guard let condition = TimelineConditions.read(holes[1], draft, &mistakes), let delay
            else { return nil }
            return .when(condition, after: delay, .each)
        },
    ]

    private static let repetitions: [Phrase<Occasion>] = [
        Phrase(
            "every TIME",
            "at regular intervals; without `from`, the first moment is after one interval"
        ) {
            holes, draft, mistakes in
            every(holes[0], nil, nil, draft, &mistakes)
        },
        Phrase("every TIME from TIME") { holes, draft, mistakes in
            every(holes[0], holes[1], nil, draft, &mistakes)
        },
        Phrase("every TIME from TIME to TIME") { holes, draft, mistakes in
            every(holes[0], holes[1], holes[2], draft, &mistakes)
        },
        Phrase("TIMES every TIME") { holes, draft, mistakes in
            several(holes[0], every: holes[1], from: nil, draft, &mistakes)
        },
        Phrase("TIMES every TIME from TIME") { holes, draft, mistakes in
            several(holes[0], every: holes[1], from: holes[2], draft, &mistakes)
        },
    ]

    private static let chances: [Phrase<Occasion>] = [
        Phrase(
            "at random between TIME and TIME",
            "moments drawn from the run's seed, independently for each entry; the log's first "
                + "event lists them"
        ) { holes, draft, mistakes in
            window(holes[0], holes[1], draft, &mistakes).map { .byChance(1, $0) }
        },
        Phrase("TIMES at random between TIME and TIME") { holes, draft, mistakes in
            let times = count(holes[0], &mistakes)
            guard let window = window(holes[1], holes[2], draft, &mistakes) else { return nil }
            return times.map { .byChance($0, window) }
        },
        Phrase(
            "about every TIME", "random moments that are TIME apart on average, like incoming calls"
        ) {
            holes, draft, mistakes in
            period(holes[0], over: draft.wholeRun, &mistakes).map {
                .about($0, draft.wholeRun)
            }
        },
        Phrase("about every TIME from TIME to TIME") { holes, draft, mistakes in
            guard let window = window(holes[1], holes[2], draft, &mistakes) else { return nil }
            return period(holes[0], over: window, &mistakes).map { .about($0, window) }
        },
    ]

    // MARK: Holes

    /// More is a mistake in a unit.
    private static let most = 1_000

    private static func every(
        _ words: PlacedText, _ from: PlacedText?, _ until: PlacedText?, _ draft: ScenarioDraft,
        _ mistakes: inout Mistakes
    ) -> Occasion? {
        guard let step = mistakes.time(words) else { return nil }
        var span = ScheduledEntry.Window(from: step, to: draft.limit)
        if let from, let until {
            guard let given = window(from, until, draft, &mistakes) else { return nil }
            span = given
        } else if let from {
            guard let first = moment(from, draft, &mistakes) else { return nil }
            span.from = first
        }
        guard let period = period(words, over: span, &mistakes) else { return nil }
        return .every(period, span)
    }

    private static func several(
        _ times: PlacedText, every words: PlacedText, from: PlacedText?, _ draft: ScenarioDraft,
        _ mistakes: inout Mistakes
    ) -> Occasion? {
        guard let count = count(times, &mistakes), let step = mistakes.time(words) else {
            return nil
        }
        var first = step
        if let from {
            guard let given = moment(from, draft, &mistakes) else { return nil }
            first = given
        }
        let room = (draft.limit - first).nanoseconds
        // Far from overflow.
        guard step > .zero, step.nanoseconds <= room / Int64(count) else {
            mistakes.add(
                "the last moment is too late: the run ends at its limit of \(draft.limit)",
                at: words.place, expected: "times above 0 s, all before the limit")
            return nil
        }
        return .every(step, .init(from: first, to: first + step * Int64(count - 1)))
    }

    private static func period(
        _ words: PlacedText, over window: ScheduledEntry.Window, _ mistakes: inout Mistakes
    ) -> TimeSpan? {
        guard let period = mistakes.time(words) else { return nil }
        let least = (window.to - window.from).nanoseconds / Int64(most)
        guard period > .zero, period.nanoseconds >= least else {
            mistakes.add(
                "“\(words.text)” makes too many entries", at: words.place,
                expected: "at most \(most), so at least \(TimeSpan(nanoseconds: max(1, least)))")
            return nil
        }
        return period
    }

    private static func count(_ words: PlacedText, _ mistakes: inout Mistakes) -> Int? {
        guard let times = mistakes.often(words) else { return nil }
        guard (1...most).contains(times) else {
            mistakes.add(
                "“\(words.text)” is out of range", at: words.place,
                expected: "from once to \(most) times")
            return nil
        }
        return times
    }

    private static func window(
        _ from: PlacedText, _ to: PlacedText, _ draft: ScenarioDraft, _ mistakes: inout Mistakes
    ) -> ScheduledEntry.Window? {
        let first = moment(from, draft, &mistakes)
        guard let last = moment(to, draft, &mistakes), let first else { return nil }
        guard first < last else {
            mistakes.add(
                "“\(to.text)” does not come after “\(from.text)”", at: to.place,
                expected: "the earlier time first")
            return nil
        }
        return .init(from: first, to: last)
    }

    private static func moment(
        _ words: PlacedText, _ draft: ScenarioDraft, _ mistakes: inout Mistakes
    ) -> TimeSpan? {
        guard let time = mistakes.time(words) else { return nil }
        guard time < draft.limit else {
            mistakes.add(
                "“\(words.text)” is too late: the run ends at its limit of \(draft.limit)",
                at: words.place, expected: "a time before that, or a longer “limit”")
            return nil
        }
        return time
    }
}

extension ScenarioDraft {
    fileprivate var wholeRun: ScheduledEntry.Window { .init(from: .zero, to: limit) }
}
