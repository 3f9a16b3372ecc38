import Checks
import RunLog

/// A sentence of the language, such as `session N completes within TIME`; words in capitals are
/// holes.
///
/// A new timeline action or expectation is one more `Phrase` in its table.
struct Phrase<Meaning>: Sendable {
    let pattern: String
    /// The meaning on the language page; `nil` if it shares the row of the phrase before it.
    let about: String?
    /// Reads the words in the holes, in order; `nil` after a report.
    let read: @Sendable ([PlacedText], ScenarioDraft, inout Mistakes) -> Meaning?

    private let parts: [Part]

    private enum Part {
        case word(String)
        case hole(String)
    }

    init(
        _ pattern: String, _ about: String? = nil,
        read: @escaping @Sendable ([PlacedText], ScenarioDraft, inout Mistakes) -> Meaning?
    ) {
        self.pattern = pattern
        self.about = about
        self.read = read
        parts = pattern.split(separator: " ").map { word in
            guard word.allSatisfy(\.isUppercase) else { return .word(String(word)) }
            return .hole(String(word))
        }
    }

    /// Returns the same sentence with another meaning.
    func map<Other>(_ meaning: @escaping @Sendable (Meaning) -> Other) -> Phrase<Other> {
        Phrase<Other>(pattern, about) { holes, draft, mistakes in
            read(holes, draft, &mistakes).map(meaning)
        }
    }

    /// The most words of a hole. A quantity is a number and a unit; paths and names may have any
    /// number.
    private static func longest(_ hole: String) -> Int {
        switch hole {
        case "PATH", "NAME", "EVENT": .max
        case "TIMES": 4
        case "CALLBACK", "STATE": 3
        default: 2
        }
    }

    /// Whether words fit a hole: “did activate at least once” is not “did activate at” and
    /// something, and “is tried again at least once” is no state at a time.
    private static func looksRight(_ words: ArraySlice<PlacedText>, in hole: String) -> Bool {
        let texts = words.map(\.text)
        switch hole {
        case "CALLBACK": return CallbackName(rawValue: texts.joined(separator: " ")) != nil
        case "STATE": return ItemStage(rawValue: texts.joined(separator: " ")) != nil
        case "TIMES":
            return ["never", "once", "twice", "at", "exactly"].contains(texts.first ?? "")
                || texts.last == "times"
        default: return true
        }
    }

    /// Returns the words in the holes if the sentence has this form, else `nil`. With `strictly`,
    /// they must also fit.
    func holes(in sentence: [PlacedText], strictly: Bool) -> [PlacedText]? {
        Self.match(parts[...], sentence[...], strictly: strictly)
    }

    /// Returns sentences that may have been intended: the phrase's own words, with the given words
    /// in its holes.
    func fillings(with sentence: [String]) -> [String] {
        var fillings: [[String]] = [[]]
        var rests: [ArraySlice<String>] = [sentence[...]]
        for part in parts {
            var next: ([[String]], [ArraySlice<String>]) = ([], [])
            for (filling, rest) in zip(fillings, rests) {
                switch part {
                case .word(let word):
                    guard !rest.isEmpty else { continue }
                    next.0.append(filling + [word])
                    next.1.append(rest.dropFirst())
                case .hole(let name):
                    for length in 0..<min(Self.longest(name), 4) where rest.count > length {
                        next.0.append(filling + rest.prefix(length + 1))
                        next.1.append(rest.dropFirst(length + 1))
                    }
                }
            }
            (fillings, rests) = next
        }
        return zip(fillings, rests).filter { $0.1.isEmpty }.map { $0.0.joined(separator: " ") }
    }

    var fixedWords: [String] {
        parts.compactMap { part in
            switch part {
            case .word(let word): word
            case .hole: nil
            }
        }
    }

