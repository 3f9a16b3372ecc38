/// What a value of the language looks like: enough for an editor to complete it and to point at a
/// slip. Whether a scenario can be played, only its reader knows.
indirect enum Shape: Sendable {
    /// Any words.
    case text
    /// Words of a form, as a regular expression for all of them, and a good one.
    case matching(String, example: String)
    case quantity(Measure)
    case percentage
    /// A whole number.
    case number
    /// A number that may have a point in it.
    case decimal
    case onOff
    /// One of these words.
    case words([String])
    /// One of the sentences of a book, under its name.
    case sentences(String, [Sentence])
    case list(of: Shape)
    /// Names of one's own, each with such a value.
    case mapping(of: Shape, to: Shape)
    /// The same with one pair alone, as an entry of a list is written.
    case pair(of: Shape, to: Shape)
    /// The keys of a table, under its name.
    case table(String, [Key])
    case either([Shape])

    struct Key: Sendable {
        var name: String
        var shape: Shape
        /// What it is for, in a line that needs no capital and no full stop.
        var about: String
        var example: String?
        var isRequired: Bool
    }

    struct Sentence: Sendable {
        /// Words in capitals are holes.
        var pattern: String
        /// What it means; `nil` in the row of the sentence before it.
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
