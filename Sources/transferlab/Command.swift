/// A word of the command line and what it does.
struct Command: Sendable {
    let name: String
    /// One line for the overview.
    let summary: String
    /// Usage, options and an example.
    let help: String
    let run: @Sendable ([String]) throws -> ExitCode
}

/// What a run of the program means to the one who called it.
enum ExitCode: Int32 {
    case allHeld = 0
    case fellShort = 1
    case couldNotRun = 2
}
