import Checks
import Device
import Quantities

/// Expectations of what goes over the network: bytes, packets, requests.
enum TrafficPhrases {
    static let all: [Phrase<ExpectationPlan>] =
        bounded(
            "SIZE sent again", "a limit on body bytes; TCP's retransmissions do not count"
        ) { bound, _ in
            bound.size().map { .sentAgain($0) }
        }
        + bounded("SIZE sent in all") { bound, _ in
            bound.size().map { .traffic(.sent($0)) }
        }
        + bounded(
            "SIZE over cellular",
            "a limit on what all phones together send there, headers and retransmissions included"
        ) { bound, draft in
            sent(over: .cellular, bound, draft)
        }
        + bounded("SIZE over wifi") { bound, draft in sent(over: .wifi, bound, draft) }
        + bounded("N connections", "a limit for the whole run") { bound, _ in
            bound.count("a number of connections").map { .traffic(.connections($0)) }
        }
        + bounded("PERCENT of packets dropped") { bound, _ in
            bound.read { $0.probability() }.map { .traffic(.drops($0, on: nil)) }
        }
        + bounded("PERCENT of packets dropped on LINK") { bound, holes, draft in
            both(bound.read { $0.probability() }, draft.link(holes[1]))
                .map { .traffic(.drops($0, on: $1)) }
        }
        + bounded("N packets dropped on LINK", "a limit for one link") { bound, holes, draft in
            both(bound.count("a number of packets"), draft.link(holes[1]))
                .map { .traffic(.dropCount($0, on: $1)) }
        }
        + bounded("N packets retransmitted", "segments of TCP that hold nothing new") { bound, _ in
            bound.count("a number of packets").map { .packetsRetransmitted($0) }
        }
        + bounded(
            "SIZE outstanding at once",
            "the most that one connection has on its way, not yet acknowledged"
        ) { bound, _ in
            bound.size().map { .outstanding($0) }
        } + [
            Phrase(
                "the first lost segment is repeated after PAUSES",
                "the pauses between its repetitions to the millisecond, such as “1 s, 2 s, 4 s”"
            ) { holes, _ in
                holes[0].list { $0.time() }.map { .repeats(after: $0) }
            },
            Phrase(
                "the exchanges are EXCHANGES",
                "all requests in order, with their answers, such as “POST 201, PATCH unanswered, "
                    + "HEAD 200, PATCH 204 3 times”"
            ) { holes, _ in
                holes[0].list { $0.exchanges() }.map { .exchanges($0.flatMap(\.self)) }
            },
            Phrase("the apps ask METHOD TIMES", "how many requests leave the phones") {
                holes, _ in
                both(holes[0].method(), holes[1].times()).map { .happens(.request($0), $1) }
            },
        ]

    /// A figure's words, and from which side they limit it.
    private struct BoundWords {
        let words: PlacedText
        let isUpper: Bool

        func read<Value>(_ value: (PlacedText) -> Value?) -> Bound<Value>? {
            value(words).map { isUpper ? .atMost($0) : .atLeast($0) }
        }

        func size() -> Bound<ByteCount>? { read { $0.size() } }

        func count(_ expectation: String) -> Bound<UInt64>? { read { $0.count(expectation) } }
    }

    /// `at most SIZE sent in all`, `at least SIZE sent in all`.
    private static func bounded(
        _ words: String, _ about: String? = nil,
        _ plan: @escaping @Sendable (BoundWords, ScenarioDraft) -> ExpectationPlan?
    ) -> [Phrase<ExpectationPlan>] {
        bounded(words, about) { bound, _, draft in plan(bound, draft) }
    }

    private static func bounded(
        _ words: String, _ about: String? = nil,
        _ plan: @escaping @Sendable (BoundWords, [PlacedText], ScenarioDraft) -> ExpectationPlan?
    ) -> [Phrase<ExpectationPlan>] {
        [true, false].map { isUpper in
            Phrase("at \(isUpper ? "most" : "least") \(words)", isUpper ? about : nil) {
                holes, draft in
                plan(BoundWords(words: holes[0], isUpper: isUpper), holes, draft)
            }
        }
    }

    private static func sent(
        over kind: InterfaceKind, _ bound: BoundWords, _ draft: ScenarioDraft
    ) -> ExpectationPlan? {
        guard (0...draft.otherPhones.count).contains(where: { draft.links(of: $0).has(kind) })
        else {
            return bound.words.refuse(
                "no phone has \(kind.rawValue)", expected: "“\(kind.rawValue)” under “links”")
        }
        return bound.size().map { .sentOver(isCellular: kind == .cellular, $0) }
    }
}

extension PlacedText {
    /// Reads a list with commas; `nil` after a report.
    fileprivate func list<Value>(_ value: (PlacedText) -> Value?) -> [Value]? {
        let items = text.split(separator: ",", omittingEmptySubsequences: false)
        let values = items.map { value(saying($0.drop { $0 == " " }.description)) }
        return values.contains { $0 == nil } ? nil : values.compactMap(\.self)
    }

    /// Reads a method of HTTP; `nil` after a report.
    func method() -> String? {
        guard text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            let upper = text.uppercased()
            return refuse(
                "“\(text)” is not a method", expected: "a method such as PATCH",
                suggestion: upper != text ? "“\(upper)”" : nil)
        }
        return text
    }

    /// Reads `PATCH 204`, `PATCH unanswered`, `PATCH 204 3 times`.
    fileprivate func exchanges() -> [Exchange]? {
        let words = words
        guard words.count >= 2 else {
            return refuse(
                "“\(text)” is not an exchange",
                expected: "a method and the answer's status, such as PATCH 204, or “PATCH "
                    + "unanswered”")
        }
        let times =
            words.count == 2 ? 1 : saying(words[2...].map(\.text).joined(separator: " ")).often()
        guard let method = words[0].method(), let times else { return nil }
        let isAnswered = words[1].text != "unanswered"
        let status = isAnswered ? words[1].status("an HTTP status, such as 204") : nil
        guard status != nil || !isAnswered else { return nil }
        return Array(repeating: Exchange(method, status), count: times)
    }
}
