/// Gathers what is wrong with a scenario, the files that it includes among them, so that all of it
/// can be said in one go.
struct Mistakes {
    /// The scenario's own file, and then what it includes.
    private(set) var sources: [SourceText]
    /// For each of them, how it came to be read.
    private var trails: [[String]] = [[]]
    private var found: [Diagnostic] = []
    private var order: [Place] = []
    private var known: Set<Diagnostic> = []

    init(in source: SourceText) { sources = [source] }

    /// Another file, which the one with this place includes; its number is in its places.
    mutating func open(_ source: SourceText, includedAt place: Place) -> Int {
        sources.append(source)
        trails.append(["included at \(words(for: place))"] + trails[place.file])
        return sources.count - 1
    }

    mutating func add(
        _ message: String, at place: Place, expected: String? = nil, suggestion: String? = nil
    ) {
        count += 1
        let source = sources[place.file]
        var shown = source.inside(place)
        shown.file = place.file
        let diagnostic = Diagnostic(
            file: source.path, line: shown.line, column: shown.column, message: message,
            expected: expected, suggestion: suggestion, sourceLine: source.line(shown.line),
            trail: trails[place.file])
        // The cases of a matrix have most of a file in common, and its mistakes, too.
        guard known.insert(diagnostic).inserted else { return }
        found.append(diagnostic)
        order.append(shown)
    }

    mutating func add(_ error: YAMLSyntaxError) {
        var place = sources[error.place.file].within(error.place)
        place.file = error.place.file
        add(error.message, at: place, expected: error.expected)
    }

    var isEmpty: Bool { found.isEmpty }

    /// How many there are so far: whether reading something has added one.
    private(set) var count = 0

    func source(at place: Place) -> SourceText { sources[place.file] }

    /// `file:line:column`.
    func words(for place: Place) -> String {
        "\(sources[place.file].path):\(place.line):\(place.column)"
    }

    /// The mistakes in the order of the files; those at one place in the order they were found.
    var error: ScenarioError {
        let sorted = found.indices.sorted { (order[$0], $0) < (order[$1], $1) }
        return ScenarioError(diagnostics: sorted.map { found[$0] })
    }
}
