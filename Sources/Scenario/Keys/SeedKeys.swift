/// The key `seed`: the seed of everything random; several make a run each.
enum SeedKeys {
    private static let expectation = "a whole number such as 7, “1 to 20”, or a list of these"
    private static let most: UInt64 = 100_000

    static let shape = Shape.either([ranges.shape, .list(of: ranges.shape)])

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes) {
        var items = [node]
        if case .sequence(let several) = node.content {
            guard !several.isEmpty else {
                return mistakes.add("a list without a seed", at: node.place, expected: expectation)
            }
            items = several
        }
        var seeds: [UInt64] = []
        for item in items {
            guard let words = mistakes.text(of: item, expected: expectation),
                let range = ranges.read(words, draft: draft, mistakes: &mistakes)
            else { continue }
            add(range, words, to: &seeds, &mistakes)
        }
        if !seeds.isEmpty { draft.seeds = seeds }
    }

    private static func add(
        _ range: ClosedRange<UInt64>, _ words: PlacedText, to seeds: inout [UInt64],
        _ mistakes: inout Mistakes
    ) {
        guard range.upperBound - range.lowerBound < most - UInt64(seeds.count) else {
            return mistakes.add(
                "“\(words.text)” makes too many seeds", at: words.place,
                expected: "at most \(most) in all")
        }
        if let twice = seeds.first(where: range.contains) {
            return mistakes.add(
                "the seed \(twice) is given twice", at: words.place, expected: "each once")
        }
        seeds += range
    }

    private static let ranges = PhraseBook<ClosedRange<UInt64>>(
        name: "a seed",
        phrases: [
            Phrase("N to N") { holes, _, mistakes in
                guard let first = mistakes.count(holes[0], expectation),
                    let last = mistakes.count(holes[1], expectation)
                else { return nil }
                return mistakes.range(from: first, to: last, at: holes[1].place)
            },
            Phrase("N") { holes, _, mistakes in
                mistakes.count(holes[0], expectation).map { $0...$0 }
            },
        ])
}