    private static func match(
        _ parts: ArraySlice<Part>, _ words: ArraySlice<PlacedText>, strictly: Bool
    ) -> [PlacedText]? {
        guard let part = parts.first else { return words.isEmpty ? [] : nil }
        // Every part needs a word; this also ends hopeless attempts early.
        guard words.count >= parts.count, let first = words.first else { return nil }
        switch part {
        case .word(let word):
            guard word == first.text else { return nil }
            return match(parts.dropFirst(), words.dropFirst(), strictly: strictly)
        case .hole(let name):
            // The longest first: a path may contain the phrase's own words.
            for length in (1...min(longest(name), words.count)).reversed() {
                if strictly, !looksRight(words.prefix(length), in: name) { continue }
                guard
                    let rest = match(
                        parts.dropFirst(), words.dropFirst(length), strictly: strictly)
                else { continue }
                let text = words.prefix(length).map(\.text).joined(separator: " ")
                return [PlacedText(text: text, place: first.place)] + rest
            }
            return nil
        }
    }
}

/// All sentences that fit one place.
struct PhraseBook<Meaning>: Sendable {
    /// The name with its article, such as “an expectation”.
    let name: String
    let phrases: [Phrase<Meaning>]

    func read(
        _ sentence: PlacedText, draft: ScenarioDraft, mistakes: inout Mistakes
    ) -> Meaning? {
        let words = mistakes.words(of: sentence)
        // A slip in a hole is reported only if no other sentence matches without a slip.
        for strictly in [true, false] {
            for phrase in phrases {
                guard let holes = phrase.holes(in: words, strictly: strictly) else { continue }
                return phrase.read(holes, draft, &mistakes)
            }
        }
        let forms = forms(near: words).map { "\n    \($0)" }.joined()
        mistakes.add(
            "“\(sentence.text)” is not \(name)", at: sentence.place,
            expected: "one of these:\(forms)", suggestion: nearest(to: words).map { "“\($0)”" })
        return nil
    }

    /// Returns the phrases that share a word with the sentence, as nobody reads sixty; all if none
    /// does.
    private func forms(near words: [PlacedText]) -> [String] {
        // “the” and “on” do not show the intention.
        let present = Set(words.map(\.text).filter { $0.count > 2 && $0 != "the" })
        let near = phrases.filter { !present.isDisjoint(with: $0.fixedWords) }.map(\.pattern)
        guard !near.isEmpty, near.count < phrases.count else { return phrases.map(\.pattern) }
        return near + ["or another of the \(phrases.count) sentences that ./lab schema lists"]
    }

    /// Returns the nearest in spelling among the phrases that share at least half of their words,
    /// or else the phrase that shares most.
    private func nearest(to words: [PlacedText]) -> String? {
        let present = Set(words.map(\.text))
        let shares = phrases.map { phrase in
            let fixed = phrase.fixedWords
            // In hundredths, to compare integers. A phrase may have no fixed words.
            return fixed.count { present.contains($0) } * 100 / max(1, fixed.count)
        }
        guard let best = shares.max(), best >= 50 else { return nil }
        let known = zip(phrases, shares).filter { $0.1 >= 50 }
        let sentence = words.map(\.text).joined(separator: " ")
        let fillings = known.flatMap { $0.0.fillings(with: words.map(\.text)) }
        if let filled = Spelling.nearest(to: sentence, among: fillings) { return filled }
        return Spelling.nearest(to: sentence, among: known.map(\.0.pattern))
            ?? known.first { $0.1 == best }?.0.pattern
    }
}

extension Mistakes {
    /// Returns the words of a sentence. Each has its own place if the file shows the sentence
    /// literally.
    func words(of sentence: PlacedText) -> [PlacedText] {
        let isLiteral = source(at: sentence.place).says(sentence.text, at: sentence.place)
        var words: [PlacedText] = []
        var word = String.UnicodeScalarView()
        var column = 0
        func finishWord() {
            guard !word.isEmpty else { return }
            let place = sentence.place.moved(by: isLiteral ? column - word.count : 0)
            words.append(PlacedText(text: String(word), place: place))
            word = String.UnicodeScalarView()
        }
        for scalar in sentence.text.unicodeScalars {
            if scalar == " " || scalar == "\n" { finishWord() } else { word.append(scalar) }
            column += 1
        }
        finishWord()
        return words
    }
}
