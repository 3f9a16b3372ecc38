/// The key `seed`: the seed of everything random; several make a run each.
enum SeedKeys {
    private static let expectation = "a whole number such as 7, “1 to 20”, or a list of these"
    private static let most: UInt64 = 100_000

    static let shape = Shape.either([ranges.shape, .list(of: ranges.shape)])

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        if case .sequence(let several) = node.content, several.isEmpty {
            return node.refuse("a list without a seed", expected: expectation)
        }
        var seeds: [UInt64] = []
        for item in node.oneOrSeveral {
            guard let words = item.text(expected: expectation), let range = ranges.read(words)
            else { continue }
            add(range, words, to: &seeds)
        }
        if !seeds.isEmpty { draft.seeds = seeds }
    }

    private static func add(
        _ range: ClosedRange<UInt64>, _ words: PlacedText, to seeds: inout [UInt64]
    ) {
        guard range.upperBound - range.lowerBound < most - UInt64(seeds.count) else {
            return words.refuse(
                "“\(words.text)” makes too many seeds", expected: "at most \(most) in all")
        }
        if let twice = seeds.first(where: range.contains) {
            return words.refuse("the seed \(twice) is given twice", expected: "each once")
        }
        seeds += range
    }

    private static let ranges = PhraseBook<ClosedRange<UInt64>>(
        name: "a seed",
        phrases: [
            Phrase("N to N") { holes, _ in
                both(holes[0].count(expectation), holes[1].count(expectation))
                    .flatMap { holes[1].range(from: $0, to: $1) }
            },
            Phrase("N") { holes, _ in holes[0].count(expectation).map { $0...$0 } },
        ])
}
