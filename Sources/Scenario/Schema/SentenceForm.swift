import Checks
import RunLog

/// A sentence with holes, as a regular expression and as an example.
enum SentenceForm {
    static func expression(_ pattern: String) -> String {
        pattern.split(separator: " ").map { word in
            hole(word)?.expression ?? escaped(word)
        }.joined(separator: "\\s+")
    }

    static func example(_ pattern: String) -> String {
        var words: [String] = []
        for word in pattern.split(separator: " ") {
            let example = hole(word)?.example ?? String(word)
            let choices = [example] + others(word)
            words.append(choices.first { !words.contains($0) } ?? choices[choices.count - 1])
        }
        return words.joined(separator: " ")
    }

    /// Further examples for a word that occurs twice: nothing precedes or contains itself.
    private static func others(_ word: Substring) -> [String] {
        switch word {
        case "CALLBACK": [CallbackName.didDeactivate.rawValue]
        case "PATH": ["video.mov"]
        case "FLOW": ["rival"]
        case "TIME": ["60 s", "90 s"]
        default: []
        }
    }

    /// A word in capitals, and what may replace it.
    struct Hole: Sendable {
        let name: String
        let expression: String
        let example: String
        /// The explanation for people.
        let about: String

        init(_ name: String, _ expression: String, _ example: String, _ about: String) {
            self.name = name
            self.expression = expression
            self.example = example
            self.about = about
        }
    }

    static let holes = [
        Hole("N", "[0-9]+", "1", "a whole number; sessions, tasks and the like are counted from 1"),
        Hole("TIME", Measure.time.pattern, "30 s", "a time: a number and \(units(.time))"),
        Hole("SIZE", Measure.size.pattern, "1 MB", "a size: a number and \(units(.size))"),
        Hole("RATE", Measure.rate.pattern, "2 Mbit/s", "a rate: a number and \(units(.rate))"),
        Hole("PERCENT", Measure.percentagePattern, "40 %", "a share or a chance"),
        Hole(
            "AMOUNT", "(?:\(Measure.percentagePattern)|\(Measure.size.pattern))", "40 %",
            "a part of a file: a share of it, or a size"),
        Hole("DECIMAL", "[0-9]+(?:\\.[0-9]+)?", "0.95", "a number that may have decimals"),
        Hole("FLOW", "\\S+", "probe", "the name of a flow"),
        Hole("LINK", "\\S+", "wifi/uplink", "the name of a link, such as `uplink`"),
        Hole("EVENT", "\\S.*", "session 1 at 40 %", "something to wait for, as below"),
        Hole(
            "TIMES",
            "(?:(?:at least|at most|exactly)\\s+)?(?:never|once|twice|[0-9]+\\s+times)", "once",
            "`never`, `once`, `twice` or `3 times`; in an expectation also after `at least`, `at "
                + "most` or `exactly`"
        ),
        Hole("ORDINAL", Ordinal.expression, "first", "`first`, `second`, `third`, `4th` and so on"),
        Hole("CODE", "-?[1-9][0-9]+", "812", "an error number"),
        Hole("STATUS", "[1-5][0-9][0-9]", "416", "an HTTP status"),
        Hole("METHOD", "[A-Z]+", "PATCH", "a method of HTTP"),
        Hole(
            "EXCHANGES", "[A-Z]+\\s.*", "POST 201, PATCH unanswered",
            "requests with their answers, separated by commas: a method, then a status or "
                + "`unanswered`, then perhaps how often, such as `twice`"),
        Hole("PAUSES", "[0-9].*", "1 s, 2 s, 4 s", "times, separated by commas"),
        Hole(
            "STATE", oneOf(ItemStage.allCases.map(\.rawValue)), "waiting",
            list(ItemStage.allCases.map(\.rawValue))
                + "; a session that waits for a network is `retrying` if it had begun, else "
                + "`waiting`"
        ),
        Hole(
            "CALLBACK", oneOf(CallbackName.allCases.map(\.rawValue)), "did activate",
            list(CallbackName.allCases.map(\.rawValue))),
        Hole("PATH", "\\S.*", "incoming/video.mov", "the path of a file or an object"),
        Hole("NAME", "\\S.*", "busy", "the name of a fault, an app, a phone or an account"),
        Hole("PASSWORD", "\\S.*", "engine", "a password"),
    ]

    private static func hole(_ word: Substring) -> Hole? {
        guard word.allSatisfy(\.isUppercase) else { return nil }
        guard let hole = holes.first(where: { $0.name == word }) else {
            preconditionFailure(
                "a sentence has the hole \(word), which is not in the table of holes")
        }
        return hole
    }

    private static func oneOf(_ words: [String]) -> String {
        "(?:" + words.joined(separator: "|") + ")"
    }

    private static func list(_ words: [String]) -> String {
        words.map { "`\($0)`" }.joined(separator: ", ")
    }

    private static func units(_ measure: Measure) -> String {
        measure.units.map { "`\($0.name)`" }.joined(separator: ", ")
    }

    private static func escaped(_ word: Substring) -> String {
        word.map { ".*+?()[]{}^$|\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }
}

extension Measure {
    /// A regular expression for a number with one of the units.
    var pattern: String {
        "[0-9]+(?:\\.[0-9]+)?\\s*(?:" + units.map(\.name).joined(separator: "|") + ")"
    }

    static let percentagePattern = "[0-9]+(?:\\.[0-9]+)?\\s*%"
}
