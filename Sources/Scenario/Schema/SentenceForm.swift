import Checks
import RunLog

/// A sentence with holes, as a regular expression and as a sentence that could stand in a file.
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
            words.append(words.contains(example) ? another(word) ?? example : example)
        }
        return words.joined(separator: " ")
    }

    /// Nothing comes before itself, and no object holds itself.
    private static func another(_ word: Substring) -> String? {
        switch word {
        case "CALLBACK": CallbackName.didDeactivate.rawValue
        case "PATH": "video.mov"
        default: nil
        }
    }

    private static func hole(_ word: Substring) -> (expression: String, example: String)? {
        guard word.allSatisfy(\.isUppercase) else { return nil }
        switch word {
        case "N": return ("[0-9]+", "1")
        case "SIZE": return (Measure.size.pattern, "1 MB")
        case "TIME": return (Measure.time.pattern, "30 s")
        case "RATE": return (Measure.rate.pattern, "2 Mbit/s")
        case "PERCENT": return (Measure.percentagePattern, "40 %")
        case "AMOUNT":
            return ("(?:\(Measure.percentagePattern)|\(Measure.size.pattern))", "40 %")
        case "EVENT": return ("\\S.*", "session 1 at 40 %")
        case "TIMES":
            return (
                "(?:(?:at least|at most|exactly)\\s+)?(?:never|once|twice|[0-9]+\\s+times)", "once"
            )
        case "CODE": return ("-?[1-9][0-9]+", "812")
        case "STATUS": return ("[1-5][0-9][0-9]", "416")
        case "STATE":
            return (
                "(?:" + ItemStage.allCases.map(\.rawValue).joined(separator: "|") + ")",
                "waiting"
            )
        case "CALLBACK":
            return (
                "(?:" + CallbackName.allCases.map(\.rawValue).joined(separator: "|") + ")",
                "did activate"
            )
        case "PATH": return ("\\S.*", "incoming/video.mov")
        default: return ("\\S.*", "busy")
        }
    }

    private static func escaped(_ word: Substring) -> String {
        word.map { ".*+?()[]{}^$|\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }
}

extension Measure {
    /// Any number with one of the units, as a regular expression.
    var pattern: String {
        "[0-9]+(?:\\.[0-9]+)?\\s*(?:" + units.map(\.name).joined(separator: "|") + ")"
    }

    static let percentagePattern = "[0-9]+(?:\\.[0-9]+)?\\s*%"
}
