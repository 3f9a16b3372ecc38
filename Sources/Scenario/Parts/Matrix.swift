/// The keys `for each` and `exclude`: one scenario for each combination of values, which replace
/// `${name}` everywhere.
struct Matrix {
    static let key = "for each"
    static let exclusionKey = "exclude"

    /// A combination: the values in the order of their variables.
    struct Case {
        fileprivate(set) var values: [Setting] = []

        /// The case on a command line, such as `controller=bbr,profile=apple-lte`; `nil` without a
        /// matrix.
        var words: String? { values.isEmpty ? nil : values.map(\.words).joined(separator: ",") }
        var label: String { values.map(\.words).joined(separator: ", ") }
    }

    struct Setting: Hashable {
        var name: String
        var value: PlacedText

        var words: String { "\(name)=\(value.text)" }
    }

    /// All cases, at least one.
    private(set) var cases: [Case]
    private let names: [String]

    private static let most = 1_000
    private static let expectation =
        "names with lists of values, such as { controller: [cubic, bbr] }"

    /// Reads a matrix; a tree without one has one case.
    init(of root: YAMLNode, mistakes: inout Mistakes) {
        cases = [Case()]
        guard let node = root.value(of: Self.key) else {
            names = []
            if let node = root.value(of: Self.exclusionKey) {
                mistakes.add(
                    "there is nothing to leave out", at: node.place,
                    expected: "“\(Self.key)” beside “\(Self.exclusionKey)”")
            }
            return
        }
        let pairs = mistakes.pairs(of: node, expected: Self.expectation) ?? []
        names = pairs.map(\.key.text)
        var count = 1
        for (name, value) in pairs {
            let values = Self.values(name, value, &mistakes)
            count *= max(1, values.count)
            guard count <= Self.most else {
                mistakes.add(
                    "more than \(Self.most) combinations", at: name.place,
                    expected: "fewer values; use seeds for random variation")
                return
            }
            let settings = values.map { Setting(name: name.text, value: $0) }
            cases = cases.flatMap { one in settings.map { Case(values: one.values + [$0]) } }
        }
        if let node = root.value(of: Self.exclusionKey) { exclude(node, &mistakes) }
    }

    // MARK: Filling in

    /// Returns the tree of one case.
    func filled(_ root: YAMLNode, for one: Case, mistakes: inout Mistakes) -> YAMLNode {
        guard case .mapping(let pairs) = root.content else { return root }
        let rest = pairs.filter { pair in
            ![Self.key, Self.exclusionKey].contains { pair.key.isScalar($0) }
        }
        var used: Set<String> = []
        let known = mistakes.count
        let tree = YAMLNode(place: root.place, content: .mapping(rest))
            .filled(one.values, used: &used, mistakes: &mistakes)
        for name in names where !used.contains(name) && mistakes.count == known {
            mistakes.add(
                "“\(name)” is not used anywhere", at: root.value(of: Self.key)?.place ?? root.place,
                expected: "${\(name)} somewhere; without it all cases are the same")
        }
        return tree
    }

    // MARK: Reading

    private static func values(
        _ name: PlacedText, _ node: YAMLNode, _ mistakes: inout Mistakes
    ) -> [PlacedText] {
        if !name.isPlainName {
            mistakes.add(
                "“\(name.text)” is not a name for values", at: name.place,
                expected: "lower-case letters, digits and hyphens")
        }
        guard let items = mistakes.items(of: node, expected: expectation) else { return [] }
        if items.isEmpty {
            mistakes.add("a list without a value", at: node.place, expected: expectation)
        }
        var values: [PlacedText] = []
        for item in items {
            guard let words = mistakes.text(of: item, expected: expectation) else { continue }
            if words.text.contains(where: { ",=$".contains($0) }) {
                mistakes.add(
                    "“\(words.text)” cannot be a value of a case", at: words.place,
                    expected: "words without “,”, “=” and “$”")
            } else if values.contains(where: { $0.text == words.text }) {
                mistakes.add(
                    "the value “\(words.text)” is given twice", at: words.place,
                    expected: "each once")
            } else {
                values.append(words)
            }
        }
        return values
    }

    private mutating func exclude(_ node: YAMLNode, _ mistakes: inout Mistakes) {
        let expectation = "a list of combinations, such as [{ controller: bbr, profile: wpt-2g }]"
        guard let items = mistakes.items(of: node, expected: expectation) else { return }
        for item in items {
            guard let pairs = mistakes.pairs(of: item, expected: expectation) else { continue }
            let unwanted = pairs.compactMap { pair in
                mistakes.text(of: pair.value, expected: expectation).map { (pair.key.text, $0) }
            }
            let rest = cases.filter { one in
                !unwanted.allSatisfy { name, value in
                    one.values.contains { $0.name == name && $0.value.text == value.text }
                }
            }
            if rest.count == cases.count, unwanted.count == pairs.count {
                mistakes.add(
                    "no case matches this", at: item.place,
                    expected: "names and values from “\(Self.key)”")
            }
            guard !rest.isEmpty else {
                return mistakes.add(
                    "no case is left", at: item.place, expected: "at least one combination")
            }
            cases = rest
        }
    }
}

extension YAMLNode {
    /// Returns the value of a key of a mapping.
    fileprivate func value(of name: String) -> YAMLNode? {
        guard case .mapping(let pairs) = content else { return nil }
        return pairs.first { $0.key.isScalar(name) }?.value
    }

    fileprivate func filled(
        _ settings: [Matrix.Setting], used: inout Set<String>, mistakes: inout Mistakes
    ) -> YAMLNode {
        switch content {
        case .unreadable: return self
        case .sequence(let items):
            let filled = items.map { $0.filled(settings, used: &used, mistakes: &mistakes) }
            return YAMLNode(place: place, content: .sequence(filled))
        case .mapping(let pairs):
            let filled = pairs.map { pair in
                Pair(
                    key: pair.key.filled(settings, used: &used, mistakes: &mistakes),
                    value: pair.value.filled(settings, used: &used, mistakes: &mistakes))
            }
            return YAMLNode(place: place, content: .mapping(filled))
        case .scalar(let text, let style):
            guard text.contains("${") else { return self }
            return filled(text, style, settings, used: &used, mistakes: &mistakes)
        }
    }

    private func filled(
        _ text: String, _ style: Style, _ settings: [Matrix.Setting], used: inout Set<String>,
        mistakes: inout Mistakes
    ) -> YAMLNode {
        var rest = text[...]
        var result = ""
        while let opening = rest.firstRange(of: "${") {
            result += rest[..<opening.lowerBound]
            rest = rest[opening.upperBound...]
            let name = String(rest.prefix { $0 != "}" })
            guard let setting = settings.first(where: { $0.name == name }) else {
                let nearest = Spelling.nearest(to: name, among: settings.map(\.name))
                mistakes.add(
                    "there are no values for “\(name)”", at: place,
                    expected: "a name under “\(Matrix.key)”",
                    suggestion: nearest.map { "“${\($0)}”" })
                return YAMLNode(place: place, content: .unreadable)
            }
            used.insert(name)
            // A value on its own carries its own place for messages.
            if text == "${\(name)}" {
                return YAMLNode(
                    place: setting.value.place, content: .scalar(setting.value.text, .plain))
            }
            result += setting.value.text
            rest = rest.dropFirst(name.count + 1)
        }
        return YAMLNode(place: place, content: .scalar(result + rest, style))
    }
}
