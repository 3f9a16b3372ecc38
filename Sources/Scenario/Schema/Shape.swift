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

    /// A key of a table.
    struct Key: Sendable {
        let name: String
        let shape: Shape
        /// The purpose, in a line without capital and full stop.
        let about: String
        /// A good value, for messages about a missing key and for the language page.
        let example: String?
        let need: Need

        enum Need {
            case never
            case always
            /// Required, unless something else such as a profile supplies the value.
            case unlessGiven
        }

        init(_ name: String, _ shape: Shape, _ about: String, _ example: String?, _ need: Need) {
            self.name = name
            self.shape = shape
            self.about = about
            self.example = example
            self.need = need
        }

        var isRequired: Bool { need == .always }
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

extension PhraseBook {
    var shape: Shape {
        .sentences(name, phrases.map { Shape.Sentence(pattern: $0.pattern.text, about: $0.about) })
    }
}
