/// The keys of one kind of mapping. A new key of the language is an entry with the shape of its
/// value, a line about it, and a reading function.
struct KeyTable<Draft>: Sendable {
    typealias Read = @Sendable (YAMLNode, inout Draft) -> Void

    struct Key: Sendable {
        let form: Shape.Key
        let read: Read

        static func required(
            _ name: String, _ shape: Shape, _ about: String, example: String, read: @escaping Read
        ) -> Self {
            Self(form: .init(name, shape, about, example, .always), read: read)
        }

        static func unlessGiven(
            _ name: String, _ shape: Shape, _ about: String, example: String, read: @escaping Read
        ) -> Self {
            Self(form: .init(name, shape, about, example, .unlessGiven), read: read)
        }

        static func optional(
            _ name: String, _ shape: Shape, _ about: String, example: String? = nil,
            read: @escaping Read
        ) -> Self {
            Self(form: .init(name, shape, about, example, .never), read: read)
        }

        /// Makes a key that sets a property, which stays as it is after a report.
        static func required<Value>(
            _ name: String, _ shape: Shape, _ about: String, example: String,
            _ property: any WritableKeyPath<Draft, Value> & Sendable,
            read: @escaping @Sendable (YAMLNode) -> Value?
        ) -> Self {
            required(name, shape, about, example: example) { node, draft in
                if let value = read(node) { draft[keyPath: property] = value }
            }
        }

        static func optional<Value>(
            _ name: String, _ shape: Shape, _ about: String, example: String? = nil,
            _ property: any WritableKeyPath<Draft, Value> & Sendable,
            read: @escaping @Sendable (YAMLNode) -> Value?
        ) -> Self {
            optional(name, shape, about, example: example) { node, draft in
                if let value = read(node) { draft[keyPath: property] = value }
            }
        }

        static func yesOrNo(
            _ name: String, _ about: String, _ flag: any WritableKeyPath<Draft, Bool> & Sendable
        ) -> Self {
            optional(name, YesOrNo.shape, about, flag) { $0.yesOrNo() }
        }

        static func onOff(
            _ name: String, _ about: String, _ flag: any WritableKeyPath<Draft, Bool> & Sendable
        ) -> Self {
            optional(name, .onOff, about, flag) { $0.isOn() }
        }

        static func choice<Value: RawRepresentable<String> & CaseIterable & SendableMetatype>(
            _ name: String, _ about: String, complaint: String,
            _ property: any WritableKeyPath<Draft, Value> & Sendable
        ) -> Self {
            optional(name, .choice(of: Value.self), about, property) {
                $0.choice(complaint: complaint)
            }
        }
    }

    /// Returns the keys as keys of a larger draft that contains the own draft.
    static func keys<Whole>(
        _ keys: [Key], of part: any WritableKeyPath<Whole, Draft> & Sendable
    ) -> [KeyTable<Whole>.Key] {
        keys.map { key in
            .init(form: key.form) { node, whole in key.read(node, &whole[keyPath: part]) }
        }
    }

    /// The table with its article, such as “a scenario”.
    let name: String
    /// The keys in the order of reading: a key may rely on the keys before it.
    let keys: [Key]

    var shape: Shape { .table(name, keys.map(\.form)) }

    /// Reads a mapping; `given` keys come from elsewhere and may be missing.
    func read(_ node: YAMLNode, into draft: inout Draft, given: [String] = []) {
        let values = node.values(of: keys.map(\.form), of: name, given: given)
        for (key, value) in zip(keys, values) {
            if let value { key.read(value, &draft) }
        }
    }
}

extension YAMLNode {
    /// Returns the values of a table's keys in a mapping, and reports unknown and missing keys.
    fileprivate func values(
        of keys: [Shape.Key], of table: String, given: [String]
    ) -> [YAMLNode?] {
        let names = keys.map(\.name)
        guard let pairs = pairs(expected: "the keys of \(table): \(names.list)") else { return [] }
        // A misspelt key is read as the intended one, or everything that refers to it would look
        // wrong.
        var meant: [String: YAMLNode] = [:]
        for (key, value) in pairs where !names.contains(key.text) {
            if let name = key.refused(among: names, of: table) {
                meant[name] = meant[name] ?? value
            }
        }
        return keys.map { key in
            let value = pairs.first { $0.key.text == key.name }?.value ?? meant[key.name]
            guard value == nil, key.need != .never, let example = key.example,
                !given.contains(key.name)
            else { return value }
            return refuse(
                "\(table) needs the key “\(key.name)”",
                expected: "for instance “\(key.name): \(example)”")
        }
    }
}

extension PlacedText {
    /// Reports an unknown key; returns the intended one, if it can be guessed.
    fileprivate func refused(among names: [String], of table: String) -> String? {
        // `{rate:1 Mbit/s}` is a key without a value to YAML, and no error.
        let beforeColon = text.prefix { $0 != ":" }
        if beforeColon.count < text.count, names.contains(String(beforeColon)) {
            return refuse(
                "“\(text)” is one word to YAML",
                expected: "a space after the colon of “\(beforeColon):”")
        }
        let nearest = Spelling.nearest(to: text, among: names)
        refuse(
            "\(table) has no key “\(text)”", expected: "one of \(names.list)",
            suggestion: nearest.map { "“\($0)”" })
        return nearest
    }
}

extension [String] {
    /// The words as `a, b, c`.
    var list: String { joined(separator: ", ") }
}
