import Foundation
import Reports
import Runs
import Scenario

/// Standard output and error for people; progress only on a terminal, and colour there or on
/// request.
struct Terminal {
    let isInteractive = isatty(STDERR_FILENO) == 1 && Terminal.isDumb == false
    let hasColour = Terminal.wantsColour

    private static let environment = ProcessInfo.processInfo.environment

    private static var isDumb: Bool { environment["TERM"] == "dumb" }

    /// Whether output has colours, by no-color.org and force-color.org; who refuses them wins.
    private static var wantsColour: Bool {
        if !environment["NO_COLOR", default: ""].isEmpty { return false }
        if !environment["FORCE_COLOR", default: ""].isEmpty { return true }
        return isatty(STDOUT_FILENO) == 1 && !isDumb
    }

    // MARK: Results

    /// The width of the terminal; `nil` if results go elsewhere.
    let width = Terminal.width(of: STDOUT_FILENO)

    /// Prints text. On a terminal, lines that are too long are folded between words.
    static func say(_ text: String) { print(folded(text, for: STDOUT_FILENO)) }

    /// Prints JSON, which already ends with a newline.
    static func show(_ json: Data) {
        print(String(decoding: json, as: UTF8.self), terminator: "")
    }

    // MARK: Messages

    /// Tells what is wrong: a mistake in a file in the form of compilers, as
    /// `path:line:column: error: …`, and anything else as `transferlab: error: …`.
    static func complain(about error: any Error) {
        guard let failure = error as? RunFailure else { return complain("\(error)") }
        let messages = failure.complaints.map { complaint in
            switch complaint {
            case .plain(let words): "transferlab: error: \(words)"
            case .mistake(let diagnostic): diagnostic.description
            }
        }
        note(messages.joined(separator: "\n\n"))
    }

    static func complain(_ text: String) { note("transferlab: error: \(text)") }

    /// Tells news that are neither a result nor an error.
    static func tell(_ text: String) { note("transferlab: \(text)") }

    /// Prints a message on standard error, folded like results.
    static func note(_ text: String) {
        let text = folded(text, for: STDERR_FILENO)
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    // MARK: Progress

    /// Does some work that tells its progress, and erases the progress in the end.
    static func showingProgress<Value>(_ work: ((String) -> Void) throws -> Value) rethrows -> Value
    {
        let terminal = Terminal()
        defer { terminal.clearProgress() }
        return try work { terminal.progress($0) }
    }

    /// Does some work in parts, and tells its progress with the time left.
    static func showingPace<Value>(
        _ work: ((_ words: String, _ done: Int, _ count: Int) -> Void) throws -> Value
    ) rethrows -> Value {
        let pace = Pace()
        let terminal = Terminal()
        defer { terminal.clearProgress() }
        return try work { words, done, count in
            terminal.progress(words + pace.note(done: done, of: count))
        }
    }

    /// Shows a line that the next progress line overwrites and that lasting output erases.
    func progress(_ text: String) {
        guard isInteractive else { return }
        // One column less, so that the line never wraps.
        let line = text.prefix((Self.width(of: STDERR_FILENO) ?? 80) - 1)
        let shown = Isolation.marked(String(line))
        FileHandle.standardError.write(Data("\r\u{1b}[K\(shown)".utf8))
    }

    func clearProgress() {
        guard isInteractive else { return }
        FileHandle.standardError.write(Data("\r\u{1b}[K".utf8))
    }

    // MARK: Width

    /// Folds the lines for a terminal, and isolates right-to-left names from the words beside them.
    /// Commands stay as they are, because they may be copied.
    private static func folded(_ text: String, for descriptor: Int32) -> String {
        guard let width = width(of: descriptor) else { return text }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { line in
            let folded = FoldedText.folded(String(line), width: width)
            return line.contains("./lab ") ? folded : Isolation.marked(folded)
        }.joined(separator: "\n")
    }

    /// Returns the columns of a terminal; `nil` for a file, a pipe or a terminal that tells none.
    private static func width(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return nil }
        return Int(size.ws_col)
    }
}
