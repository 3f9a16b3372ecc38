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
                Phrase(
                    "send \(kind.rawValue)", "the answer is not valid HTTP",
                    means: Deed(.malformed(kind)))
            })

    private static let answers: [Phrase<Deed>] = [
        Phrase("answer N", "this status, with `Retry-After` in seconds or as a date") { holes, _ in
            status(holes[0]).map { Deed(.answer(status: $0, nil)) }
        },
        Phrase("answer N with retry after TIME") { holes, _ in
            both(status(holes[0]), seconds(holes[1]))
                .map { Deed(.answer(status: $0, .seconds($1))) }
        },
        Phrase("answer N with retry date after TIME") { holes, _ in
            both(status(holes[0]), seconds(holes[1]))
                .map { Deed(.answer(status: $0, .date(afterSeconds: $1))) }
        },
        Phrase(
            "lose the answer",
            "the request is carried out, but the connection is reset instead of answering; "
                + "requests that change nothing or are refused still get their answer (`reset` "
                + "with `at: answer` loses any answer)", means: Deed(.loseAnswer)),
        Phrase("repeat the answer", "the answer comes twice", means: Deed(.repeatAnswer)),
    ]

    private static let connections: [Phrase<Deed>] = [
        Phrase("reset", "the connection ends, with a reset or in order", means: Deed(.reset)),
        Phrase("close", means: Deed(.close)),
        Phrase(
            "stall", "the request makes no progress, for TIME or until the fault is switched off",
            means: Deed(.stall(nil))),
        Phrase("stall for TIME") { holes, _ in
            holes[0].time().map { Deed(.stall($0)) }
        },
        Phrase("take bodies at RATE", "slow reading, slow writing") { holes, _ in
            holes[0].rate().map { Deed(.slow($0), [.received]) }
        },
        Phrase("send objects at RATE") { holes, _ in
            holes[0].rate().map { Deed(.slow($0), [.sent]) }
        },
        Phrase(
            "send objects in chunks", "an object does not tell its length before it ends",
            means: Deed(.sendInChunks)),
    ]

    private static let ranges: [Phrase<Deed>] = [
        Phrase(
            "ignore ranges", "`Range`, `If-Range`, `Idempotency-Key`", means: Deed(.ignore(.ranges))
        ),
        Phrase("ignore range conditions", means: Deed(.ignore(.rangeConditions))),
        Phrase("ignore idempotency keys", means: Deed(.ignore(.idempotencyKeys))),
        Phrase(
            "send another range",
            "206 with another range than requested, by default one byte earlier; one from byte 0 "
                + "on is answered with a later one",
            means: Deed(.sendAnotherRange(.least))),
        Phrase("send another range SIZE earlier") { holes, _ in
            distance(holes[0]).map { Deed(.sendAnotherRange(.earlier($0))) }
        },
        Phrase("send another range SIZE later") { holes, _ in
            distance(holes[0]).map { Deed(.sendAnotherRange(.later($0))) }
        },
        Phrase(
            "send a wrong content-range", "the right bytes with a wrong `Content-Range`",
            means: Deed(.sendWrongContentRange)),
        Phrase("send another etag", "the body seems to have changed", means: Deed(.sendAnotherTag)),
        Phrase(
            "send no etag", "nothing tells whether the body has changed",
            means: Deed(.sendField("ETag", nil))),
        Phrase(
            "send the field NAME",
            "the answer has this field, written as `Retry-After: 120`, or lacks one by its name"
        ) { holes, _ in
            field(holes[0]).map { Deed(.sendField($0.name, $0.value)) }
        },
        Phrase("send no field NAME") { holes, _ in
            fieldName(holes[0], holes[0].text).map { Deed(.sendField($0, nil)) }
        },
    ]

    private static let states: [Phrase<Deed>] = [
        Phrase(
            "keep broken uploads locked for TIME",
            "tus: 423 for an upload whose connection broke in an append, as if its writer were "
                + "still there"
        ) { holes, _ in
            holes[0].time().map { Deed(.keepLock($0)) }
        },
        Phrase(
            "expire the token",
            "401, for this request and all later requests with the same credentials",
            means: Deed(.expireToken)),
        Phrase("fill the disk", "507", means: Deed(.fillDisk)),
        Phrase("limit what is kept to SIZE") { holes, _ in
            holes[0].size().map { Deed(.quota($0)) }
        },
        Phrase(
            "restart",
            "connections are reset and refused for TIME; unfinished uploads are kept, or lost "
                + "`without staging`", means: Deed(.restart(after: .zero, keepsStaging: true))),
        Phrase("restart after TIME") { holes, _ in
            holes[0].time().map { Deed(.restart(after: $0, keepsStaging: true)) }
        },
        Phrase("restart without staging", means: Deed(.restart(after: .zero, keepsStaging: false))),
        Phrase("restart after TIME without staging") { holes, _ in
            holes[0].time().map { Deed(.restart(after: $0, keepsStaging: false)) }
        },
        Phrase(
            "lose power",
            "simulated only: the server's machine loses its power, at once or after N more steps "
                + "of its disk, and is down for TIME; each change that was not durable is kept or "
                + "lost by chance", means: Deed(.losePower(inSteps: nil, for: .zero))),
        Phrase("lose power for TIME") { holes, _ in
            holes[0].time().map { Deed(.losePower(inSteps: nil, for: $0)) }
        },
        Phrase("lose power in N disk steps") { holes, _ in
            steps(holes[0]).map { Deed(.losePower(inSteps: $0, for: .zero)) }
        },
        Phrase("lose power in N disk steps for TIME") { holes, _ in
            both(steps(holes[0]), holes[1].time())
                .map { Deed(.losePower(inSteps: $0, for: $1)) }
        },
        Phrase("set the clock TIME ahead", "the server's wall clock is wrong") { holes, _ in
            seconds(holes[0]).map { Deed(.clock(aheadBy: Int64($0))) }
        },
        Phrase("set the clock TIME back") { holes, _ in
            seconds(holes[0]).map { Deed(.clock(aheadBy: -Int64($0))) }
        },
    ]

    static let points = PhraseBook<FaultPoint>(
        name: "a point of a request",
        phrases: [
            Phrase("request", means: .request),
            Phrase("answer", means: .answer),
            Phrase("SIZE received") { holes, _ in
                holes[0].size().map { .received($0) }
            },
            Phrase("SIZE sent") { holes, _ in
                holes[0].size().map { .sent($0) }
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
            Phrase("N to N") { holes, _ in
                both(number(holes[0]), number(holes[1]))
                    .flatMap { holes[1].range(from: $0, to: $1) }
                    .map { FaultOccasion(first: $0.lowerBound, last: $0.upperBound) }
            },
            Phrase("from N on") { holes, _ in
                number(holes[0]).map { FaultOccasion(first: $0) }
            },
            Phrase("every N from N on") { holes, _ in
                both(number(holes[0]), number(holes[1]))
                    .map { FaultOccasion(first: $1, period: $0) }
            },
            Phrase("every N") { holes, _ in
                number(holes[0]).map { FaultOccasion(first: $0, period: $0) }
            },
            // Last, because it matches any two words.
            Phrase("N") { holes, _ in
                number(holes[0]).map { FaultOccasion(first: $0, last: $0) }
            },
        ])

    // MARK: Holes

    private static func number(_ words: PlacedText) -> UInt64? {
        words.count(in: 1..., "a number from 1 on, or “2 to 4”, “every 5”, “from 7 on”") { _ in
            "there is no request 0"
        }
    }

    private static func steps(_ words: PlacedText) -> UInt64? {
        words.count(in: 1...1_000_000, "a number of disk steps from 1 to 1000000") { _ in
            "“\(words.text)” is not a number of disk steps"
        }
    }

    private static func distance(_ words: PlacedText) -> ByteCount? {
        words.size(expected: "a distance from 1 B to 1 TB") {
            (1...1_000_000_000_000).contains($0.bytes)
                ? nil : "a range \($0) away is no other range"
        }
    }

    private static func field(_ words: PlacedText) -> (name: String, value: String)? {
        let parts = words.text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            return words.refuse(
                "“\(words.text)” has no colon", expected: "a field such as Retry-After: 120")
        }
        let value = parts[1].drop { $0 == " " }
        guard value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f }) else {
            return words.refuse(
                "a field of HTTP has no control characters",
                expected: "a field such as Retry-After: 120")
        }
        return fieldName(words, parts[0]).map { ($0, String(value)) }
    }

    private static func fieldName(_ words: PlacedText, _ name: String) -> String? {
        let signs = Set("!#$%&'*+-.^_`|~")
        let isName =
            !name.isEmpty
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || signs.contains($0)) }
        guard isName else {
            return words.refuse(
                "“\(name)” is not the name of a field", expected: "a name such as Retry-After")
        }
        return name
    }

    private static func status(_ words: PlacedText) -> Int? {
        words.count(in: 200...599, "a status from 200 to 599") { _ in
            "“\(words.text)” is not a status for an answer"
        }.map { Int($0) }
    }

    /// Reads whole seconds, as HTTP has no fractions.
    private static func seconds(_ words: PlacedText) -> UInt64? {
        let time = words.time(expected: "whole seconds, such as 5 s") {
            $0.nanoseconds % 1_000_000_000 == 0
                ? nil : "“\(words.text)” is not a whole number of seconds"
        }
        return time.map { UInt64($0.nanoseconds / 1_000_000_000) }
    }
}
