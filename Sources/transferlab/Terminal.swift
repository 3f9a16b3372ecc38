import Foundation

/// Standard output and error as a person sees them; progress and colour only where one sits there.
struct Terminal {
    let isInteractive = isatty(STDERR_FILENO) == 1 && Terminal.isDumb == false
    let hasColour =
        isatty(STDOUT_FILENO) == 1 && Terminal.isDumb == false
        && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty

    private static var isDumb: Bool { ProcessInfo.processInfo.environment["TERM"] == "dumb" }

    static func complain(_ text: String) {
        FileHandle.standardError.write(Data("transferlab: \(text)\n".utf8))
    }

    /// A line that is written over by the next one, and gone when something lasting is printed.
    func progress(_ text: String) {
        guard isInteractive else { return }
        FileHandle.standardError.write(Data("\r\u{1b}[K\(text.prefix(width))".utf8))
    }

    /// A lasting line in the place of progress, where nobody sits at a terminal.
    func note(_ text: String) {
        guard !isInteractive else { return }
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    func clearProgress() {
        guard isInteractive else { return }
        FileHandle.standardError.write(Data("\r\u{1b}[K".utf8))
    }

    /// One column less than there are, so that the line never wraps.
    private var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return 79 }
        return Int(size.ws_col) - 1
    }
}
