/// Suggests a sentence of the language for a sentence that is none.
///
/// Words count in any order and with any ending, because newcomers know the words and guess the
/// grammar: “resume transfer 1” means “transfer 1 is resumed”. A sentence that shares too few words
/// is no help, and is not suggested.
struct SentenceSpelling {
    private let words: [String]
    private let text: String

    /// A pattern with the sentence's own words in its holes.
    private struct Candidate {
        var text: String
        var cost: Int
        var matched: Int
        var hasEmptyHole = false
        var distance = 0
    }

    /// What differences cost. A sentence with more than `most` of them is another one.
    private enum Cost {
        static let word = 4
        static let number = 3
        static let emptyHole = 2
        static let smallWord = 1
        static let ending = 1
        static let most = 5
    }

    private static let smallWords: Set<String> = [
        "a", "after", "an", "and", "are", "at", "be", "been", "by", "for", "from", "get", "gets",
        "has", "have", "in", "is", "it", "its", "of", "the", "then", "to", "was", "will", "with",
        "within",
    ]

    /// Words that make a difference in a pattern, but are often one too many in a sentence.
    private static let switches: Set<String> = ["off", "on"]

    init(_ words: [String]) {
        self.words = words
        text = words.joined(separator: " ")
    }

    /// Returns the nearest sentence of these patterns; `nil` if none is near.
    func nearest(of patterns: [Pattern]) -> String? {
        // Longer sentences are no slips, and would only cost time.
        guard words.count <= 20 else { return nil }
        var best: Candidate?
        var differences: [String: [Int?]] = [:]
        for pattern in patterns {
            guard var candidate = candidate(pattern, &differences) else { continue }
            guard candidate.cost <= best?.cost ?? .max else { continue }
            // Letters say nothing about a sentence without its end.
            candidate.distance =
                candidate.hasEmptyHole ? text.count : Spelling.distance(candidate.text, text)
            if let best, best.cost == candidate.cost, best.distance <= candidate.distance {
                continue
            }
            best = candidate
        }
        return best?.text
    }

    /// Fits the words into a pattern; `nil` if it is too different. `differences` has what it costs
    /// to take each of the words for a word of some pattern: patterns share most of their words.
    private func candidate(
        _ pattern: Pattern, _ differences: inout [String: [Int?]]
    ) -> Candidate? {
        var rest = Array(words.enumerated())
        var candidate = Candidate(text: "", cost: 0, matched: 0)
        // The pattern's own words first, because a hole would take any word.
        let own = pattern.fixedWords.map { word in
            let costs = differences[word] ?? words.map { Self.difference($0, word) }
            differences[word] = costs
            let equal = rest.firstIndex { costs[$0.offset] == 0 }
            let place = equal ?? rest.firstIndex { costs[$0.offset] != nil }
            guard let place else {
                candidate.cost += Self.price(of: word)
                return word
            }
            candidate.cost += costs[rest[place].offset] ?? 0
            if !Self.smallWords.contains(word) { candidate.matched += 1 }
            rest.remove(at: place)
            return word
        }
        guard candidate.matched > 0 else { return nil }
        var next = own.makeIterator()
        let parts = pattern.text.split(separator: " ").map { part in
            guard part.allSatisfy(\.isUppercase) else { return next.next() ?? String(part) }
            guard let filling = Self.take(String(part), from: &rest) else {
                candidate.hasEmptyHole = true
                candidate.cost +=
                    ["PATH", "NAME", "EVENT"].contains(part) ? Cost.word : Cost.emptyHole
                return String(part)
            }
            return filling
        }
        candidate.cost += rest.reduce(0) {
            $0 + (Self.switches.contains($1.element) ? Cost.smallWord : Self.price(of: $1.element))
        }
        candidate.text = parts.joined(separator: " ")
        let isNear =
            candidate.cost <= Cost.most && candidate.cost < candidate.matched * Cost.word
        return isNear ? candidate : nil
    }

    private static func price(of word: String) -> Int {
        if word.first?.isNumber ?? false { return Cost.number }
        return smallWords.contains(word.lowercased()) ? Cost.smallWord : Cost.word
    }

    /// Returns what it costs to take one word for another; `nil` if they are different words.
    private static func difference(_ given: String, _ known: String) -> Int? {
        let given = given.lowercased()
        if given == known { return 0 }
        guard min(given.count, known.count) >= 3, !smallWords.contains(known) else { return nil }
        let prefix = zip(given, known).prefix { $0 == $1 }.count
        let isSameStem =
            prefix >= max(3, min(given.count, known.count) - 2)
            && max(given.count, known.count) - prefix <= 3
        let isNear =
            isSameStem
            || Spelling.distance(given, known, atMost: max(1, known.count / 4)) != nil
        return isNear ? Cost.ending : nil
    }

    /// Removes the first words that fit a hole, and returns them.
    private static func take(
        _ hole: String, from rest: inout [EnumeratedSequence<[String]>.Element]
    ) -> String? {
        // A name comes late in a sentence, after the words that say whose it is.
        for place in hole == "NAME" ? Array(rest.indices.reversed()) : Array(rest.indices) {
            // Only words that are beside each other in the sentence belong together.
            let first = rest[place].offset - place
            let run = rest.indices[place...].prefix { rest[$0].offset - $0 == first }
                .map { rest[$0].element }
            for length in (1...min(4, run.count)).reversed() {
                guard fits(run.prefix(length), hole) else { continue }
                rest.removeSubrange(place..<place + length)
                return run.prefix(length).joined(separator: " ")
            }
        }
        return nil
    }

    private static func fits(_ words: ArraySlice<String>, _ hole: String) -> Bool {
        let first = words.first ?? ""
        let isNumber = first.first { $0 != "-" }?.isNumber ?? false
        let text = words.joined(separator: " ")
        switch hole {
        case "N", "CODE", "STATUS":
            return words.count == 1 && isNumber && first.allSatisfy { $0.isNumber || $0 == "-" }
        case "TIME", "SIZE", "RATE", "PERCENT", "AMOUNT":
            guard isNumber else { return false }
            let hasUnit = first.contains { !$0.isNumber && $0 != "." }
            return words.count == (hasUnit ? 1 : 2)
        case "TIMES":
            let before = text.hasPrefix("at ") ? 2 : text.hasPrefix("exactly ") ? 1 : 0
            let number = words.dropFirst(before)
            return ["never", "once", "twice"].contains(number.joined(separator: " "))
                || number.count == 2 && number.last == "times"
        case "CALLBACK", "STATE": return Pattern.looksRight(Array(words), in: hole)
        default:
            return words.count == 1 && !isNumber && !smallWords.contains(first)
                && !switches.contains(first)
        }
    }
}
