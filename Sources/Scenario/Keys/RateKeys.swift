import LinkModels
import Quantities

/// The keys of a link's direction for its rate over time.
enum RateKeys {
    private static let stepExample = "{ 0 s: 10 Mbit/s, 5 s: 1 Mbit/s, 9 s: none, 12 s: 5 Mbit/s }"

    static let shape = Shape.either([
        .rate, .mapping(of: .time, to: .either([.rate, .words(["none"])])), traces.shape,
    ])
    static let windowShape = Shape.matching(
        "\(Measure.time.pattern) to \(Measure.time.pattern)", example: "5 s to 8 s")
    static var dutyShape: Shape { duties.shape }

    /// Reads `10 Mbit/s`, steps by their moments, or `{ trace: … }`.
    static func readRate(_ node: YAMLNode, link: inout LinkDraft, mistakes: inout Mistakes) {
        guard case .mapping(let pairs) = node.content else {
            link.rate = constant(node, mistakes: &mistakes)
            return
        }
        if case .scalar("trace", _)? = pairs.first?.key.content {
            link.schedule = trace(node, mistakes: &mistakes)
        } else {
            link.schedule = steps(node, mistakes: &mistakes)
        }
        link.rate = link.schedule?.nominal
    }

    private static func constant(_ node: YAMLNode, mistakes: inout Mistakes) -> Bitrate? {
        guard let words = mistakes.text(of: node, expected: Measure.rate.expectation) else {
            return nil
        }
        return mistakes.rate(words)
    }

    private static func steps(_ node: YAMLNode, mistakes: inout Mistakes) -> RateSchedule? {
        let expectation = "moments with rates, such as \(stepExample)"
        guard let pairs = mistakes.pairs(of: node, expected: expectation) else { return nil }
        let known = mistakes.count
        let steps = pairs.compactMap { pair -> RateSteps.Step? in
            guard let from = mistakes.time(pair.key) else { return nil }
            if case .scalar("none", _) = pair.value.content {
                return RateSteps.Step(from: from, rate: nil)
            }
            return constant(pair.value, mistakes: &mistakes).map { .init(from: from, rate: $0) }
        }
        guard mistakes.count == known else { return nil }
        guard let schedule = RateSteps(steps) else {
            mistakes.add(
                "these moments are not in order", at: node.place,
                expected:
                    "rising moments from 0 s on, and a rate above 0 at the end: \(stepExample)")
            return nil
        }
        return .steps(schedule)
    }

    // MARK: Traces

    private static func trace(_ node: YAMLNode, mistakes: inout Mistakes) -> RateSchedule? {
        var draft: DeliveryTrace?
        traces.read(node, into: &draft, mistakes: &mistakes)
        return draft.map { .trace($0) }
    }

    private static let traces = KeyTable<DeliveryTrace?>(
        name: "a rate by a trace",
        keys: [
            .required(
                "trace", .either([.list(of: .number), .text]),
                "milliseconds in which a packet may leave, or a mahimahi file",
                example: "[1, 2, 4]"
            ) { node, draft, mistakes in
                draft = readTrace(node, mistakes: &mistakes)
            }
        ])

    /// Reads a list of milliseconds, or a mahimahi file under `|`.
    private static func readTrace(
        _ node: YAMLNode, mistakes: inout Mistakes
    ) -> DeliveryTrace? {
        let expectation =
            "milliseconds in rising order that end above 0, as [1, 2, 4] or as a mahimahi file"
        let known = mistakes.count
        let trace: DeliveryTrace?
        if case .scalar(let text, .block) = node.content {
            trace = DeliveryTrace(text: text)
        } else {
            guard let items = mistakes.items(of: node, expected: expectation) else { return nil }
            let chances = items.compactMap { item in
                mistakes.text(of: item, expected: expectation).flatMap {
                    mistakes.count($0, "a whole number of milliseconds")
                }
            }
            trace = DeliveryTrace(chances)
        }
        if trace == nil, mistakes.count == known {
            mistakes.add("this is not a trace", at: node.place, expected: expectation)
        }
        return trace
    }

    // MARK: Interruptions

    static func readOutages(_ node: YAMLNode, link: inout LinkDraft, mistakes: inout Mistakes) {
        let expectation = "a list such as [5 s to 8 s, 20 s to 21 s]"
        guard let items = mistakes.items(of: node, expected: expectation) else { return }
        guard let rate = link.rate else { return }
        var steps: RateSteps? = RateSteps([.init(from: .zero, rate: rate)])
        if let schedule = link.schedule {
            guard case .steps(let given) = schedule else {
                return mistakes.add(
                    "a trace cannot have outages", at: node.place,
                    expected: "a trace with gaps instead")
            }
            steps = given
        }
        for item in items {
            guard let window = window(item, mistakes: &mistakes) else { continue }
            steps = steps?.interrupted(from: window.from, to: window.to)
        }
        link.schedule = steps.map { .steps($0) }
    }

    /// Reads `5 s to 8 s`.
    static func window(
        _ node: YAMLNode, mistakes: inout Mistakes
    ) -> (from: TimeSpan, to: TimeSpan)? {
        let expectation = "two moments such as 5 s to 8 s"
        guard let words = mistakes.text(of: node, expected: expectation) else { return nil }
        let parts = words.text.split(separator: " to ", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            mistakes.add(
                "“\(words.text)” is not a time from one moment to another", at: words.place,
                expected: expectation)
            return nil
        }
        let moments = parts.compactMap {
            mistakes.time(PlacedText(text: String($0), place: words.place))
        }
        guard moments.count == 2 else { return nil }
        guard moments[0] < moments[1] else {
            mistakes.add(
                "“\(words.text)” ends before it begins", at: words.place, expected: expectation)
            return nil
        }
        return (moments[0], moments[1])
    }

    private struct DutyDraft {
        var on: TimeSpan?
        var off: TimeSpan?
    }

    private static let duties = KeyTable<DutyDraft>(
        name: "“duty”",
        keys: [
            .required("on", .time, "how long it carries", example: "80 ms") {
                node, draft, mistakes in
                draft.on = DelayKeys.delay(node, mistakes: &mistakes)
            },
            .required("off", .time, "how long it carries nothing", example: "20 ms") {
                node, draft, mistakes in
                draft.off = DelayKeys.delay(node, mistakes: &mistakes)
            },
        ])

    static func readDuty(_ node: YAMLNode, link: inout LinkDraft, mistakes: inout Mistakes) {
        var draft = DutyDraft()
        duties.read(node, into: &draft, mistakes: &mistakes)
        guard let rate = link.rate, let on = draft.on, let off = draft.off else { return }
        let duty = RateSteps(
            [.init(from: .zero, rate: rate), .init(from: on, rate: nil)], period: on + off)
        guard link.schedule == nil, let duty else {
            return mistakes.add(
                "a duty cycle is not possible here", at: node.place,
                expected: "times above 0, and a constant rate")
        }
        link.schedule = .steps(duty)
    }
}
