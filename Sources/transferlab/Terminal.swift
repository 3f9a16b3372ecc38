import Foundation

/// Standard output and error for people; progress and colour only on a terminal.
struct Terminal {
    let isInteractive = isatty(STDERR_FILENO) == 1 && Terminal.isDumb == false
    let hasColour =
        isatty(STDOUT_FILENO) == 1 && Terminal.isDumb == false
        && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty

    private static var isDumb: Bool { ProcessInfo.processInfo.environment["TERM"] == "dumb" }

    static func complain(_ text: String) {
        FileHandle.standardError.write(Data("transferlab: \(text)\n".utf8))
    }

    /// Prints JSON, which already ends with a newline.
    static func show(_ json: Data) { print(String(decoding: json, as: UTF8.self), terminator: "") }

    /// Does some work that tells its progress, and erases the progress in the end.
    static func showingProgress<Value>(_ work: ((String) -> Void) throws -> Value) rethrows -> Value
    {
        let terminal = Terminal()
        defer { terminal.clearProgress() }
        return try work { terminal.progress($0) }
    }

    /// Shows a line that the next progress line overwrites and that lasting output erases.
    func progress(_ text: String) {
        guard isInteractive else { return }
        FileHandle.standardError.write(Data("\r\u{1b}[K\(text.prefix(width))".utf8))
    }

    /// Prints a lasting line instead of progress, if there is no terminal.
    func note(_ text: String) {
        guard !isInteractive else { return }
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    func clearProgress() {
        guard isInteractive else { return }
        FileHandle.standardError.write(Data("\r\u{1b}[K".utf8))
    }

    /// The terminal's width less one column, so that a line never wraps.
    private var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return 79 }
        return Int(size.ws_col) - 1
    }
}
