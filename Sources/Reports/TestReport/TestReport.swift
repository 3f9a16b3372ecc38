/// The results of a command as build servers show them: test cases in suites.
package struct TestReport: Hashable, Sendable {
    /// The command's name, such as `run`.
    package var command: String
    package var cases: [TestCase]

    package init(of command: String, _ cases: [TestCase]) {
        self.command = command
        self.cases = cases
    }

    /// The cases that have failed, and why.
    var failures: [(test: TestCase, failure: TestFailure)] {
        cases.compactMap { test in test.outcome.failure.map { (test, $0) } }
    }
}

package struct TestCase: Hashable, Sendable {
    /// The suite from the outside in, such as `simulated`, `Scenarios`, `queue`.
    package var suite: [String]
    package var name: String
    /// The beginning of the scenario's file; `nil` if the case is not about one file.
    package var place: SourcePlace?
    package var seconds = 0.0
    package var outcome = Outcome.passed
    /// The words of its scenario for `--filter`.
    package var tags: [String] = []
    /// What is worth knowing whatever the outcome is.
    package var output: [String] = []
    /// Paths of files, relative to the workspace.
    package var attachments: [String] = []

    package enum Outcome: Hashable, Sendable {
        case passed
        case skipped(because: String)
        case failed(TestFailure)
        /// The case came to no verdict.
        case broke(TestFailure)

        var failure: TestFailure? {
            switch self {
            case .passed, .skipped: nil
            case .failed(let failure), .broke(let failure): failure
            }
        }
    }

    package init(suite: [String], name: String, place: SourcePlace? = nil) {
        self.suite = suite
        self.name = name
        self.place = place
    }

    /// Makes a case about a scenario. Its suite is the scenario's folder, below the `kind` of run.
    init(_ kind: String, of path: String, name: String, in workspace: Workspace) {
        let place = SourcePlace(file: workspace.path(path))
        let folders = place.file.split(separator: "/").dropLast().map(String.init)
        self.init(
            suite: [kind] + (folders.isEmpty ? ["scenarios"] : folders), name: name, place: place)
    }

    /// The place of the failure, or else of the case.
    func place(of failure: TestFailure) -> SourcePlace? { failure.place ?? place }
}

/// Why a test case failed.
package struct TestFailure: Hashable, Sendable {
    /// The failed rule, or another word for the kind of failure.
    package var kind: String
    /// The cause in one line.
    package var message: String
    package var details = ""
    /// The failed expectation, if there is one.
    package var place: SourcePlace?
    /// The command that shows the failure again.
    package var command: String?

    package init(
        _ kind: String, _ message: String, details: String = "", at place: SourcePlace? = nil,
        command: String? = nil
    ) {
        self.kind = kind
        self.message = message
        self.details = details
        self.place = place
        self.command = command
    }

    /// Tells of the first failed rule in the message, and of all in the details.
    init(
        _ judgement: Judgement, _ breaches: [RuleBreach], command: String, in workspace: Workspace
    ) {
        let first = breaches.first
        self.init(
            first.map { $0.place == nil ? $0.rule : "expectation" } ?? "judgement",
            first?.inOneLine ?? judgement.sentence,
            details: breaches.map(\.block).joined(separator: "\n"),
            at: breaches.lazy.compactMap(\.place).compactMap(SourcePlace.init).first
                .map(workspace.place),
            command: command)
    }
}

extension RuleBreach {
    /// The cause in one line.
    var inOneLine: String {
        "\(title): expected \(expected); seen \(seen); at \(occasion)"
    }

    /// The cause in several lines.
    fileprivate var block: String {
        """
        \(title)
          expected  \(expected)
          seen      \(seen)
          at        \(occasion)
        \((because ?? []).map { "  why       \($0)\n" }.joined())
        """
    }
}
