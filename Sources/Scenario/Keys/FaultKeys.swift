import DocrootServer
import Quantities

/// The key `faults`: deliberate faults of the server, by name. It belongs under `server`, or into a
/// file of its own for a standalone server.
enum FaultKeys {
    static let example = "{ busy: { do: answer 503 with retry after 5 s, method: PATCH } }"

    /// The key of `server`.
    static let key = KeyTable<ScenarioDraft>.Key.optional(
        "faults", .mapping(of: .text, to: rules.shape), "what goes wrong on purpose, by names",
        example: example, read: read)

    /// The keys of a file of faults.
    static let file = KeyTable<ScenarioDraft>(name: "a file of faults", keys: [faults])

    private static let faults = KeyTable<ScenarioDraft>.Key.required(
        "faults", .mapping(of: .text, to: rules.shape), "what goes wrong on purpose, by names",
        example: example, read: read)

    private static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation = "faults by their names, such as \(example)"
        guard let pairs = node.pairs(expected: expectation) else { return }
        draft.faultNames = pairs.map(\.key.text)
        for (name, value) in pairs {
            checkName(name)
            var rule = FaultDraft(name: name)
            let known = node.mistakes.count
            rules.read(value, into: &rule)
            guard node.mistakes.count == known, let rule = rule.rule() else { continue }
            draft.faults.append(rule)
        }
    }

    /// Checks a name, which occurs in sentences of a timeline.
    private static func checkName(_ name: PlacedText) {
        let words = name.words.map(\.text).joined(separator: " ")
        guard name.text != words || name.text.count > 60 || words.isEmpty else { return }
        name.refuse(
            "“\(name.text)” is not a name for a fault",
            expected: "at most 60 letters, one space between words")
    }

    private static let rules = KeyTable<FaultDraft>(
        name: "a fault",
        keys: [
            .required(
                "do", FaultPhrases.deeds.shape, "what goes wrong",
                example: "answer 503 with retry after 5 s"
            ) { node, rule in
                rule.words = node.text(expected: "what goes wrong, such as “reset”")
                rule.deed = rule.words.flatMap { FaultPhrases.deeds.read($0) }
            },
            .optional(
                "at", FaultPhrases.points.shape,
                "at which point of the request: `request` (nothing is done yet), `SIZE "
                    + "received` of its body, `answer` (all is done), `SIZE sent` of an object"
            ) { node, rule in
                rule.pointWords = node.text(
                    expected: "a point of a request, such as “1 MB received”")
                rule.point = rule.pointWords.flatMap { FaultPhrases.points.read($0) }
            },
            .optional(
                "front-end", .choice(of: FrontEnd.self), "which part of the server",
                \.route.frontEnd
            ) { $0.choice(complaint: "there is no front end") },
            .optional(
                "method", .matching("[A-Z]+", example: "PATCH"), "which requests, by method",
                read: readMethod),
            .optional(
                "path", .matching("[/*].*", example: "/dav/incoming/*"),
                "which requests, by their path; a star stands for anything",
                read: readPath),
            .optional("user", .text, "whose requests, by the account's name", \.route.user) {
                $0.text(expected: "the name of a user")?.text
            },
            .optional(
                "client", .matching("[0-9./]+", example: "10.0.0.0/8"),
                "whose requests, by IPv4 address, `192.168.1.7`, or by network; the app of a "
                    + "scenario is `192.0.2.2`, over IPv6 as well"
            ) { node, rule in
                let expectation =
                    "an IPv4 address such as 192.168.1.7, or a network such as 10.0.0.0/8"
                rule.route.client = node.text(expected: expectation)?.client(expectation)
            },
            .optional("connection", .number, "requests on this connection, counted from 1") {
                node, rule in
                let number = node.count(in: 1..., "a number such as 2, for the second connection")
                rule.route.connection = number.map { UInt32(clamping: $0) }
            },
            .optional(
                "requests", FaultPhrases.occasions.shape,
                "which of the chosen requests, counted since the fault was switched on"
            ) { node, rule in
                let expectation = "the number of a request, such as 3 or “2 to 4”"
                let words = node.text(expected: expectation)
                rule.occasion = words.flatMap { FaultPhrases.occasions.read($0) } ?? rule.occasion
            },
            .optional(
                "chance", .percentage, "how many of the chosen requests, drawn at random",
                example: "10 %", \.occasion.chance
            ) { $0.chance("a percentage such as 10 %") },
            .optional("times", .number, "how often it takes effect, at most", \.occasion.times) {
                $0.count(in: 1..., "how often it may happen, such as 1")
            },
            .optional("from", .time, "when it begins, counted from the start", \.from) { node in
                node.time().map { Instant.start + $0 }
            },
            .optional("until", .time, "when it ends, counted from the start") { node, rule in
                guard let until = node.time().map({ Instant.start + $0 }) else { return }
                if until <= rule.from ?? .start {
                    node.refuse("it ends before it begins", expected: "a time after “from”")
                }
                rule.until = until
            },
            .optional("starts", .onOff, "`off`: off until a timeline or a person switches it on") {
                node, rule in
                guard let isOn = node.isOn() else { return }
                if rule.from != nil {
                    node.refuse("“from” says when it starts", expected: "one of the two")
                }
                rule.startsOff = !isOn
            },
        ])

    // MARK: Values

    private static func readMethod(_ node: YAMLNode, rule: inout FaultDraft) {
        guard let words = node.text(expected: "a method such as PATCH"),
            let method = words.method()
        else { return }
        rule.route.method = method
    }

    private static func readPath(_ node: YAMLNode, rule: inout FaultDraft) {
        let expectation = "a path such as /dav/incoming/*; a star stands for anything"
        guard let words = node.text(expected: expectation) else { return }
        guard words.text.hasPrefix("/") || words.text.hasPrefix("*") else {
            return words.refuse(
                "“\(words.text)” is not a path of a request", expected: expectation,
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

    /// Returns the rule if its parts fit together.
    func rule() -> FaultRule? {
        guard let deed, let words, let first = deed.places.first else { return nil }
        let point = point ?? FaultPoint(first)
        guard deed.places.contains(point.kind) else {
            let places = deed.places.filter { $0 != .switching }.map(FaultPhrases.words)
            return (pointWords ?? words).refuse(
                "“\(words.text)” cannot happen at that point",
                expected: places.isEmpty
                    ? "no “at”: it happens when it is switched on" : places.list)
        }
        if let method = route.method, !deed.fault.isAbout(method) {
            return words.refuse(
                "“\(words.text)” cannot affect \(method), which changes nothing",
                expected: "a method that changes something, or “reset” with “at: answer”")
        }
        if point == .switching {
            guard route == FaultRoute(), occasion == FaultOccasion() else {
                return words.refuse(
                    "“\(words.text)” does not concern requests",
                    expected: deed.places.count > 1
                        ? "“at: request”, or no key that chooses requests"
                        : "no key that chooses requests")
            }
            let happensOnce =
                switch deed.fault {
                case .restart: "restart"
                case .losePower: "lose its power"
                default: String?.none
                }
            if let happensOnce, from == nil, !startsOff {
                return words.refuse(
                    "the server would \(happensOnce) at 0 s",
                    expected: "“from: 20 s”, or “starts: off” and an entry that switches it on")
            }
        }
        return FaultRule(
            name: name.text, deed.fault, at: point, route: route, occasion: occasion,
            from: startsOff ? nil : from ?? .start, until: until)
    }
}
