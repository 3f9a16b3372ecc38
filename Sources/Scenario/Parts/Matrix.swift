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

    struct Setting {
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
    init(of root: YAMLNode) {
        cases = [Case()]
        guard let node = root[Self.key] else {
            names = []
            if let node = root[Self.exclusionKey] {
                node.refuse(
                    "there is nothing to leave out",
                    expected: "“\(Self.key)” beside “\(Self.exclusionKey)”")
            }
            return
        }
        let pairs = node.pairs(expected: Self.expectation) ?? []
        names = pairs.map(\.key.text)
        var count = 1
        for (name, value) in pairs {
            let values = Self.values(name, value)
            count *= max(1, values.count)
            guard count <= Self.most else {
                name.refuse(
                    "more than \(Self.most) combinations",
                    expected: "fewer values; use seeds for random variation")
                return
            }
            let settings = values.map { Setting(name: name.text, value: $0) }
            cases = cases.flatMap { one in settings.map { Case(values: one.values + [$0]) } }
        }
        if let node = root[Self.exclusionKey] { exclude(node) }
    }

    // MARK: Filling in

    /// Returns the tree of one case.
    func filled(_ root: YAMLNode, for one: Case) -> YAMLNode {
        guard case .mapping(let pairs) = root.content else { return root }
        let rest = pairs.filter { pair in
            ![Self.key, Self.exclusionKey].contains { pair.key.isScalar($0) }
        }
        var used: Set<String> = []
        let known = root.mistakes.count
        let tree = root.holding(.mapping(rest)).filled(one.values, used: &used)
        for name in names where !used.contains(name) && root.mistakes.count == known {
            (root[Self.key] ?? root).refuse(
                "“\(name)” is not used anywhere",
                expected: "${\(name)} somewhere; without it all cases are the same")
        }
        return tree
    }

    // MARK: Reading

    private static func values(_ name: PlacedText, _ node: YAMLNode) -> [PlacedText] {
        if !name.isPlainName {
            name.refuse(
                "“\(name.text)” is not a name for values",
                expected: "lower-case letters, digits and hyphens")
        }
        let items = node.items(orElse: "a list without a value", expected: expectation)
        var values: [PlacedText] = []
        for item in items ?? [] {
            guard let words = item.text(expected: expectation) else { continue }
            if words.text.contains(where: { ",=$".contains($0) }) {
                words.refuse(
                    "“\(words.text)” cannot be a value of a case",
                    expected: "words without “,”, “=” and “$”")
            } else if values.contains(where: { $0.text == words.text }) {
                words.refuse("the value “\(words.text)” is given twice", expected: "each once")
            } else {
                values.append(words)
            }
        }
        return values
    }

    private mutating func exclude(_ node: YAMLNode) {
        let expectation = "a list of combinations, such as [{ controller: bbr, profile: wpt-2g }]"
        guard let items = node.items(expected: expectation) else { return }
        for item in items {
            guard let pairs = item.pairs(expected: expectation) else { continue }
            let unwanted = pairs.compactMap { pair in
                pair.value.text(expected: expectation).map { (pair.key.text, $0) }
            }
            let rest = cases.filter { one in
                !unwanted.allSatisfy { name, value in
                    one.values.contains { $0.name == name && $0.value.text == value.text }
                }
            }
            if rest.count == cases.count, unwanted.count == pairs.count {
                item.refuse("no case matches this", expected: "names and values from “\(Self.key)”")
            }
            guard !rest.isEmpty else {
                return item.refuse("no case is left", expected: "at least one combination")
            }
            cases = rest
        }
    }
}

extension YAMLNode {
    fileprivate func filled(_ settings: [Matrix.Setting], used: inout Set<String>) -> YAMLNode {
        switch content {
        case .unreadable: return self
        case .sequence(let items):
            return holding(.sequence(items.map { $0.filled(settings, used: &used) }))
        case .mapping(let pairs):
            let filled = pairs.map { pair in
                Pair(
                    key: pair.key.filled(settings, used: &used),
                    value: pair.value.filled(settings, used: &used))
            }
            return holding(.mapping(filled))
        case .scalar(let text, let style):
            guard text.contains("${") else { return self }
            return filled(text, style, settings, used: &used)
        }
    }

    private func filled(
        _ text: String, _ style: Style, _ settings: [Matrix.Setting], used: inout Set<String>
    ) -> YAMLNode {
        var rest = text[...]
        var result = ""
        while let opening = rest.firstRange(of: "${") {
            result += rest[..<opening.lowerBound]
            rest = rest[opening.upperBound...]
            let name = String(rest.prefix { $0 != "}" })
            guard let setting = settings.first(where: { $0.name == name }) else {
                let nearest = Spelling.nearest(to: name, among: settings.map(\.name))
                refuse(
                    "there are no values for “\(name)”",
                    expected: "a name under “\(Matrix.key)”",
                    suggestion: nearest.map { "“${\($0)}”" })
                return holding(.unreadable)
            }
            used.insert(name)
            // A value on its own carries its own place for messages.
            if text == "${\(name)}" {
                let value = setting.value
                return YAMLNode(
                    place: value.place, content: .scalar(value.text, .plain), mistakes: mistakes)
            }
            result += setting.value.text
            rest = rest.dropFirst(name.count + 1)
        }
        return holding(.scalar(result + rest, style))
    }
}
