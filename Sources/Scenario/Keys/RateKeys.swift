import LinkModels
import Quantities

/// The keys of a link's direction for its rate over time.
enum RateKeys {
    private static let stepExample = "{ 0 s: 10 Mbit/s, 5 s: 1 Mbit/s, 9 s: none, 12 s: 5 Mbit/s }"

    static let shape = Shape.either([
        .rate, .mapping(of: .time, to: .either([.rate, .words(["none"])])), traces.shape,
        WiFiKeys.shape,
    ])
    static let windowShape = Shape.matching(
        "\(Measure.time.pattern) to \(Measure.time.pattern)", example: "5 s to 8 s")
    static var dutyShape: Shape { duties.shape }

    /// Reads `10 Mbit/s`, steps by their moments, `{ trace: … }` or `{ wifi: … }`.
    static func readRate(_ node: YAMLNode, link: inout LinkDraft) {
        guard case .mapping(let pairs) = node.content else {
            link.rate = node.rate()
            link.schedule = nil
            return
        }
        if case .scalar("wifi", _)? = pairs.first?.key.content {
            link.schedule = WiFiKeys.read(node).map { .wifi($0) }
        } else if case .scalar("trace", _)? = pairs.first?.key.content {
            var trace: DeliveryTrace?
            traces.read(node, into: &trace)
            link.schedule = trace.map { .trace($0) }
        } else {
            link.schedule = steps(node)
        }
        link.rate = link.schedule?.nominal
    }

    private static func steps(_ node: YAMLNode) -> RateSchedule? {
        let expectation = "moments with rates, such as \(stepExample)"
        guard let pairs = node.pairs(expected: expectation) else { return nil }
        let known = node.mistakes.count
        let steps = pairs.compactMap { pair -> RateSteps.Step? in
            guard let from = pair.key.time() else { return nil }
            if case .scalar("none", _) = pair.value.content {
                return RateSteps.Step(from: from, rate: nil)
            }
            return pair.value.rate().map { .init(from: from, rate: $0) }
        }
        guard node.mistakes.count == known else { return nil }
        guard let schedule = RateSteps(steps) else {
            return node.refuse(
                "these moments are not in order",
                expected:
                    "rising moments from 0 s on, and a rate above 0 at the end: \(stepExample)")
        }
        return .steps(schedule)
    }

    // MARK: Traces

    private static let traces = KeyTable<DeliveryTrace?>(
        name: "a rate by a trace",
        keys: [
            .required(
                "trace", .either([.list(of: .number), .text]),
                "a mahimahi file by its path from here, its text under `|`, or a list of the "
                    + "milliseconds at which 1500 bytes can leave",
                example: "traces/lte.trace"
            ) { node, draft in
                draft = readTrace(node)
            }
        ])

    /// Reads the path of a mahimahi file, its text under `|`, or a list of milliseconds.
    private static func readTrace(_ node: YAMLNode) -> DeliveryTrace? {
        let expectation =
            "the path of a mahimahi file, its text under |, or milliseconds such as [1, 2, 4]"
        switch node.content {
        case .scalar(let text, .block): return readText(text, node)
        case .scalar: return node.text(expected: expectation).flatMap(node.mistakes.traces.rate)
        default: break
        }
        guard let items = node.items(expected: expectation) else { return nil }
        let known = node.mistakes.count
        let chances = items.compactMap {
            $0.text(expected: expectation)?.count("a whole number of milliseconds")
        }
        guard node.mistakes.count == known else { return nil }
        return DeliveryTrace(chances)
            ?? node.refuse(
                "this is not a trace",
                expected: "milliseconds that do not decrease and end above 0, such as [1, 2, 4]")
    }

    /// Reads the text of a mahimahi file, whose first line follows the line of the key.
    private static func readText(_ text: String, _ node: YAMLNode) -> DeliveryTrace? {
        var reader = DeliveryTraceReader()
        do throws(TraceMistake) {
            try Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(TraceMistake) in
                try reader.read(UnsafeRawBufferPointer(bytes))
            }
            return try reader.finish()
        } catch {
            let line = error.line.map { "line \($0) of the trace: " } ?? ""
            return node.refuse(line + error.message, expected: error.expected)
        }
    }

    // MARK: Interruptions

    static func readOutages(_ node: YAMLNode, link: inout LinkDraft) {
        let expectation = "a list such as [5 s to 8 s, 20 s to 21 s]"
        guard let items = node.items(expected: expectation) else { return }
        guard let rate = link.rate else { return }
        var steps: RateSteps? = RateSteps([.init(from: .zero, rate: rate)])
        if let schedule = link.schedule {
            guard case .steps(let given) = schedule else {
                return node.refuse(
                    "only a rate, or steps of it, can have outages",
                    expected: "a trace with gaps, or “black-hole”, instead")
            }
            steps = given
        }
        for item in items {
            guard let window = window(item) else { continue }
            steps = steps?.interrupted(from: window.from, to: window.to)
        }
        link.schedule = steps.map { .steps($0) }
    }

    /// Reads `5 s to 8 s`.
    static func window(_ node: YAMLNode) -> (from: TimeSpan, to: TimeSpan)? {
        let expectation = "two moments such as 5 s to 8 s"
        guard let words = node.text(expected: expectation) else { return nil }
        let parts = words.text.split(separator: " to ", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            return words.refuse(
                "“\(words.text)” is not a time from one moment to another", expected: expectation)
        }
        let moments = parts.compactMap { words.saying(String($0)).time() }
        guard moments.count == 2 else { return nil }
        guard moments[0] < moments[1] else {
            return words.refuse("“\(words.text)” ends before it begins", expected: expectation)
        }
        return (moments[0], moments[1])
    }

    private static let duties = DelayKeys.spans(
        of: "“duty”",
        [
            ("on", "how long it carries", "80 ms"),
            ("off", "how long it carries nothing", "20 ms"),
        ])

    static func readDuty(_ node: YAMLNode, link: inout LinkDraft) {
        var spans: [String: TimeSpan] = [:]
        duties.read(node, into: &spans)
        guard let rate = link.rate, let on = spans["on"], let off = spans["off"] else { return }
        let duty = RateSteps(
            [.init(from: .zero, rate: rate), .init(from: on, rate: nil)], period: on + off)
        guard link.schedule == nil, let duty else {
            return node.refuse(
                "a duty cycle is not possible here", expected: "times above 0, and a constant rate")
        }
        link.schedule = .steps(duty)
    }
}
