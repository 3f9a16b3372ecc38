/// Reads a node as the kind that a key wants, or reports what it is instead.
extension YAMLNode {
    /// Reads a single, non-empty value.
    func text(expected: String) -> PlacedText? {
        guard case .scalar(let text, let style) = content, !(text.isEmpty && style == .plain)
        else { return refuse(wanted: "a single value", expected: expected) }
        let trimmed = text.trimmed
        guard !trimmed.isEmpty else { return refuse("the value is empty", expected: expected) }
        return words(trimmed, style)
    }

    func items(expected: String) -> [YAMLNode]? {
        guard case .sequence(let items) = content else {
            return refuse(wanted: "a list", expected: expected)
        }
        return items
    }

    /// Reads a list that must not be empty; `complaint` says that nothing is there.
    func items(orElse complaint: String, expected: String) -> [YAMLNode]? {
        checked(items(expected: expected), expected: expected) { $0.isEmpty ? complaint : nil }
    }

    /// Whether the value is this word.
    func says(_ word: String) -> Bool {
        if case .scalar(word, _) = content { true } else { false }
    }

    /// Reads the pairs of a non-empty mapping, whose keys are words.
    func pairs(expected: String) -> [(key: PlacedText, value: YAMLNode)]? {
        guard case .mapping(let pairs) = content else {
            return refuse(wanted: "a mapping of keys to values", expected: expected)
        }
        guard !pairs.isEmpty else {
            return refuse("there is nothing between the braces", expected: expected)
        }
        let readable = pairs.compactMap { pair -> (key: PlacedText, value: YAMLNode)? in
            guard case .scalar(let name, let style) = pair.key.content else { return nil }
            return (pair.key.words(name, style), pair.value)
        }
        return readable.isEmpty ? nil : readable
    }

    /// Reads an entry of a list: a mapping with one pair.
    func entry(
        expected: String, of kind: String = "entries",
        remedy: String = "each entry on a line of its own that begins with “- ”"
    ) -> (key: PlacedText, value: YAMLNode)? {
        guard let pairs = pairs(expected: expected) else { return nil }
        guard pairs.count == 1 else {
            return refuse("\(pairs.count) \(kind) in one", expected: remedy)
        }
        return pairs[0]
    }

    private func words(_ text: String, _ style: Style) -> PlacedText {
        let place = style == .quoted ? place.moved(by: 1) : place
        return PlacedText(text: text, place: place, mistakes: mistakes)
    }

    private func refuse<Value>(wanted: String, expected: String) -> Value? {
        if case .unreadable = content { return nil }
        return refuse("\(kind) where \(wanted) is needed", expected: expected)
    }

    /// The value of a key in a mapping.
    subscript(key: String) -> YAMLNode? {
        guard case .mapping(let pairs) = content else { return nil }
        return pairs.first { $0.key.isScalar(key) }?.value
    }

    func isScalar(_ text: String) -> Bool {
        if case .scalar(text, _) = content { true } else { false }
    }

    /// The items of a list, or a single value as a list.
    var oneOrSeveral: [YAMLNode] {
        if case .sequence(let items) = content { items } else { [self] }
    }
}

extension String {
    /// The text without spaces and line breaks at both ends.
    fileprivate var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\t" }
        let head = drop(while: isSpace)
        guard let last = head.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(head[...last])
    }
}
