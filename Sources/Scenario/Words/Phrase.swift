/// A sentence of the language with its meaning.
///
/// A new timeline action or expectation is one more `Phrase` in its table.
struct Phrase<Meaning: Sendable>: Sendable {
    let pattern: Pattern
    /// The meaning on the language page; `nil` if it shares the row of the phrase before it.
    let about: String?
    /// Reads the words in the holes, in order; `nil` after a report.
    let read: @Sendable ([PlacedText], ScenarioDraft) -> Meaning?

    init(
        _ pattern: String, _ about: String? = nil,
        read: @escaping @Sendable ([PlacedText], ScenarioDraft) -> Meaning?
    ) {
        self.pattern = Pattern(pattern)
        self.about = about
        self.read = read
    }

    /// Makes a sentence without holes.
    init(_ pattern: String, _ about: String? = nil, means meaning: Meaning) {
        self.init(pattern, about) { _, _ in meaning }
    }

    /// Returns the same sentence with another meaning.
    func map<Other>(_ meaning: @escaping @Sendable (Meaning) -> Other) -> Phrase<Other> {
        Phrase<Other>(pattern.text, about) { holes, draft in read(holes, draft).map(meaning) }
    }
}

/// All sentences that fit one place.
struct PhraseBook<Meaning: Sendable>: Sendable {
    /// The name with its article, such as “an expectation”.
    let name: String
    let phrases: [Phrase<Meaning>]
    private let patterns: [Pattern]

    init(name: String, phrases: [Phrase<Meaning>]) {
        self.name = name
        self.phrases = phrases
        patterns = phrases.map(\.pattern)
    }

    func read(_ sentence: PlacedText, _ draft: ScenarioDraft = ScenarioDraft()) -> Meaning? {
        Pattern.first(of: patterns, in: sentence, name: name).flatMap {
            phrases[$0.index].read($0.holes, draft)
        }
    }
}

/// Returns both values if they could be read. Both are read, so that all mistakes are told.
func both<First, Second>(_ first: First?, _ second: Second?) -> (First, Second)? {
    guard let first, let second else { return nil }
    return (first, second)
}
