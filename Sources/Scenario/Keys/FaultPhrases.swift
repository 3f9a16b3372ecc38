import DocrootServer
import Quantities

/// The sentences of faults.
enum FaultPhrases {
    /// A fault, and its possible places in a request; the first is the default.
    struct Deed: Sendable {
        var fault: Fault
        var places: [FaultPoint.Kind]

        init(_ fault: Fault, _ places: [FaultPoint.Kind]? = nil) {
            self.fault = fault
            self.places = places ?? fault.places
        }
    }

    static let deeds = PhraseBook<Deed>(
        name: "something that can go wrong",
        phrases: answers + connections + ranges + states
            + Malformation.allCases.map { kind in
                Phrase("send \(kind.rawValue)", "the answer is not valid HTTP") { _, _, _ in
                    Deed(.malformed(kind))
                }
            })

    private static let answers: [Phrase<Deed>] = [
        Phrase("answer N", "this status, with `Retry-After` in seconds or as a date") {
            holes, _, mistakes in
            status(holes[0], mistakes: &mistakes).map { Deed(.answer(status: $0, nil)) }
        },
        Phrase("answer N with retry after TIME") { holes, _, mistakes in
            let status = status(holes[0], mistakes: &mistakes)
            guard let seconds = seconds(holes[1], mistakes: &mistakes) else { return nil }
            return status.map { Deed(.answer(status: $0, .seconds(seconds))) }
        },
        Phrase("answer N with retry date after TIME") { holes, _, mistakes in
            let status = status(holes[0], mistakes: &mistakes)
            guard let seconds = seconds(holes[1], mistakes: &mistakes) else { return nil }
            return status.map { Deed(.answer(status: $0, .date(afterSeconds: seconds))) }
        },
        Phrase(
            "lose the answer",
            "the request is carried out, but the connection is reset instead of answering; "
                + "requests that change nothing or are refused still get their answer (`reset` "
                + "with `at: answer` loses any answer)"
        ) { _, _, _ in Deed(.loseAnswer) },
        Phrase("repeat the answer", "the answer comes twice") { _, _, _ in Deed(.repeatAnswer) },
    ]

    private static let connections: [Phrase<Deed>] = [
        Phrase("reset", "the connection ends, with a reset or in order") { _, _, _ in Deed(.reset)
        },
        Phrase("close") { _, _, _ in Deed(.close) },
        Phrase(
            "stall", "the request makes no progress, for TIME or until the fault is switched off"
        ) { _, _, _ in
            Deed(.stall(nil))
        },
        Phrase("stall for TIME") { holes, _, mistakes in
            mistakes.time(holes[0]).map { Deed(.stall($0)) }
        },
        Phrase("take bodies at RATE", "slow reading, slow writing") { holes, _, mistakes in
            mistakes.rate(holes[0]).map { Deed(.slow($0), [.received]) }
        },
        Phrase("send objects at RATE") { holes, _, mistakes in
            mistakes.rate(holes[0]).map { Deed(.slow($0), [.sent]) }
        },
    ]

    private static let ranges: [Phrase<Deed>] = [
        Phrase("ignore ranges", "`Range`, `If-Range`, `Idempotency-Key`") { _, _, _ in
            Deed(.ignore(.ranges))
        },
        Phrase("ignore range conditions") { _, _, _ in Deed(.ignore(.rangeConditions)) },
        Phrase("ignore idempotency keys") { _, _, _ in Deed(.ignore(.idempotencyKeys)) },
        Phrase("send another range", "206 with another range than requested") { _, _, _ in
            Deed(.sendAnotherRange)
        },
        Phrase("send a wrong content-range", "the right bytes with a wrong `Content-Range`") {
            _, _, _ in
            Deed(.sendWrongContentRange)
        },
        Phrase("send another etag", "the body seems to have changed") { _, _, _ in
            Deed(.sendAnotherTag)
        },
    ]

