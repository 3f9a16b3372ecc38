/// All tables of the language as Markdown: keys, sentences, and statements.
struct LanguageTables {
    /// Every table and book, in the order in which a reader meets them.
    private(set) var names: [String] = []
    private let placed: Set<String>
    private var shapes: [String: Shape] = [:]

    /// Collects the tables; `placed` are those with a place of their own on the page.
    init(of roots: [Shape], placed: [String]) {
        self.placed = Set(placed)
        for root in roots { add(root) }
    }

    /// Books with explained sentences that have no place on a page.
    var namesWithoutPlace: [String] {
        names.filter { name in
            guard !placed.contains(name), case .sentences(_, let sentences)? = shapes[name] else {
                return false
            }
            return sentences.contains { $0.about != nil }
        } + Self.others.keys.sorted().filter { !placed.contains($0) }
    }

    func markdown(of name: String) -> String? {
        switch shapes[name] {
        case .table(let title, let keys)?:
            let head =
                "| Key of \(Self.marked(title)) | Such as | What it is for |\n|---|---|---|\n"
            return head + rows(of: keys, below: "").joined(separator: "\n")
        case .sentences(let title, let sentences)?:
            let head = "| \(title.prefix(1).uppercased() + title.dropFirst()) | What it means |\n"
            return head + "|---|---|\n" + Self.rows(of: sentences).joined(separator: "\n")
        default: return Self.others[name]
        }
    }

    /// Tables that are not tables of keys, by name.
    private static let others = [
        "words in capitals": tableOfHoles, "statements": Statement.markdown,
        "link profiles": ProfileKeys.markdown,
    ]

    // MARK: What there is

    private mutating func add(_ shape: Shape) {
        switch shape {
        case .table(let title, let keys):
            guard addName(title, shape) else { return }
            for key in keys { add(key.shape) }
        case .sentences(let title, _): _ = addName(title, shape)
        case .list(let item): add(item)
        case .mapping(let name, let value), .pair(let name, let value):
            add(name)
            add(value)
        case .either(let shapes): for shape in shapes { add(shape) }
        case .text, .matching, .quantity, .percentage, .number, .decimal, .onOff, .words: break
        }
    }

    private mutating func addName(_ title: String, _ shape: Shape) -> Bool {
        let name = Self.name(title)
        if let known = shapes[name] {
            precondition(known.words == shape.words, "two tables are called “\(name)”")
            return false
        }
        names.append(name)
        shapes[name] = shape
        return true
    }

    /// A title without its quotation marks.
    private static func name(_ title: String) -> String { title.filter { !"“”".contains($0) } }

    // MARK: Keys

    private func rows(of keys: [Shape.Key], below path: String) -> [String] {
        keys.flatMap { key in
            let need = key.isRequired ? " (required)" : ""
            let sample = key.example.map(Self.code) ?? sample(of: key.shape)
            let row =
                "| \(Self.code(path + key.name))\(need) | \(Self.cell(sample)) | "
                + "\(Self.cell(key.about)) |"
            let below = inner(of: key.shape, among: keys, below: "\(path)\(key.name): ")
            return [row] + below
        }
    }

    /// Returns the rows of inner tables without a place of their own; keys that are `around` them
    /// already are not repeated.
    private func inner(
        of shape: Shape, among around: [Shape.Key], below path: String
    ) -> [String] {
        switch shape {
        case .table(let title, let keys):
            placed.contains(Self.name(title)) || Self.repeats(keys, around)
                ? [] : rows(of: keys, below: path)
        case .list(let item): inner(of: item, among: around, below: path)
        case .mapping(_, let value), .pair(_, let value):
            inner(of: value, among: around, below: path)
        case .either(let shapes): inner(of: shapes, among: around, below: path)
        case .text, .matching, .quantity, .percentage, .number, .decimal, .onOff, .words,
            .sentences:
            []
        }
    }

    /// Returns the rows of several shapes; a single value and a list of it have the same.
    private func inner(
        of shapes: [Shape], among around: [Shape.Key], below path: String
    ) -> [String] {
        shapes.map { inner(of: $0, among: around, below: path) }
            .reduce(into: []) { all, rows in if !all.starts(with: rows) { all += rows } }
    }

    private static func repeats(_ keys: [Shape.Key], _ around: [Shape.Key]) -> Bool {
        keys.allSatisfy { key in
            around.contains { $0.name == key.name && $0.about == key.about }
        }
    }

    /// An example of a value.
    private func sample(of shape: Shape) -> String {
        switch shape {
        case .text: "words"
        case .matching(_, let example): Self.code(example)
        case .quantity(let measure): Self.code(measure.example)
        case .percentage: Self.code("2 %")
        case .number: "a whole number"
        case .decimal: "a number"
        case .onOff: "`on`, `off`"
        case .words(let words):
            words.prefix(Self.mostWords).map(Self.code).joined(separator: ", ")
                + (words.count > Self.mostWords ? ", …" : "")
        case .sentences(let title, let sentences):
            placed.contains(Self.name(title))
                ? title : sentences.map { Self.code($0.pattern) }.joined(separator: ", ")
        case .list(let item): "a list: \(sample(of: item))"
        case .mapping(let name, let value): "\(sample(of: name)), each with \(sample(of: value))"
        case .pair(let name, let value): "\(sample(of: name)): \(sample(of: value))"
        case .table(let title, _):
            placed.contains(Self.name(title)) ? "keys of \(Self.marked(title))" : "keys, as below"
        case .either(let shapes):
            shapes.map { shape in
                guard case .list(let item) = shape,
                    shapes.contains(where: { sample(of: $0) == sample(of: item) })
                else { return sample(of: shape) }
                return "a list of these"
            }.joined(separator: ", or ")
        }
    }

    private static let mostWords = 8

    // MARK: Sentences

    /// Returns a row for each meaning, with all sentences that share it.
    private static func rows(of sentences: [Shape.Sentence]) -> [String] {
        var rows: [(patterns: [String], about: String)] = []
        for sentence in sentences {
            if let about = sentence.about, about != rows.last?.about {
                rows.append(([sentence.pattern], about))
            } else if !rows.isEmpty {
                rows[rows.count - 1].patterns.append(sentence.pattern)
            } else {
                rows.append(([sentence.pattern], ""))
            }
        }
        return rows.map { row in
            "| \(row.patterns.map(code).joined(separator: ", ")) | \(cell(row.about)) |"
        }
    }

    // MARK: Holes

    private static var tableOfHoles: String {
        let rows = SentenceForm.holes.map { hole in
            "| \(code(hole.name)) | \(code(hole.example)) | \(cell(hole.about)) |"
        }
        return "| Word | Such as | What it stands for |\n|---|---|---|\n"
            + rows.joined(separator: "\n")
    }

    // MARK: Markdown

    private static func code(_ text: String) -> String { "`\(text)`" }

    /// A title with its key as code.
    private static func marked(_ title: String) -> String {
        title.replacing("“", with: "`").replacing("”", with: "`")
    }

    private static func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("\n", with: " ")
    }
}

extension Shape {
    /// The keys of a table, or the sentences of a book.
    fileprivate var words: [String] {
        switch self {
        case .table(_, let keys): keys.map(\.name)
        case .sentences(_, let sentences): sentences.map(\.pattern)
        default: []
        }
    }
}
