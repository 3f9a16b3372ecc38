import Checks
import Device
import Quantities

/// Expectations of objects, bytes and figures.
enum WorldPhrases {
    static let all: [Phrase<ExpectationPlan>] = [
        Phrase(
            "PATH holds version N of PATH",
            "at the end the object equals the file as it is then, or version N of the file",
            read: version),
        Phrase("PATH holds PATH") { holes, draft, mistakes in
            let object = draft.destination(holes[0], mistakes: &mistakes)
            guard let source = file(holes[1], draft, &mistakes), let object else { return nil }
            return .objectHolds(object, source: source, version: nil)
        },
        Phrase(
            "at most SIZE sent again", "a limit on body bytes; TCP's retransmissions do not count"
        ) { holes, _, mistakes in
            mistakes.size(holes[0]).map { .sentAgain(atMost: $0) }
        },
        Phrase("at most SIZE sent in all") { holes, _, mistakes in
            mistakes.size(holes[0]).map { .traffic(.sent($0)) }
        },
        Phrase(
            "at most SIZE over cellular",
            "a limit on what all phones together send there, headers and retransmissions included"
        ) { holes, draft, mistakes in
            sent(over: .cellular, holes[0], draft, &mistakes)
        },
        Phrase("at most SIZE over wifi") { holes, draft, mistakes in
            sent(over: .wifi, holes[0], draft, &mistakes)
        },
        Phrase("at most N connections", "a limit for the whole run") { holes, _, mistakes in
            mistakes.count(holes[0], "a number of connections").map { .traffic(.connections($0)) }
        },
        Phrase("at most PERCENT of packets dropped") { holes, _, mistakes in
            mistakes.probability(holes[0]).map { .traffic(.drops($0)) }
        },
        Phrase(
            "goodput at least PERCENT of the bottleneck",
            "bytes of completed files, divided by the time from the first activation to the last "
                + "completion"
        ) { holes, _, mistakes in
            mistakes.probability(holes[0]).map { .goodput(.share($0)) }
        },
        Phrase("goodput at least RATE") { holes, _, mistakes in
            mistakes.rate(holes[0]).map { .goodput(.rate($0)) }
        },
    ]

    private static func sent(
        over kind: InterfaceKind, _ size: PlacedText, _ draft: ScenarioDraft,
        _ mistakes: inout Mistakes
    ) -> ExpectationPlan? {
        guard (0...draft.otherPhones.count).contains(where: { draft.links(of: $0).has(kind) })
        else {
            mistakes.add(
                "no phone has \(kind.rawValue)", at: size.place,
                expected: "“\(kind.rawValue)” under “links”")
            return nil
        }
        return mistakes.size(size).map { .sentOver(isCellular: kind == .cellular, atMost: $0) }
    }

    private static func version(
        _ holes: [PlacedText], _ draft: ScenarioDraft, _ mistakes: inout Mistakes
    ) -> ExpectationPlan? {
        let object = draft.destination(holes[0], mistakes: &mistakes)
        let expectation = "the number of a version, counted from 1"
        let number = mistakes.count(holes[1], expectation)
        guard let source = file(holes[2], draft, &mistakes), let object, let number else {
            return nil
        }
        guard (1...1_000_000).contains(number) else {
            mistakes.add(
                "there is no version \(number)", at: holes[1].place, expected: expectation)
            return nil
        }
        return .objectHolds(object, source: source, version: Int(number))
    }

    private static func file(
        _ words: PlacedText, _ draft: ScenarioDraft, _ mistakes: inout Mistakes
    ) -> String? {
        FileActions.path(words, of: draft, mistakes: &mistakes)
    }
}
