/// The words of the language: the keys of each table, the sentences of each book, and the words
/// from which a value is chosen.
package enum Vocabulary {
    /// All words, in the order of the language page.
    package static var all: [String] { list.words }

    fileprivate static let list: WordList = {
        var list = WordList()
        list.add(ScenarioReader.keys.shape, of: "")
        return list
    }()

    /// Returns the words that a scenario's text uses; a text with mistakes uses those before them.
    package static func words(in text: String, path: String) -> Set<String> {
        let mistakes = Mistakes(in: SourceText(Array(text.utf8), path: path))
        guard let root = mistakes.tree() else { return [] }
        var used = UsedWords()
        used.add(root, as: ScenarioReader.keys.shape, of: "")
        return used.words
    }

    fileprivate static func word(_ word: String, of title: String) -> String { "\(title): \(word)" }
}

/// Walks through the forms of the language; tables may contain themselves.
private struct WordList {
    private(set) var words: [String] = []
    /// The sentences of each book.
    private(set) var books: [String: [Pattern]] = [:]
    private var known: Set<String> = []

    mutating func add(_ shape: Shape, of title: String) {
        switch shape {
        case .table(let name, let keys):
            for key in keys where note(Vocabulary.word(key.name, of: name)) {
                add(key.shape, of: key.name)
            }
        case .sentences(let name, let sentences):
            for sentence in sentences { _ = note(Vocabulary.word(sentence.pattern, of: name)) }
            books[name] = sentences.map { Pattern($0.pattern) }
        case .words(let choices):
            for choice in choices { _ = note(Vocabulary.word(choice, of: title)) }
        case .onOff: for choice in ["on", "off"] { _ = note(Vocabulary.word(choice, of: title)) }
        case .list(let item): add(item, of: title)
        case .mapping(let key, let value), .pair(let key, let value):
            add(key, of: title)
            add(value, of: title)
        case .either(let shapes): for shape in shapes { add(shape, of: title) }
        case .text, .matching, .quantity, .percentage, .number, .decimal: break
        }
    }

    private mutating func note(_ word: String) -> Bool {
        guard known.insert(word).inserted else { return false }
        words.append(word)
        return true
    }
}

/// Walks through a file and the forms of the language side by side.
private struct UsedWords {
    private(set) var words: Set<String> = []

    mutating func add(_ node: YAMLNode, as shape: Shape, of title: String) {
        switch (shape, node.content) {
        case (.table(let name, let keys), .mapping(let pairs)):
            for pair in pairs {
                guard let key = keys.first(where: { pair.key.isScalar($0.name) }) else { continue }
                words.insert(Vocabulary.word(key.name, of: name))
                add(pair.value, as: key.shape, of: key.name)
            }
        case (.sentences(let name, _), .scalar(let text, _)):
            let spoken = PlacedText(text: text, place: node.place, mistakes: node.mistakes).words
            let book = Vocabulary.list.books[name] ?? []
            if let found = Pattern.first(of: book, in: spoken, strictly: true) {
                words.insert(Vocabulary.word(book[found.index].text, of: name))
            }
        case (.words(let choices), .scalar(let text, _)) where choices.contains(text):
            words.insert(Vocabulary.word(text, of: title))
        case (.onOff, .scalar(let text, _)): words.insert(Vocabulary.word(text, of: title))
        case (.list(let item), .sequence(let nodes)):
            for node in nodes { add(node, as: item, of: title) }
        case (.mapping(let key, let value), .mapping(let pairs)),
            (.pair(let key, let value), .mapping(let pairs)):
            for pair in pairs {
                add(pair.key, as: key, of: title)
                add(pair.value, as: value, of: title)
            }
        case (.either(let shapes), _): for shape in shapes { add(node, as: shape, of: title) }
        default: break
        }
    }
}
