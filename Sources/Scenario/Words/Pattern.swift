import Checks
import RunLog

/// The form of a sentence, such as `session N completes within TIME`; words in capitals are holes.
struct Pattern: Sendable {
    let text: String
    let fixedWords: [String]

    private let parts: [Part]
    /// The marks of its fixed words: a sentence that lacks one of them cannot have this form.
    private let marks: UInt64

    private enum Part {
        case word(String)
        case hole(String)
    }

    init(_ text: String) {
        self.text = text
        parts = text.split(separator: " ").map { word in
            word.allSatisfy(\.isUppercase) ? .hole(String(word)) : .word(String(word))
        }
        fixedWords = parts.compactMap { if case .word(let word) = $0 { word } else { nil } }
        marks = fixedWords.reduce(0) { $0 | Self.mark(of: $1) }
    }

    /// A bit that depends on the word. Most sentences are told from most patterns by it alone.
    private static func mark(of word: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325  // FNV-1a
        for byte in word.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return 1 << (hash >> 58)
    }

    /// The most words of a hole. A quantity is a number and a unit; paths and names may have any
    /// number.
    private static func longest(_ hole: String) -> Int {
        switch hole {
        case "PATH", "NAME", "EVENT", "PAUSES", "EXCHANGES": .max
        case "TIMES": 4
        case "CALLBACK", "STATE": 3
        case "ORDINAL", "STATUS", "METHOD", "FLOW", "LINK", "DECIMAL": 1
        default: 2
        }
    }

    /// Whether words fit a hole: “did activate at least once” is not “did activate at” and
    /// something, and “is tried again at least once” is no state at a time.
    static func looksRight(_ texts: [String], in hole: String) -> Bool {
        switch hole {
        case "CALLBACK": return CallbackName(rawValue: texts.joined(separator: " ")) != nil
        case "STATE": return ItemStage(rawValue: texts.joined(separator: " ")) != nil
        case "ORDINAL": return Ordinal.isMeant(by: texts.joined())
        case "TIMES":
            return ["never", "once", "twice", "at", "exactly"].contains(texts.first ?? "")
                || texts.last == "times"
        default: return true
        }
    }

    /// Returns the words in the holes if the sentence has this form, else `nil`. With `strictly`,
    /// they must also fit.
    func holes(in sentence: [PlacedText], strictly: Bool) -> [PlacedText]? {
        match(sentence, strictly: strictly, atPart: 0, atWord: 0)
    }

    /// Matches the rest of the parts with the rest of the words.
    private func match(
        _ words: [PlacedText], strictly: Bool, atPart part: Int, atWord word: Int
    ) -> [PlacedText]? {
        let left = words.count - word
        guard part < parts.count else { return left == 0 ? [] : nil }
        // Every part needs a word; this also ends hopeless attempts early.
        guard left >= parts.count - part else { return nil }
        switch parts[part] {
        case .word(let fixed):
            guard fixed == words[word].text else { return nil }
            return match(words, strictly: strictly, atPart: part + 1, atWord: word + 1)
        case .hole(let name):
            // The longest first: a path may contain the pattern's own words.
            for end in (word + 1...word + min(Self.longest(name), left)).reversed() {
                let texts = words[word..<end].map(\.text)
                if strictly, !Self.looksRight(texts, in: name) { continue }
                guard
                    let rest = match(words, strictly: strictly, atPart: part + 1, atWord: end)
                else { continue }
                return [words[word].saying(texts.joined(separator: " "))] + rest
            }
            return nil
        }
    }
}

extension Pattern {
    /// Finds the first pattern of a sentence, with the words in its holes; reports that the
    /// sentence is none of a book, whose name has an article.
    static func first(
        of patterns: [Pattern], in sentence: PlacedText, name: String
    ) -> (index: Int, holes: [PlacedText])? {
        let words = sentence.words
        // A slip in a hole is reported only if no other sentence matches without a slip.
        for strictly in [true, false] {
            if let found = first(of: patterns, in: words, strictly: strictly) { return found }
        }
        let texts = words.map(\.text)
        let forms = forms(near: texts, of: patterns).map { "\n    \($0)" }.joined()
        return sentence.refuse(
            "“\(sentence.text)” is not \(name)", expected: "one of these:\(forms)",
            suggestion: SentenceSpelling(texts).nearest(of: patterns).map { "“\($0)”" })
    }

    /// Finds the first pattern of a sentence, with the words in its holes.
    static func first(
        of patterns: [Pattern], in words: [PlacedText], strictly: Bool
    ) -> (index: Int, holes: [PlacedText])? {
        let marks = words.reduce(0) { $0 | mark(of: $1.text) }
        for (index, pattern) in patterns.enumerated() where pattern.marks & ~marks == 0 {
            guard let holes = pattern.holes(in: words, strictly: strictly) else { continue }
            return (index, holes)
        }
        return nil
    }

    /// Returns the patterns that share a word with the sentence, as nobody reads sixty; all if none
    /// does.
    private static func forms(near words: [String], of patterns: [Pattern]) -> [String] {
        // “the” and “on” do not show the intention.
        let present = Set(words.filter { $0.count > 2 && $0 != "the" })
        let near = patterns.filter { !present.isDisjoint(with: $0.fixedWords) }.map(\.text)
        guard !near.isEmpty, near.count < patterns.count else { return patterns.map(\.text) }
        return near + ["or another of the \(patterns.count) sentences that ./lab schema lists"]
    }
}
