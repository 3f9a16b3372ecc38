import Checks
import Quantities

/// Expectations of bulk flows, and of the queues and drops of the links that they share.
enum FlowPhrases {
    static let all: [Phrase<ExpectationPlan>] =
        timed(
            "flow FLOW reaches RATE",
            "the mean rate of what comes through for the first time, from the flow's beginning "
                + "to its end, or between two times of the run"
        ) { holes, draft, window in
            both(draft.flow(holes[0]), holes[1].rate())
                .map { .flow($0, .reaches($1), during: window) }
        }
        + timed(
            "flow FLOW gets PERCENT to PERCENT of LINK",
            "its part of all bytes that the link delivers while the flow lasts"
        ) { holes, draft, window in
            let range = shares(holes[1], holes[2])
            guard let (flow, link) = both(draft.flow(holes[0]), draft.link(holes[3])),
                let range
            else { return nil }
            if let own = draft.linkName(of: flow), own != link {
                return holes[3].refuse(
                    "flow “\(flow)” does not send over the \(link)", expected: own)
            }
            return .flow(flow, .gets(range), during: window)
        }
        + timed(
            "flow FLOW gets PERCENT to PERCENT of flow FLOW",
            "its rate compared with that of another flow"
        ) { holes, draft, window in
            let range = shares(holes[1], holes[2])
            guard let (flow, other) = both(draft.flow(holes[0]), draft.flow(holes[3])),
                let range
            else { return nil }
            return .flow(flow, .getsBeside(range, flow: other), during: window)
        }
        + timed(
            "flow FLOW sends again at most PERCENT", "of the bytes that it sends, by its transport"
        ) { holes, draft, window in
            both(draft.flow(holes[0]), holes[1].probability())
                .map { .flow($0, .sendsAgain($1), during: window) }
        }
        + timed(
            "flow FLOW sends in vain at most PERCENT",
            "of the bytes that it sends: what arrives although it had arrived before"
        ) { holes, draft, window in
            both(draft.flow(holes[0]), holes[1].probability())
                .map { .flow($0, .sendsInVain($1), during: window) }
        }
        + timed(
            "flow FLOW ends within TIME",
            "each flow of this name, from its own beginning until all its bytes have come through; "
                + "between two times counts flows that begin there"
        ) { holes, draft, window in
            both(draft.flow(holes[0]), holes[1].time())
                .map { .flow($0, .ends(within: $1), during: window) }
        }
        + timed(
            "flows share LINK with fairness of DECIMAL",
            "at least this index of Jain, which is 1 if all named flows on a link are equally "
                + "fast; flows with `bytes`, or that do not last from one time to the other, do "
                + "not count"
        ) { holes, draft, window in
            both(draft.link(holes[0]), fairness(holes[1]))
                .map { .flowsShare(link: $0, fairness: $1, during: window) }
        }
        + ExpectationPlan.QueueingFigure.allCases.flatMap { figure in
            let word = figure == .longest ? "" : "\(figure.rawValue) "
            return timed(
                "\(word)queueing delay on LINK stays below TIME",
                figure == .longest
                    ? "how much longer packets take than on the idle link at its highest rate; "
                        + "jitter counts as well" : nil
            ) { holes, draft, window in
                both(draft.link(holes[0]), holes[1].time())
                    .map { .queueing(link: $0, figure, below: $1, during: window) }
            }
        }

    /// Returns a sentence, and the same with a part of the run.
    private static func timed(
        _ words: String, _ about: String?,
        _ plan:
            @escaping @Sendable ([PlacedText], ScenarioDraft, ClosedRange<TimeSpan>?) ->
            ExpectationPlan?
    ) -> [Phrase<ExpectationPlan>] {
        [
            Phrase("\(words) between TIME and TIME", about) { holes, draft in
                let times = Array(holes.suffix(2))
                guard let window = window(times[0], times[1], draft) else { return nil }
                return plan(Array(holes.dropLast(2)), draft, window)
            },
            Phrase(words) { holes, draft in plan(holes, draft, nil) },
        ]
    }

    private static func window(
        _ from: PlacedText, _ until: PlacedText, _ draft: ScenarioDraft
    ) -> ClosedRange<TimeSpan>? {
        guard let (from, last) = both(draft.reachable(from), draft.reachable(until)) else {
            return nil
        }
        guard from < last else {
            return until.refuse("nothing is between \(from) and \(last)", expected: "a later time")
        }
        return from...last
    }

    private static func shares(
        _ least: PlacedText, _ most: PlacedText
    ) -> ClosedRange<Probability>? {
        guard let (lower, upper) = both(least.probability(), most.probability()) else {
            return nil
        }
        guard lower <= upper else {
            return most.refuse(
                "\(upper) comes before \(lower)", expected: "the smaller part first")
        }
        return lower...upper
    }

    /// Returns thousandths.
    private static func fairness(_ words: PlacedText) -> UInt64? {
        guard case .whole(let thousandths) = DecimalNumber(words.text)?.times(1_000),
            (1...1_000).contains(thousandths)
        else {
            return words.refuse(
                "“\(words.text)” is no fairness",
                expected: "a number up to 1 with at most three decimals, such as 0.95")
        }
        return thousandths
    }
}
