/// Reads a node as the kind that a key wants, or reports what it is instead.
extension Mistakes {
    /// Reads a single, non-empty value.
    mutating func text(of node: YAMLNode, expected: String) -> PlacedText? {
        guard case .scalar(let text, let style) = node.content, !(text.isEmpty && style == .plain)
        else {
            refuse(node, wanted: "a single value", expected: expected)
            return nil
        }
        let trimmed = text.trimmed
        guard !trimmed.isEmpty else {
            add("the value is empty", at: node.place, expected: expected)
            return nil
        }
        let place = style == .quoted ? node.place.moved(by: 1) : node.place
        return PlacedText(text: trimmed, place: place)
    }

    /// Reads `on` or `off`.
    mutating func isOn(_ node: YAMLNode) -> Bool? {
        let expectation = "on or off"
        guard let words = text(of: node, expected: expectation) else { return nil }
        switch words.text {
        case "on": return true
        case "off": return false
        default:
            add("“\(words.text)” is neither on nor off", at: words.place, expected: expectation)
            return nil
        }
    }

    mutating func items(of node: YAMLNode, expected: String) -> [YAMLNode]? {
        guard case .sequence(let items) = node.content else {
            refuse(node, wanted: "a list", expected: expected)
            return nil
        }
        return items
    }

    /// Reads the pairs of a non-empty mapping, whose keys are words.
    mutating func pairs(
        of node: YAMLNode, expected: String
    ) -> [(key: PlacedText, value: YAMLNode)]? {
        guard case .mapping(let pairs) = node.content else {
            refuse(node, wanted: "a mapping of keys to values", expected: expected)
            return nil
        }
        guard !pairs.isEmpty else {
            add("there is nothing between the braces", at: node.place, expected: expected)
            return nil
        }
        let readable = pairs.compactMap { pair -> (key: PlacedText, value: YAMLNode)? in
            guard case .scalar(let name, let style) = pair.key.content else { return nil }
            let place = style == .quoted ? pair.key.place.moved(by: 1) : pair.key.place
            return (PlacedText(text: name, place: place), pair.value)
        }
        return readable.isEmpty ? nil : readable
    }

    private mutating func refuse(_ node: YAMLNode, wanted: String, expected: String) {
        if case .unreadable = node.content { return }
        add("\(node.kind) where \(wanted) is needed", at: node.place, expected: expected)
    }
}

extension YAMLNode {
    /// The value of a key in a mapping.
    subscript(key: String) -> YAMLNode? {
        guard case .mapping(let pairs) = content else { return nil }
        return pairs.first { $0.key.isScalar(key) }?.value
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
