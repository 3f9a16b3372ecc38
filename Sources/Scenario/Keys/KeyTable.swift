/// The keys of one kind of mapping. A new key of the language is an entry with the shape of its
/// value, a line about it, and a reading function.
struct KeyTable<Draft>: Sendable {
    typealias Read = @Sendable (YAMLNode, inout Draft, inout Mistakes) -> Void

    struct Key: Sendable {
        let name: String
        /// The shape of the value, for editors.
        let shape: Shape
        /// The purpose, in a line without capital and full stop.
        let about: String
        let need: Need
        /// A good value, for messages about a missing key and for the language page.
        let example: String?
        let read: Read
    }

    enum Need {
        case never
        case always
        /// Required, unless something else such as a profile supplies the value.
        case unlessGiven
    }

    /// The table with its article, such as “a scenario”.
    let name: String
    /// The keys in the order of reading: a key may rely on the keys before it.
    let keys: [Key]

    /// Reads a mapping; `given` keys come from elsewhere and may be missing.
    func read(
        _ node: YAMLNode, into draft: inout Draft, mistakes: inout Mistakes, given: [String] = []
    ) {
        let names = keys.map(\.name)
        guard
            let pairs = mistakes.pairs(of: node, expected: "the keys of \(name): \(names.list)")
        else { return }
        // A misspelt key is read as the intended one, or everything that refers to it would look
        // wrong.
        var meant: [String: YAMLNode] = [:]
        for pair in pairs where !names.contains(pair.key.text) {
            if let name = refuse(pair.key, among: names, mistakes: &mistakes) {
                meant[name] = meant[name] ?? pair.value
            }
        }
        for key in keys {
            if let pair = pairs.first(where: { $0.key.text == key.name }) {
                key.read(pair.value, &draft, &mistakes)
            } else if let value = meant[key.name] {
                key.read(value, &draft, &mistakes)
            } else if key.need != .never, let example = key.example, !given.contains(key.name) {
                mistakes.add(
                    "\(name) needs the key “\(key.name)”", at: node.place,
                    expected: "for instance “\(key.name): \(example)”")
            }
        }
    }

    /// Reports an unknown key; returns the intended one, if it can be guessed.
    private func refuse(
        _ key: PlacedText, among names: [String], mistakes: inout Mistakes
    ) -> String? {
        // `{rate:1 Mbit/s}` is a key without a value to YAML, and no error.
        let beforeColon = key.text.prefix { $0 != ":" }
        if beforeColon.count < key.text.count, names.contains(String(beforeColon)) {
            mistakes.add(
                "“\(key.text)” is one word to YAML", at: key.place,
                expected: "a space after the colon of “\(beforeColon):”")
            return nil
        }
        let nearest = Spelling.nearest(to: key.text, among: names)
        mistakes.add(
            "\(name) has no key “\(key.text)”", at: key.place,
            expected: "one of \(names.list)", suggestion: nearest.map { "“\($0)”" })
        return nearest
    }
}

extension KeyTable.Key {
    static func required(
        _ name: String, _ shape: Shape, _ about: String, example: String,
        read: @escaping KeyTable.Read
    ) -> Self {
        Self(
            name: name, shape: shape, about: about, need: .always, example: example, read: read)
    }

    static func unlessGiven(
        _ name: String, _ shape: Shape, _ about: String, example: String,
        read: @escaping KeyTable.Read
    ) -> Self {
        Self(
            name: name, shape: shape, about: about, need: .unlessGiven, example: example,
            read: read)
    }

    static func optional(
        _ name: String, _ shape: Shape, _ about: String, example: String? = nil,
        read: @escaping KeyTable.Read
    ) -> Self {
        Self(name: name, shape: shape, about: about, need: .never, example: example, read: read)
    }
}

extension [String] {
    /// The words as `a, b, c`.
    var list: String { joined(separator: ", ") }
}
