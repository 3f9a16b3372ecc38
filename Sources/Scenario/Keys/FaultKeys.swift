import DocrootServer
import Quantities

/// The key `faults`: deliberate faults of the server, by name. It belongs under `server`, or into a
/// file of its own for a standalone server.
enum FaultKeys {
    static let example = "{ busy: { do: answer 503 with retry after 5 s, method: PATCH } }"

    static func readServer(
        _ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes
    ) {
        server.read(node, into: &draft, mistakes: &mistakes)
    }

    private static let server = KeyTable<ScenarioDraft>(
        name: "“server”", keys: [faults])

    /// The keys of a file of faults.
    static let file = KeyTable<ScenarioDraft>(
        name: "a file of faults", keys: [faults])

    private static let faults = KeyTable<ScenarioDraft>.Key.required(
        "faults", .mapping(of: .text, to: rules.shape), "what goes wrong on purpose, by names",
        example: example, read: read)

    static var shape: Shape { server.shape }

    private static func read(
        _ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes
    ) {
        let expectation = "faults by their names, such as \(example)"
        guard let pairs = mistakes.pairs(of: node, expected: expectation) else { return }
        draft.faultNames = pairs.map(\.key.text)
        for (name, value) in pairs {
            checkName(name, mistakes: &mistakes)
            var rule = FaultDraft(name: name)
            let known = mistakes.count
            rules.read(value, into: &rule, mistakes: &mistakes)
            guard mistakes.count == known, let rule = rule.rule(mistakes: &mistakes) else {
                continue
            }
            draft.faults.append(rule)
        }
    }

    /// Checks a name, which occurs in sentences of a timeline.
    private static func checkName(_ name: PlacedText, mistakes: inout Mistakes) {
        let words = mistakes.words(of: name).map(\.text).joined(separator: " ")
        guard name.text != words || name.text.count > 60 || words.isEmpty else { return }
        mistakes.add(
            "“\(name.text)” is not a name for a fault", at: name.place,
            expected: "at most 60 letters, one space between words")
    }

    private static let rules = KeyTable<FaultDraft>(
        name: "a fault",
        keys: [
            .required(
                "do", FaultPhrases.deeds.shape, "what goes wrong",
                example: "answer 503 with retry after 5 s"
            ) { node, rule, mistakes in
                let expectation = "what goes wrong, such as “reset”"
                guard let words = mistakes.text(of: node, expected: expectation) else { return }
                rule.words = words
                rule.deed = FaultPhrases.deeds.read(
                    words, draft: ScenarioDraft(), mistakes: &mistakes)
            },
            .optional(
                "at", FaultPhrases.points.shape,
                "at which point of the request: `request` (nothing is done yet), `SIZE "
                    + "received` of its body, `answer` (all is done), `SIZE sent` of an object"
            ) {
                node, rule, mistakes in
                let expectation = "a point of a request, such as “1 MB received”"
                guard let words = mistakes.text(of: node, expected: expectation) else { return }
                rule.pointWords = words
                rule.point = FaultPhrases.points.read(
                    words, draft: ScenarioDraft(), mistakes: &mistakes)
            },
            .optional("front-end", .choice(of: FrontEnd.self), "which part of the server") {
                node, rule, mistakes in
                rule.route.frontEnd = mistakes.choice(node, complaint: "there is no front end")
            },
            .optional(
                "method", .matching("[A-Z]+", example: "PATCH"), "which requests, by method",
                read: readMethod),
            .optional(
                "path", .matching("[/*].*", example: "/dav/incoming/*"),
                "which requests, by their path; a star stands for anything",
                read: readPath),
            .optional("user", .text, "whose requests, by the account's name") {
                node, rule, mistakes in
                rule.route.user = mistakes.text(of: node, expected: "the name of a user")?.text
            },
            .optional(
                "client", .matching("[0-9./]+", example: "10.0.0.0/8"),
                "whose requests, by IPv4 address, `192.168.1.7`, or by network; the app of a "
                    + "scenario is `192.0.2.2`",
                read: readClient),
            .optional("connection", .number, "requests on this connection, counted from 1") {
                node, rule, mistakes in
                let expectation = "a number such as 2, for the second connection"
                let number = count(node, expectation, mistakes: &mistakes)
                rule.route.connection = number.map { UInt32(clamping: $0) }
            },
            .optional(
                "requests", FaultPhrases.occasions.shape,
                "which of the chosen requests, counted since the fault was switched on"
            ) { node, rule, mistakes in
                let expectation = "the number of a request, such as 3 or “2 to 4”"
                guard let words = mistakes.text(of: node, expected: expectation),
                    let occasion = FaultPhrases.occasions.read(
                        words, draft: ScenarioDraft(), mistakes: &mistakes)
                else { return }
                rule.occasion = occasion
            },
            .optional(
                "chance", .percentage, "how many of the chosen requests, drawn at random",
                example: "10 %"
            ) {
                node, rule, mistakes in
                let expectation = "a percentage such as 10 %"
                guard let words = mistakes.text(of: node, expected: expectation),
                    let chance = mistakes.probability(words)
                else { return }
                rule.occasion.chance = chance
            },
            .optional("times", .number, "how often it takes effect, at most") {
                node, rule, mistakes in
                let expectation = "how often it may happen, such as 1"
                guard let times = count(node, expectation, mistakes: &mistakes) else { return }
                rule.occasion.times = times
            },
            .optional("from", .time, "when it begins, counted from the start") {
                node, rule, mistakes in
                rule.from = moment(node, mistakes: &mistakes)
            },
            .optional("until", .time, "when it ends, counted from the start") {
                node, rule, mistakes in
                guard let until = moment(node, mistakes: &mistakes) else { return }
                if until <= rule.from ?? .start {
                    mistakes.add(
                        "it ends before it begins", at: node.place,
                        expected: "a time after “from”")
                }
                rule.until = until
            },
            .optional("starts", .onOff, "`off`: off until a timeline or a person switches it on") {
                node, rule, mistakes in
                guard let isOn = mistakes.isOn(node) else { return }
                if rule.from != nil {
                    mistakes.add(
                        "“from” says when it starts", at: node.place, expected: "one of the two")
                }
                rule.startsOff = !isOn
            },
        ])

