/// Collects the mistakes of a scenario and its included files, to report them all at once. Keys
/// that name trace files find them here, because every node has its mistakes.
final class Mistakes {
    /// The scenario's own file, then the included ones.
    private(set) var sources: [SourceText]
    /// For each source, how it came to be read.
    private var trails: [[String]] = [[]]
    private var found: [Diagnostic] = []
    private var order: [Place] = []
    private var known: Set<Diagnostic> = []

    let traces: NamedTraces

    init(in source: SourceText, traces: TraceShelf = TraceShelf([])) {
        sources = [source]
        self.traces = NamedTraces(traces)
    }

    /// Reads the tree of a source by its number; `nil` if nothing is readable.
    func tree(file: Int = 0) -> YAMLNode? {
        let known = count
        sources[file].report(to: self, as: file)
        guard count == known else { return nil }
        var reader = YAMLReader(file: file, self)
        return reader.read()
    }

    /// Adds a file that is included at this place; returns its number for its places.
    func open(_ source: SourceText, includedAt place: Place) -> Int {
        sources.append(source)
        trails.append(["included at \(words(for: place))"] + trails[place.file])
        return sources.count - 1
    }

    func add(
        _ message: String, at place: Place, expected: String? = nil, suggestion: String? = nil
    ) {
        count += 1
        let source = sources[place.file]
        var shown = source.inside(place)
        shown.file = place.file
        var diagnostic = Diagnostic(
            file: source.path, line: shown.line, column: shown.column, message: message)
        diagnostic.expected = expected
        diagnostic.suggestion = suggestion
        diagnostic.sourceLine = source.line(shown.line)
        diagnostic.trail = trails[place.file]
        add(diagnostic, at: shown)
    }

    /// Adds a mistake in another file, which is named at this place.
    func add(_ diagnostic: Diagnostic, namedAt place: Place) {
        count += 1
        var diagnostic = diagnostic
        diagnostic.trail = ["named at \(words(for: place))"] + trails[place.file]
        add(diagnostic, at: place)
    }

    private func add(_ diagnostic: Diagnostic, at place: Place) {
        // The cases of a matrix share most of a file, including its mistakes.
        guard known.insert(diagnostic).inserted else { return }
        found.append(diagnostic)
        order.append(place)
    }

    func add(_ error: YAMLSyntaxError) {
        var place = sources[error.place.file].within(error.place)
        place.file = error.place.file
        add(error.message, at: place, expected: error.expected)
    }

    var isEmpty: Bool { found.isEmpty }

    /// The number of mistakes so far, to see whether a reading added one.
    private(set) var count = 0

    /// The place as `file:line:column`.
    func words(for place: Place) -> String {
        "\(sources[place.file].path):\(place.line):\(place.column)"
    }

    /// All mistakes in the order of the files, and of discovery within a place.
    var error: ScenarioError {
        let sorted = found.indices.sorted { (order[$0], $0) < (order[$1], $1) }
        return ScenarioError(diagnostics: sorted.map { found[$0] })
    }
}
