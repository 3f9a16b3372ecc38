/// The keys that one kind of mapping may have. A new key of the language is one more entry, with
/// the shape of its value and a line about it, and one reading function.
struct KeyTable<Draft>: Sendable {
    typealias Read = @Sendable (YAMLNode, inout Draft, inout Mistakes) -> Void

    struct Key: Sendable {
        let name: String
        /// What its value looks like, for editors.
        let shape: Shape
        /// What it is for, in a line that needs no capital and no full stop.
        let about: String
        let need: Need
        /// What a good one looks like: for whoever left it out, and on the page about the language.
        let example: String?
        let read: Read
    }

    enum Need {
        case never
        case always
        /// Unless something else, such as a profile, stands for it.
        case unlessGiven
    }

    /// “a scenario”, with the article.
    let name: String
    /// In the order of reading: a key may rely on what the keys before it have put into the draft.
    let keys: [Key]

    /// Keys that are `given` from elsewhere need not be there.
    func read(
        _ node: YAMLNode, into draft: inout Draft, mistakes: inout Mistakes, given: [String] = []
    ) {
        let names = keys.map(\.name)
        guard
            let pairs = mistakes.pairs(of: node, expected: "the keys of \(name): \(names.list)")
        else { return }
        // What somebody slipped at is read as what it was meant to be, or all that speaks of it
        // would look wrong, too.
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

    /// The answer is the key that was probably meant.
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
    /// `a, b, c`, for people.
    var list: String { joined(separator: ", ") }
}