    // MARK: Values

    private static func count(
        _ node: YAMLNode, _ expectation: String, mistakes: inout Mistakes
    ) -> UInt64? {
        guard let words = mistakes.text(of: node, expected: expectation),
            let number = mistakes.count(words, expectation)
        else { return nil }
        guard number > 0 else {
            mistakes.add("“\(words.text)” is out of range", at: words.place, expected: expectation)
            return nil
        }
        return number
    }

    private static func moment(_ node: YAMLNode, mistakes: inout Mistakes) -> Instant? {
        guard let words = mistakes.text(of: node, expected: Measure.time.expectation) else {
            return nil
        }
        return mistakes.time(words).map { Instant.start + $0 }
    }

    private static func readMethod(
        _ node: YAMLNode, rule: inout FaultDraft, mistakes: inout Mistakes
    ) {
        let expectation = "a method such as PATCH"
        guard let words = mistakes.text(of: node, expected: expectation) else { return }
        guard words.text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            let upper = words.text.uppercased()
            return mistakes.add(
                "“\(words.text)” is not a method", at: words.place, expected: expectation,
                suggestion: upper != words.text ? "“\(upper)”" : nil)
        }
        rule.route.method = words.text
    }

    private static func readClient(
        _ node: YAMLNode, rule: inout FaultDraft, mistakes: inout Mistakes
    ) {
        let expectation =
            "an IPv4 address such as 192.168.1.7, or a network such as 10.0.0.0/8"
        guard let words = mistakes.text(of: node, expected: expectation) else { return }
        switch ClientWords.read(words.text) {
        case .network(let network): rule.route.client = network
        case .mistake(let suggestion):
            mistakes.add(
                "“\(words.text)” is not a client's address", at: words.place,
                expected: expectation, suggestion: suggestion.map { "“\($0)”" })
        }
    }

    private static func readPath(
        _ node: YAMLNode, rule: inout FaultDraft, mistakes: inout Mistakes
    ) {
        let expectation = "a path such as /dav/incoming/*; a star stands for anything"
        guard let words = mistakes.text(of: node, expected: expectation) else { return }
        guard words.text.hasPrefix("/") || words.text.hasPrefix("*") else {
            return mistakes.add(
                "“\(words.text)” is not a path of a request", at: words.place,
                expected: expectation,
                suggestion: "“/\(words.text)”")
        }
        rule.route.path = words.text
    }
}

/// A fault while it is read.
struct FaultDraft {
    let name: PlacedText
    var words: PlacedText?
    var deed: FaultPhrases.Deed?
    var pointWords: PlacedText?
    var point: FaultPoint?
    var route = FaultRoute()
    var occasion = FaultOccasion()
    var from: Instant?
    var until: Instant?
    var startsOff = false

    init(name: PlacedText) { self.name = name }

    /// Returns the rule if its parts fit together.
    func rule(mistakes: inout Mistakes) -> FaultRule? {
        guard let deed, let words, let first = deed.places.first else { return nil }
        let point = point ?? FaultPoint(first)
        guard deed.places.contains(point.kind) else {
            let places = deed.places.filter { $0 != .switching }.map(FaultPhrases.words)
            mistakes.add(
                "“\(words.text)” cannot happen at that point", at: pointWords?.place ?? words.place,
                expected: places.isEmpty
                    ? "no “at”: it happens when it is switched on" : places.list)
            return nil
        }
        if let method = route.method, !deed.fault.isAbout(method) {
            mistakes.add(
                "“\(words.text)” cannot affect \(method), which changes nothing", at: words.place,
                expected: "a method that changes something, or “reset” with “at: answer”")
            return nil
        }
        if point == .switching {
            guard route == FaultRoute(), occasion == FaultOccasion() else {
                mistakes.add(
                    "“\(words.text)” does not concern requests", at: words.place,
                    expected: deed.places.count > 1
                        ? "“at: request”, or no key that chooses requests"
                        : "no key that chooses requests")
                return nil
            }
            if case .restart = deed.fault, from == nil, !startsOff {
                mistakes.add(
                    "the server would restart at 0 s", at: words.place,
                    expected: "“from: 20 s”, or “starts: off” and an entry that switches it on")
                return nil
            }
        }
        return FaultRule(
            name: name.text, deed.fault, at: point, route: route, occasion: occasion,
            from: startsOff ? nil : from ?? .start, until: until)
    }
}
