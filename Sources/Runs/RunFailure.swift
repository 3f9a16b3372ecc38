import Reports
package import Scenario

/// The reason why something could not be run at all: exit code 2, with what to do about it; or why
/// a run has no verdict although it began.
package struct RunFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Everything that is wrong.
    package let complaints: [Complaint]

    /// The trap that ended the run; `nil` if it could not be run.
    package private(set) var trap: RunTrap?

    package enum Complaint: Hashable, Sendable, CustomStringConvertible {
        case plain(String)
        /// A mistake at a place of a file.
        case mistake(Diagnostic)

        package var description: String {
            switch self {
            case .plain(let words): words
            case .mistake(let diagnostic): diagnostic.description
            }
        }
    }

    package init(_ description: String) { complaints = [.plain(description)] }

    init(_ trap: RunTrap) {
        self.init(trap.sentence)
        self.trap = trap
    }

    /// The mistakes of a file; `introduction` says first why it was read.
    init(_ mistakes: [Diagnostic], introduction: String? = nil) {
        complaints = (introduction.map { [.plain($0)] } ?? []) + mistakes.map { .mistake($0) }
    }

    /// A mistake in a line of a file.
    init(at file: String, line: Int, column: Int = 1, _ message: String) {
        self.init([Diagnostic(file: file, line: line, column: column, message: message)])
    }

    /// A mistake in a JSON file; `problem` says what the file fails to be: `is not a run`.
    init(_ mistake: JSONMistake, in file: String, _ problem: String, remedy: String? = nil) {
        let words = "\(problem): \(mistake.reason)" + (remedy.map { "; \($0)" } ?? "")
        guard let place = mistake.place else {
            self.init("\(file) \(words)")
            return
        }
        self.init(at: file, line: place.line, column: place.column, "the file \(words)")
    }

    /// Several failures at once.
    init(all failures: [RunFailure]) { complaints = failures.flatMap(\.complaints) }

    package var description: String { complaints.map(\.description).joined(separator: "\n\n") }

    /// Does something with files of the scenario language; their mistakes become a failure.
    static func explaining<Value>(
        _ work: () throws(ScenarioError) -> Value
    ) throws(RunFailure) -> Value {
        do { return try work() } catch { throw RunFailure(error.diagnostics) }
    }
}

extension Spelling {
    /// Asks whether the nearest known word was meant; empty if no word is near.
    package static func question(about word: String, among known: [String]) -> String {
        nearest(to: word, among: known).map { ", did you mean “\($0)”?" } ?? ""
    }
}
