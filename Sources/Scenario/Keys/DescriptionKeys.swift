/// The keys that describe a scenario: `name`, `why`, `cites`, `tags`.
enum DescriptionKeys {
    static let keys: [KeyTable<ScenarioDraft>.Key] = [
        .required("name", .text, "what reports call it, in one line", example: nameExample, \.name)
        {
            guard let words = $0.text(expected: "a short name such as “\(nameExample)”") else {
                return nil
            }
            let wanted = "at most 100 letters in one line; reasons go under “why”"
            return words.checked(words.text, expected: wanted) {
                $0.count > 100 || $0.contains("\n") ? "the name is too long" : nil
            }
        },
        .optional(
            "why", .text,
            "what it is for, as a sentence; each scenario of this repository has one",
            example: whyExample, \.why
        ) { $0.text(expected: "a sentence such as “\(whyExample)”")?.text },
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

    private static func readCites(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation = "a list of statements and field bugs such as [A11, S3, TUSKit#162]"
        guard let items = node.items(expected: expectation) else { return }
        for item in items {
            guard let words = item.text(expected: expectation) else { continue }
            if let problem = Citation.problem(with: words.text) {
                words.refuse(
                    "“\(words.text)” \(problem)",
                    expected: "a statement such as A11 or a field bug such as TUSKit#162")
            } else if draft.cites.contains(words.text) {
                words.refuse("“\(words.text)” is cited twice", expected: "each once")
            } else {
                draft.cites.append(words.text)
            }
        }
    }

    private static func readTags(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation = "a list of tags such as [long, live-only]"
        guard let items = node.items(expected: expectation) else { return }
        for item in items {
            guard let words = item.text(expected: expectation) else { continue }
            if !words.isPlainName {
                words.refuse(
                    "“\(words.text)” is not a tag",
                    expected: "lower-case letters, digits and hyphens, such as live-only")
            } else if draft.tags.contains(words.text) {
                words.refuse("the tag “\(words.text)” is given twice", expected: "each once")
            } else {
                draft.tags.append(words.text)
            }
        }
    }
}

extension YAMLNode {
    /// Reads a sentence of at least three words.
    func reason(_ complaint: String, expected: String) -> String? {
        guard let words = text(expected: expected) else { return nil }
        return words.checked(words.text, expected: expected) { text in
            words.words.count < 3 ? "“\(text)” \(complaint)" : nil
        }
    }
}
