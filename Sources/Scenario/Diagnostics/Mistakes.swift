/// Gathers what is wrong with one file, so that all of it can be said in one go.
struct Mistakes {
    let source: SourceText
    private var found: [Diagnostic] = []

    init(in source: SourceText) { self.source = source }

    mutating func add(
        _ message: String, at place: Place, expected: String? = nil, suggestion: String? = nil
    ) {
        let place = source.inside(place)
        found.append(
            Diagnostic(
                file: source.path, line: place.line, column: place.column, message: message,
                expected: expected, suggestion: suggestion, sourceLine: source.line(place.line)))
    }

    mutating func add(_ error: YAMLSyntaxError) {
        add(error.message, at: source.within(error.place), expected: error.expected)
    }

    var isEmpty: Bool { found.isEmpty }

    /// How many there are so far: whether reading something has added one.
    var count: Int { found.count }

    /// The mistakes in the order of the file; those at one place in the order they were found.
    var error: ScenarioError {
        let order = found.enumerated().sorted {
            ($0.element.line, $0.element.column, $0.offset)
                < ($1.element.line, $1.element.column, $1.offset)
        }
        return ScenarioError(diagnostics: order.map(\.element))
    }
}
