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

    static func read(_ words: PlacedText, _ draft: ScenarioDraft) -> Reading? {
        // Commas are for people.
        let text = words.text.replacing(", ", with: " ")
        let excuse = " if it comes"
        let mayFail = text.hasSuffix(excuse)
        let plain = words.saying(mayFail ? String(text.dropLast(excuse.count)) : text)
        guard let occasion = book.read(plain, draft) else { return nil }
        if mayFail, occasion.condition == nil {
            return words.refuse(
                "“\(plain.text)” always comes", expected: "“if it comes” only after a condition")
        }
        return Reading(occasion: occasion, mayFailToCome: mayFail || occasion.isWhenever)
    }

    private typealias Occasion = ScheduledEntry.Occasion

    private static let book = PhraseBook<Occasion>(
        name: "a time or something to wait for",
        phrases: conditions + chances + repetitions + [
            // Last, because it matches any two words.
            Phrase("TIME", "counted from the run's start") { holes, _ in
                holes[0].time().map { .at($0) }
            }
        ])

    private static let conditions: [Phrase<Occasion>] = [
        Phrase("TIME after the ORDINAL EVENT", "this long after that time, and no other") {
            holes, draft in
            both(holes[0].time(), numbered(holes[1], holes[2], draft))
                .map { .when($1.condition, after: $0, .number($1.number)) }
        },
        Phrase("when the ORDINAL EVENT") { holes, draft in
            numbered(holes[0], holes[1], draft)
                .map { .when($0.condition, after: .zero, .number($0.number)) }
        },
        Phrase(
            "when EVENT",
            "the first time; a run in which EVENT never happens is red, unless `, if it comes` "
                + "follows"
        ) { holes, draft in
            TimelineConditions.read(holes[0], draft).map { .when($0, after: .zero, .first) }
        },
        Phrase("whenever EVENT", "each time; EVENT need not happen") { holes, draft in
            TimelineConditions.read(holes[0], draft).map { .when($0, after: .zero, .whenever) }
        },
        Phrase(
            "TIME after EVENT",
            "this long after EVENT, each time; red if EVENT never happens. What can be made only "
                + "once is made the first time"
        ) { holes, draft in
            both(holes[0].time(), TimelineConditions.read(holes[1], draft))
                .map { .when($1, after: $0, .each) }
        },
    ]

    private static let repetitions: [Phrase<Occasion>] = [
        Phrase(
            "every TIME",
            "at regular intervals; without `from`, the first moment is after one interval"
        ) { holes, draft in
            every(holes[0], nil, nil, draft)
        },
        Phrase("every TIME from TIME") { holes, draft in
            every(holes[0], holes[1], nil, draft)
        },
        Phrase("every TIME from TIME to TIME") { holes, draft in
            every(holes[0], holes[1], holes[2], draft)
        },
        Phrase("TIMES every TIME") { holes, draft in
            several(holes[0], every: holes[1], from: nil, draft)
        },
        Phrase("TIMES every TIME from TIME") { holes, draft in
            several(holes[0], every: holes[1], from: holes[2], draft)
        },
    ]

    private static let chances: [Phrase<Occasion>] = [
        Phrase(
            "at random between TIME and TIME",
            "moments drawn from the run's seed, independently for each entry; the log's first "
                + "event lists them"
        ) { holes, draft in
            window(holes[0], holes[1], draft).map { .byChance(1, $0) }
        },
        Phrase("TIMES at random between TIME and TIME") { holes, draft in
            both(count(holes[0]), window(holes[1], holes[2], draft)).map { .byChance($0, $1) }
        },
        Phrase(
            "about every TIME", "random moments that are TIME apart on average, like incoming calls"
        ) { holes, draft in
            period(holes[0], over: draft.wholeRun).map { .about($0, draft.wholeRun) }
        },
        Phrase("about every TIME from TIME to TIME") { holes, draft in
            guard let window = window(holes[1], holes[2], draft) else { return nil }
            return period(holes[0], over: window).map { .about($0, window) }
        },
    ]

    // MARK: Holes

    /// Reads the second, third or later time of an event.
    private static func numbered(
        _ ordinal: PlacedText, _ words: PlacedText, _ draft: ScenarioDraft
    ) -> (condition: TimelineCondition, number: Int)? {
        let event = TimelineConditions.read(words, draft)
        guard let (number, event) = both(ordinal.ordinal(upTo: most), event) else { return nil }
        guard number == 1 || !event.lasts else {
            return ordinal.refuse(
                "it comes to “\(words.text)” only once", expected: "“after \(words.text)”")
        }
        let condition = TimelineCondition(event.kind, words: "the \(ordinal.text) \(words.text)")
        return (condition, number)
    }

    /// The most moments of an entry. More come from a wrong unit.
    private static let most = 1_000

    private static func every(
        _ words: PlacedText, _ from: PlacedText?, _ until: PlacedText?, _ draft: ScenarioDraft
    ) -> Occasion? {
        guard let step = words.time() else { return nil }
        var span = ScheduledEntry.Window(from: step, to: draft.limit)
        if let from, let until {
            guard let given = window(from, until, draft) else { return nil }
            span = given
        } else if let from {
            guard let first = draft.reachable(from, beforeLimit: true) else { return nil }
            span.from = first
        }
        guard let period = period(words, over: span) else { return nil }
        return .every(period, span)
    }

    private static func several(
        _ times: PlacedText, every words: PlacedText, from: PlacedText?, _ draft: ScenarioDraft
    ) -> Occasion? {
        guard let count = count(times), let step = words.time() else { return nil }
        var first = step
        if let from {
            guard let given = draft.reachable(from, beforeLimit: true) else { return nil }
            first = given
        }
        let room = (draft.limit - first).nanoseconds
        // A division, because a product might overflow.
        guard step > .zero, step.nanoseconds <= room / Int64(count) else {
            return words.refuse(
                "the last moment is too late: the run ends at its limit of \(draft.limit)",
                expected: "times above 0 s, all before the limit")
        }
        return .every(step, .init(from: first, to: first + step * Int64(count - 1)))
    }

    private static func period(
        _ words: PlacedText, over window: ScheduledEntry.Window
    ) -> TimeSpan? {
        let least = (window.to - window.from).nanoseconds / Int64(most)
        let shortest = TimeSpan(nanoseconds: max(1, least))
        return words.time(expected: "at most \(most), so at least \(shortest)") {
            $0 < shortest ? "“\(words.text)” makes too many entries" : nil
        }
    }

    private static func count(_ words: PlacedText) -> Int? {
        words.checked(words.often(), expected: "from once to \(most) times") {
            (1...most).contains($0) ? nil : "“\(words.text)” is out of range"
        }
    }

    private static func window(
        _ from: PlacedText, _ to: PlacedText, _ draft: ScenarioDraft
    ) -> ScheduledEntry.Window? {
        let times = both(
            draft.reachable(from, beforeLimit: true), draft.reachable(to, beforeLimit: true))
        let window = times.map { ScheduledEntry.Window(from: $0, to: $1) }
        return to.checked(window, expected: "the earlier time first") {
            $0.from < $0.to ? nil : "“\(to.text)” does not come after “\(from.text)”"
        }
    }
}

extension ScenarioDraft {
    fileprivate var wholeRun: ScheduledEntry.Window { .init(from: .zero, to: limit) }
}
