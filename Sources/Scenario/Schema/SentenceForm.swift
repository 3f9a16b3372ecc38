/// A sentence with holes, as a regular expression and as a sentence that could stand in a file.
enum SentenceForm {
    static func expression(_ pattern: String) -> String {
        pattern.split(separator: " ").map { word in
            hole(word)?.expression ?? escaped(word)
        }.joined(separator: "\\s+")
    }

    static func example(_ pattern: String) -> String {
        pattern.split(separator: " ").map { hole($0)?.example ?? String($0) }
            .joined(separator: " ")
    }

    private static func hole(_ word: Substring) -> (expression: String, example: String)? {
        guard word.allSatisfy(\.isUppercase) else { return nil }
        switch word {
        case "N": return ("[0-9]+", "1")
        case "SIZE": return (Measure.size.pattern, "1 MB")
        case "TIME": return (Measure.time.pattern, "30 s")
        case "RATE": return (Measure.rate.pattern, "2 Mbit/s")
        case "AMOUNT":
            return ("(?:\(Measure.percentagePattern)|\(Measure.size.pattern))", "40 %")
        case "EVENT": return ("\\S.*", "session 1 at 40 %")
        case "TIMES": return ("(?:never|once|twice|[0-9]+ times)", "once")
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
