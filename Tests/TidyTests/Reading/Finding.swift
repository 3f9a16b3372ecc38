import Testing

/// A place where a house rule does not hold, and what to do about it.
struct Finding: Hashable, Sendable, CustomStringConvertible {
    var path: String
    var line: Int
    var fault: String
    var remedy: String

    var description: String { "\(path):\(line): \(fault); \(remedy)" }
}

extension [Finding] {
    /// Makes the test fail with every place by itself.
    func expectNone(sourceLocation: SourceLocation = #_sourceLocation) {
        for finding in self {
            Issue.record("\(finding)", sourceLocation: sourceLocation)
        }
    }
}
