import Checks
import RunLog

/// A sentence of the language, such as `session N completes within TIME`: words in capitals are
/// holes.
///
/// A new timeline action or expectation is one more `Phrase` in its table.
struct Phrase<Meaning>: Sendable {
    let pattern: String
    /// What it means, on the page about the language; `nil` in the row of the phrase before it.
    let about: String?
    /// Reads what stands in the holes, in their order; `nil` after saying what is wrong there.
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

    /// The same sentence, with another meaning made of its own.
    func map<Other>(_ meaning: @escaping @Sendable (Meaning) -> Other) -> Phrase<Other> {
        Phrase<Other>(pattern, about) { holes, draft, mistakes in
            read(holes, draft, &mistakes).map(meaning)
        }
    }

    /// A quantity is a number and a unit; paths and names may have spaces at will.
    private static func longest(_ hole: String) -> Int {
        switch hole {
        case "PATH", "NAME", "EVENT": .max
        case "TIMES": 4
        case "CALLBACK", "STATE": 3
        default: 2
        }
    }

    /// What stands in some holes must look like it: “did activate at least once” is not “did
    /// activate at”, and then something, and “is tried again at least once” is no state at a time.
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

    /// What the holes hold if the sentence has this form, else `nil`; `strictly` if that has to
    /// look like what belongs there.
    func holes(in sentence: [PlacedText], strictly: Bool) -> [PlacedText]? {
        Self.match(parts[...], sentence[...], strictly: strictly)
    }

    /// The sentences that this one may have been meant to be: its own words in their places, and
    /// what was said in the holes.
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
        // Every part needs a word: this also ends hopeless attempts early.
        guard words.count >= parts.count, let first = words.first else { return nil }
        switch part {
        case .word(let word):
            guard word == first.text else { return nil }
            return match(parts.dropFirst(), words.dropFirst(), strictly: strictly)
        case .hole(let name):
            // The longest first: a path may have the phrase's own words in it.
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

/// All sentences that may stand in one place.
struct PhraseBook<Meaning>: Sendable {
    /// “an expectation”, with the article.
    let name: String
    let phrases: [Phrase<Meaning>]

    func read(
        _ sentence: PlacedText, draft: ScenarioDraft, mistakes: inout Mistakes
    ) -> Meaning? {
        let words = mistakes.words(of: sentence)
        // A slip in a hole is told only where the sentence is no other one without a slip.
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

    /// Those that have a word of the sentence in them, as nobody reads sixty; all where none has.
    private func forms(near words: [PlacedText]) -> [String] {
        // “the” and “on” say nothing of what was meant.
        let present = Set(words.map(\.text).filter { $0.count > 2 && $0 != "the" })
        let near = phrases.filter { !present.isDisjoint(with: $0.fixedWords) }.map(\.pattern)
        guard !near.isEmpty, near.count < phrases.count else { return phrases.map(\.pattern) }
        return near + ["or another of the \(phrases.count) sentences that ./lab schema lists"]
    }

    /// The nearest in spelling of those of which at least half of the words are there; where none
    /// is near, the one of which most are.
    private func nearest(to words: [PlacedText]) -> String? {
        let present = Set(words.map(\.text))
        let shares = phrases.map { phrase in
            let fixed = phrase.fixedWords
            // In hundredths, as integers that can be compared for being equal; there may be none.
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
    /// The words of a sentence, each with its own place where the file shows it letter by letter.
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
