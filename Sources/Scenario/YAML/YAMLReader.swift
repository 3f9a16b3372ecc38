/// Builds the tree of a document, and refuses YAML that a scenario should not contain.
///
/// libyaml stops at its first error, so a syntax error is the last report about a file. Duplicate
/// keys, aliases and tags are reported and skipped.
struct YAMLReader: ~Copyable {
    private var events: YAMLEventStream
    private let mistakes: Mistakes
    private var nodes = 0

    /// No scenario nests deeper, and the tree is walked recursively.
    private static let deepestNesting = 32
    /// Far more than anybody writes by hand; it limits the searches for duplicates and spellings.
    private static let mostNodes = 10_000

    /// Begins a document; `file` is its number among the sources.
    init(file: Int = 0, _ mistakes: Mistakes) {
        events = YAMLEventStream(mistakes.sources[file].text, file: file)
        self.mistakes = mistakes
    }

    /// Reads the document; `nil` if there is none to continue with.
    mutating func read() -> YAMLNode? {
        do throws(YAMLSyntaxError) {
            return try document()
        } catch {
            mistakes.add(error)
            return nil
        }
    }

    private mutating func document() throws(YAMLSyntaxError) -> YAMLNode? {
        var root: YAMLNode?
        while true {
            let event = try events.next()
            switch event.kind {
            case .streamStart, .documentEnd: continue
            case .streamEnd:
                if root == nil { throw YAMLSyntaxError(emptyFile: event.place) }
                return root
            case .documentStart where root == nil:
                let first = try events.next()
                root = try node(first, depth: 1)
            default:
                mistakes.add(
                    "a second document begins here", at: event.place,
                    expected: "one scenario per file: remove the “---” and everything after it")
                return root
            }
        }
    }

    private mutating func node(_ event: YAMLEvent, depth: Int) throws(YAMLSyntaxError) -> YAMLNode {
        guard depth <= Self.deepestNesting else {
            throw YAMLSyntaxError(
                "nested too deeply", at: event.place,
                expected: "at most \(Self.deepestNesting) levels")
        }
        nodes += 1
        guard nodes <= Self.mostNodes else {
            throw YAMLSyntaxError(
                "too much for one scenario", at: event.place,
                expected: "at most \(Self.mostNodes) keys and values")
        }
        let content: YAMLNode.Content
        switch event.kind {
        case .scalar(let text, let style, let mark):
            refuse(mark, at: event.place)
            content = scalar(text, style, at: event.place)
        case .sequenceStart(let mark):
            refuse(mark, at: event.place)
            content = .sequence(try items(depth: depth))
        case .mappingStart(let mark):
            refuse(mark, at: event.place)
            content = .mapping(try pairs(depth: depth))
        case .alias(let name):
            mistakes.add(
                "“*\(name)” is an alias in YAML", at: event.place,
                expected: "no aliases: write the value out, or put it in quotes: \"*\(name)\"")
            content = .unreadable
        case .streamStart, .streamEnd, .documentStart, .documentEnd, .sequenceEnd, .mappingEnd:
            preconditionFailure("libyaml gave \(event.kind) where a node begins")
        }
        return YAMLNode(place: event.place, content: content, mistakes: mistakes)
    }

    private mutating func items(depth: Int) throws(YAMLSyntaxError) -> [YAMLNode] {
        var items: [YAMLNode] = []
        while true {
            let event = try events.next()
            if case .sequenceEnd = event.kind { return items }
            items.append(try node(event, depth: depth + 1))
        }
    }

    private mutating func pairs(depth: Int) throws(YAMLSyntaxError) -> [YAMLNode.Pair] {
        var pairs: [YAMLNode.Pair] = []
        var lines: [String: Int] = [:]
        while true {
            let event = try events.next()
            if case .mappingEnd = event.kind { return pairs }
            let key = try node(event, depth: depth + 1)
            let next = try events.next()
            let value = try node(next, depth: depth + 1)
            guard case .scalar(let name, _) = key.content else {
                pairs.append(YAMLNode.Pair(key: unreadable(key), value: value))
                continue
            }
            if let line = lines[name] {
                key.refuse(
                    "the key “\(name)” is given twice",
                    expected: "each key once; the first is at line \(line)")
                continue
            }
            lines[name] = key.place.line
            pairs.append(YAMLNode.Pair(key: key, value: value))
        }
    }

    /// Keeps a key that is no word, so that its mapping does not look empty.
    private func unreadable(_ key: YAMLNode) -> YAMLNode {
        switch key.content {
        case .scalar, .unreadable: break
        case .sequence, .mapping:
            key.refuse("\(key.kind) as a key", expected: "a word as the key")
        }
        return key.holding(.unreadable)
    }

    /// Reads a scalar. Escapes in double quotes could hide what `SourceText` refuses.
    private func scalar(
        _ text: String, _ style: YAMLNode.Style, at place: Place
    ) -> YAMLNode.Content {
        guard let hidden = text.unicodeScalars.first(where: { !$0.isReadable && $0 != "\n" })
        else { return .scalar(text, style) }
        mistakes.add(
            "the control character \(hidden.codePoint) in quotes", at: place,
            expected: "printable text")
        return .unreadable
    }

    private func refuse(_ mark: YAMLEvent.Mark, at place: Place) {
        if let anchor = mark.anchor {
            mistakes.add(
                "“&\(anchor)” is an anchor in YAML", at: place,
                expected: "no anchors: write out the value, or put it in quotes")
        }
        if let tag = mark.tag {
            mistakes.add(
                "“\(tag.shortTag)” is a type tag in YAML", at: place,
                expected: "no tags: a value that begins with “!” is put in quotes")
        }
    }
}

extension YAMLSyntaxError {
    fileprivate init(emptyFile place: Place) {
        self.init("the file is empty", at: place, expected: "keys and their values")
    }
}

extension String {
    /// The tag in its short form; libyaml writes `!!map` in full.
    fileprivate var shortTag: String {
        let standard = "tag:yaml.org,2002:"
        return hasPrefix(standard) ? "!!" + dropFirst(standard.count) : self
    }
}
