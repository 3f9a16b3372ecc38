/// The first YAML error, in words that say how to mend it.
struct YAMLSyntaxError: Error {
    var message: String
    var place: Place
    var expected: String?

    init(_ message: String, at place: Place, expected: String? = nil) {
        self.message = message
        self.place = place
        self.expected = expected
    }

    /// Translates libyaml's error. The useful place of something unclosed is where it was opened;
    /// for other errors, it is where reading stopped.
    init(problem: String, at place: Place, context: String?, begunAt: Place, isAfterDollar: Bool) {
        switch (context, problem) {
        case ("while scanning a quoted scalar"?, "found unexpected end of stream"):
            self.init("a quote that is never closed", at: begunAt, expected: "the closing quote")
        case (_, "did not find expected ',' or '}'") where isAfterDollar,
            (_, "did not find expected ',' or ']'") where isAfterDollar:
            self.init(
                "to YAML the brace of “${…}” opens another mapping here", at: place,
                expected: "quotes around it within braces or brackets: “{ os: '${os}' }”")
        case ("while parsing a flow mapping"?, _) where place.line > begunAt.line:
            self.init(
                "this brace is not closed: reading stopped at line \(place.line)", at: begunAt,
                expected: "“,” between the pairs and “}” after the last")
        case ("while parsing a flow sequence"?, _) where place.line > begunAt.line:
            self.init(
                "this bracket is not closed: reading stopped at line \(place.line)", at: begunAt,
                expected: "“,” between the items and “]” after the last")
        case (_, "did not find expected ',' or '}'"), (_, "did not find expected ',' or ']'"):
            self.init(
                "a comma or the closing brace is missing before this", at: place,
                expected: "“,” between two entries; words with “,” in them are put in quotes")
        case ("while scanning an alias"?, _), ("while scanning an anchor"?, _):
            self.init(
                "“*” and “&” begin an alias or an anchor", at: begunAt,
                expected: "no anchors or aliases: put a value that begins like this in quotes")
        case (_, "mapping values are not allowed in this context"):
            self.init(
                "a colon inside a value", at: place,
                expected:
                    "quotes around a value with “: ” in it; a key after a value is not indented"
            )
        case (_, "found character that cannot start any token"):
            self.init(
                "a character that cannot begin a value", at: place,
                expected: "a value that begins with one of % @ ` to be in quotes")
        case ("while parsing a block mapping"?, "did not find expected key"):
            self.init(
                "this line does not fit the mapping that begins at line \(begunAt.line)",
                at: place, expected: "a key at the same indentation as the other keys")
        case ("while parsing a block collection"?, "did not find expected '-' indicator"):
            self.init(
                "this line does not fit the list that begins at line \(begunAt.line)", at: place,
                expected: "“- ” at the same indentation as the other items")
        case (_, "could not find expected ':'"):
            self.init("a key without a colon", at: begunAt, expected: "“key: value”")
        default:
            let circumstance = context.map { " (\($0))" } ?? ""
            self.init("not YAML: \(problem)\(circumstance)", at: place)
        }
    }
}
