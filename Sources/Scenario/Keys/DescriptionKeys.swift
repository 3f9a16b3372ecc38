/// The keys that describe a scenario: `name`, `why`, `cites`, `tags`.
enum DescriptionKeys {
    static let keys: [KeyTable<ScenarioDraft>.Key] = [
        .required(
            "name", .text, "what reports call it, in one line", example: nameExample,
            read: readName),
        .required(
            "why", .text, "what it is for, as a sentence", example: whyExample, read: readWhy),
        .optional(
            "cites", .list(of: .text),
            "statements and field bugs that it covers", example: "[A11, S3, TUSKit#162]",
            read: readCites),
        .optional(
            "tags", .list(of: .matching("[-a-z0-9]+", example: "long")),
            "words for `--filter`; runs of a folder leave out `long` and `live-only`",
            example: "[long]", read: readTags),
    ]

    private static let nameExample = "app killed and started again"
    private static let whyExample = "a restart must go on where the server is, not at byte 0"

    private static func readName(
        _ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes
    ) {
        let expectation = "a short name such as “\(nameExample)”"
        guard let words = mistakes.text(of: node, expected: expectation) else { return }
        guard words.text.count <= 100, !words.text.contains("\n") else {
            mistakes.add(
                "the name is too long", at: words.place,
                expected: "at most 100 letters in one line; reasons go under “why”")
            return
        }
        draft.name = words.text
    }

    private static func readWhy(
        _ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes
    ) {
        let expectation = "a sentence such as “\(whyExample)”"
        guard let words = mistakes.text(of: node, expected: expectation) else { return }
        guard mistakes.words(of: words).count >= 3 else {
            mistakes.add(
                "“\(words.text)” does not say why", at: words.place, expected: expectation)
            return
        }
        draft.why = words.text
    }

    private static func readCites(
        _ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes
    ) {
        let expectation = "a list of statements and field bugs such as [A11, S3, TUSKit#162]"
        guard let items = mistakes.items(of: node, expected: expectation) else { return }
        for item in items {
            guard let words = mistakes.text(of: item, expected: expectation) else { continue }
            if let problem = Citation.problem(with: words.text) {
                mistakes.add(
                    "“\(words.text)” \(problem)", at: words.place,
                    expected: "a statement such as A11 or a field bug such as TUSKit#162")
            } else if draft.cites.contains(words.text) {
                mistakes.add(
                    "“\(words.text)” is cited twice", at: words.place, expected: "each once")
            } else {
                draft.cites.append(words.text)
            }
        }
    }

    private static func readTags(
        _ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes
    ) {
        let expectation = "a list of tags such as [long, live-only]"
        guard let items = mistakes.items(of: node, expected: expectation) else { return }
        for item in items {
            guard let words = mistakes.text(of: item, expected: expectation) else { continue }
            let isTag = words.text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
            }
            guard isTag else {
                mistakes.add(
                    "“\(words.text)” is not a tag", at: words.place,
                    expected: "lower-case letters, digits and hyphens, such as live-only")
                continue
            }
            guard !draft.tags.contains(words.text) else {
                mistakes.add(
                    "the tag “\(words.text)” is given twice", at: words.place,
                    expected: "each once")
                continue
            }
            draft.tags.append(words.text)
        }
    }
}
