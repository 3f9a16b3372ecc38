/// The form of a value of the language, enough for an editor to complete it and to mark slips. Only
/// the reader knows whether a scenario can be played.
indirect enum Shape: Sendable {
    /// Any words.
    case text
    /// Words that match a regular expression, with an example.
    case matching(String, example: String)
    case quantity(Measure)
    case percentage
    /// A whole number.
    case number
    /// A number that may have decimals.
    case decimal
    case onOff
    /// One of these words.
    case words([String])
    /// One of the sentences of a book, under its name.
    case sentences(String, [Sentence])
    case list(of: Shape)
    /// A mapping from free names to such values.
    case mapping(of: Shape, to: Shape)
    /// A mapping with one pair, as an entry of a list.
    case pair(of: Shape, to: Shape)
    /// The keys of a table, under its name.
    case table(String, [Key])
    case either([Shape])

    struct Key: Sendable {
        var name: String
        var shape: Shape
        /// The purpose, in a line without capital and full stop.
        var about: String
        var example: String?
        var isRequired: Bool
    }

    struct Sentence: Sendable {
        /// The sentence; words in capitals are holes.
        var pattern: String
        /// The meaning; `nil` if it shares the row of the sentence before it.
        var about: String?
    }

    static let size = quantity(.size)
    static let time = quantity(.time)
    static let rate = quantity(.rate)
    static let path = matching("[^/].*", example: "incoming/video.mov")

    static func choice<Value: RawRepresentable<String> & CaseIterable>(of _: Value.Type) -> Shape {
        .words(Value.allCases.map(\.rawValue))
    }

    static func oneOrSeveral(_ shape: Shape) -> Shape { .either([shape, .list(of: shape)]) }
}

extension KeyTable {
    var shape: Shape {
        let keys = keys.map { key in
            Shape.Key(
                name: key.name, shape: key.shape, about: key.about, example: key.example,
                isRequired: key.need == .always)
        }
        return .table(name, keys)
    }
}

extension PhraseBook {
    var shape: Shape {
        .sentences(name, phrases.map { Shape.Sentence(pattern: $0.pattern, about: $0.about) })
    }
}
