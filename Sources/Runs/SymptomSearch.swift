import Foundation
package import Scenario

/// The scenarios that are nearest to a bug, which somebody describes in words of their own.
package struct SymptomSearch: Codable, Sendable {
    /// The nearest first.
    package private(set) var hits: [Hit]
    /// Words of the description that no scenario uses.
    package private(set) var unknown: [String]
    /// Statements that share words with the description, and that no scenario covers.
    package private(set) var uncovered: [Statement]

    package struct Hit: Codable, Sendable {
        package var path: String
        package var name: String
        package var why: String
        package var cites: [String]
        /// The words of the description that led to it.
        package var words: [String]
    }

    private static let shown = 5

    package init(for description: String, in scenarios: [Scenario]) {
        // The cases of a matrix come from one file, in a row.
        let files = scenarios.reduce(into: [Scenario]()) {
            if $0.last?.path != $1.path { $0.append($1) }
        }
        let cited = files.flatMap(\.cites).filter { description.localizedStandardContains($0) }
        let rest = cited.reduce(description) { $0.replacing($1, with: " ") }
        let wanted = Self.words(rest).reduce(into: [(word: String, stem: String)]()) {
            if let stem = SymptomWords.stem($1), !$0.map(\.stem).contains(stem) {
                $0.append(($1, stem))
            }
        }
        let weights = files.map(Self.weights)
        let rarity = wanted.map { wish in
            let count = weights.count { $0[wish.stem] != nil }
            return count == 0 ? 0 : log(1 + Double(files.count) / Double(count))
        }
        let scored = files.indices.compactMap { index -> (score: Double, hit: Hit)? in
            var score = 0.0
            var words: [String] = []
            for (wish, rarity) in zip(wanted, rarity) {
                guard let weight = weights[index][wish.stem] else { continue }
                // A word said ten times is not ten times as near.
                score += rarity * weight / (weight + 2)
                words.append(wish.word)
            }
            let scenario = files[index]
            let named = scenario.cites.filter(cited.contains)
            // Two words of four are nearer than one said often.
            score *= Double(words.count) / Double(max(wanted.count, 1))
            score += 10 * Double(named.count)
            guard score > 0 else { return nil }
            let hit = Hit(
                path: scenario.path, name: scenario.name, why: scenario.why,
                cites: scenario.cites, words: named + words)
            return (score, hit)
        }
        hits = scored.sorted { ($1.score, $0.hit.path) < ($0.score, $1.hit.path) }
            .prefix(Self.shown).map(\.hit)
        unknown = zip(wanted, rarity).filter { $1 == 0 }.map(\.0.word)
        let stems = Set(wanted.map(\.stem))
        uncovered = Coverage(of: scenarios).uncovered.filter { statement in
            let shared = Self.words(statement.text).compactMap(SymptomWords.stem)
            return stems.intersection(shared).count > 1
        }
    }

    /// How much each word counts that a scenario uses: its name most, what it plays least.
    private static func weights(of scenario: Scenario) -> [String: Double] {
        let statements = Statement.all.filter { scenario.cites.contains($0.number) }.map(\.text)
        let texts: [(Double, [String])] = [
            (4, [scenario.name]), (3, [scenario.why]), (0.5, statements),
            (0.5, scenario.timelineAndWishes),
        ]
        var weights: [String: Double] = [:]
        for (weight, texts) in texts {
            for word in texts.flatMap(words) {
                if let stem = SymptomWords.stem(word) { weights[stem, default: 0] += weight }
            }
        }
        return weights
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}

extension Scenario {
    /// What happens in it and what it expects, without the usual values of its world.
    fileprivate var timelineAndWishes: [String] {
        faults.map(\.sentence) + timeline.map { $0.sentence(in: self) } + expectations.map(\.words)
    }
}

/// Words with the same meaning, whatever their ending.
enum SymptomWords {
    /// Returns what all forms of a word and its synonyms share; `nil` if it means too little.
    static func stem(_ word: String) -> String? {
        guard word.count > 1, !small.contains(word) else { return nil }
        let stem = bare(word)
        return meanings[stem] ?? stem
    }

    /// Drops the endings of nouns and verbs.
    private static func bare(_ word: String) -> String {
        guard word.count > 3 else { return word }
        var stem = word
        if stem.hasSuffix("ies") {
            stem = stem.dropLast(3) + "y"
        } else if stem.hasSuffix("s"), !stem.hasSuffix("ss") {
            stem.removeLast()
        }
        for ending in ["ing", "ed", "er", "ly"] where stem.hasSuffix(ending) && stem.count > 5 {
            stem.removeLast(ending.count)
            if let last = stem.last, stem.dropLast().last == last { stem.removeLast() }
            break
        }
        if stem.hasSuffix("e"), stem.count > 3 { stem.removeLast() }
        return stem
    }

    private static let small: Set<String> = [
        "the", "an", "and", "or", "of", "to", "in", "on", "at", "is", "it", "its", "are", "was",
        "were", "be", "been", "by", "for", "with", "from", "that", "this", "as", "if", "not", "no",
        "but", "when", "then", "than", "after", "before", "while", "has", "have", "had", "does",
        "do", "did", "my", "our", "we", "they", "them", "their", "all", "some", "so", "once", "one",
        "which", "what", "who", "there", "into", "out", "up", "over", "only", "too", "app", "file",
        "session", "server", "would", "should", "can", "cannot", "could", "will",
    ]

    /// Words that engineers use for what scenarios call otherwise.
    private static let synonyms: [[String]] = [
        ["twice", "duplicate", "double", "doubled"],
        ["killed", "crash", "crashed", "terminated", "dies", "jetsam"],
        ["offline", "disconnected", "unreachable"],
        ["stuck", "hang", "hung", "freezes", "stall", "forever", "endless"],
        ["mixed", "corrupt", "corrupted", "garbage", "damaged", "broken", "checksum", "digest"],
        ["slow", "rate", "bandwidth", "throughput", "goodput", "speed"],
        ["launched", "restart", "restarted", "reboot", "relaunch", "relaunched"],
        ["edited", "changed", "modified", "replaced", "touched", "version"],
        ["full", "space", "quota", "storage"],
        ["token", "auth", "authentication", "login", "credentials", "unauthorized", "401"],
        ["cellular", "lte", "4g", "5g", "3g", "mobile", "metered"],
        ["wifi", "wlan", "wireless"],
        ["portal", "captive", "hotel", "hotspot"],
        ["progress", "percent", "percentage"],
        ["callback", "delegate", "notification", "handler", "event"],
        ["resume", "continue", "offset", "range"],
        ["again", "retry", "retried", "backoff", "repeat", "repeated"],
        ["expiry", "expire", "expired", "background"],
        ["tls", "certificate", "https", "ssl"],
        ["timeout", "timed"],
        ["busy", "503", "throttled", "overloaded"],
        ["missing", "disappears", "vanishes", "lost", "loses"],
        ["race", "simultaneous", "concurrent", "parallel"],
    ]

    private static let meanings: [String: String] = synonyms.reduce(into: [:]) { table, group in
        for word in group { table[bare(word)] = bare(group[0]) }
    }
}