    private static let states: [Phrase<Deed>] = [
        Phrase(
            "expire the token",
            "401, for this request and all later requests with the same credentials"
        ) {
            _, _, _ in Deed(.expireToken)
        },
        Phrase("fill the disk", "507") { _, _, _ in Deed(.fillDisk) },
        Phrase("limit what is kept to SIZE") { holes, _, mistakes in
            mistakes.size(holes[0]).map { Deed(.quota($0)) }
        },
        Phrase(
            "restart",
            "connections are reset and refused for TIME; unfinished uploads are kept, or lost "
                + "`without staging`"
        ) { _, _, _ in Deed(.restart(after: .zero, keepsStaging: true)) },
        Phrase("restart after TIME") { holes, _, mistakes in
            mistakes.time(holes[0]).map { Deed(.restart(after: $0, keepsStaging: true)) }
        },
        Phrase("restart without staging") { _, _, _ in
            Deed(.restart(after: .zero, keepsStaging: false))
        },
        Phrase("restart after TIME without staging") { holes, _, mistakes in
            mistakes.time(holes[0]).map { Deed(.restart(after: $0, keepsStaging: false)) }
        },
        Phrase("set the clock TIME ahead", "the server's wall clock is wrong") {
            holes, _, mistakes in
            seconds(holes[0], mistakes: &mistakes).map { Deed(.clock(aheadBy: Int64($0))) }
        },
        Phrase("set the clock TIME back") { holes, _, mistakes in
            seconds(holes[0], mistakes: &mistakes).map { Deed(.clock(aheadBy: -Int64($0))) }
        },
    ]

    static let points = PhraseBook<FaultPoint>(
        name: "a point of a request",
        phrases: [
            Phrase("request") { _, _, _ in .request },
            Phrase("answer") { _, _, _ in .answer },
            Phrase("SIZE received") { holes, _, mistakes in
                mistakes.size(holes[0]).map { .received($0) }
            },
            Phrase("SIZE sent") { holes, _, mistakes in
                mistakes.size(holes[0]).map { .sent($0) }
            },
        ])

    static func words(for kind: FaultPoint.Kind) -> String {
        switch kind {
        case .switching: "nothing"
        case .request: "request"
        case .answer: "answer"
        case .received: "1 MB received"
        case .sent: "1 MB sent"
        }
    }

    static let occasions = PhraseBook<FaultOccasion>(
        name: "a choice of requests",
        phrases: [
            Phrase("N to N") { holes, _, mistakes in
                guard let first = number(holes[0], mistakes: &mistakes),
                    let last = number(holes[1], mistakes: &mistakes),
                    let range = mistakes.range(from: first, to: last, at: holes[1].place)
                else { return nil }
                return FaultOccasion(first: range.lowerBound, last: range.upperBound)
            },
            Phrase("from N on") { holes, _, mistakes in
                number(holes[0], mistakes: &mistakes).map { FaultOccasion(first: $0) }
            },
            Phrase("every N") { holes, _, mistakes in
                number(holes[0], mistakes: &mistakes).map {
                    FaultOccasion(first: $0, period: $0)
                }
            },
            // Last, because it matches any two words.
            Phrase("N") { holes, _, mistakes in
                number(holes[0], mistakes: &mistakes).map { FaultOccasion(first: $0, last: $0) }
            },
        ])

    // MARK: Holes

    private static func number(_ words: PlacedText, mistakes: inout Mistakes) -> UInt64? {
        let expectation = "a number from 1 on, or “2 to 4”, “every 5”, “from 7 on”"
        guard let number = mistakes.count(words, expectation) else { return nil }
        guard number > 0 else {
            mistakes.add("there is no request 0", at: words.place, expected: expectation)
            return nil
        }
        return number
    }

    private static func status(_ words: PlacedText, mistakes: inout Mistakes) -> Int? {
        let expectation = "a status from 200 to 599"
        guard let status = mistakes.count(words, expectation) else { return nil }
        guard (200...599).contains(status) else {
            mistakes.add(
                "“\(words.text)” is not a status for an answer", at: words.place,
                expected: expectation)
            return nil
        }
        return Int(status)
    }

    /// Reads whole seconds, as HTTP has no fractions.
    private static func seconds(_ words: PlacedText, mistakes: inout Mistakes) -> UInt64? {
        guard let time = mistakes.time(words) else { return nil }
        guard time.nanoseconds % 1_000_000_000 == 0 else {
            mistakes.add(
                "“\(words.text)” is not a whole number of seconds", at: words.place,
                expected: "whole seconds, such as 5 s")
            return nil
        }
        return UInt64(time.nanoseconds / 1_000_000_000)
    }
}
