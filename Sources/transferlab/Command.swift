/// A command: its name, its help and its action.
struct Command: Sendable {
    let name: String
    /// A line for the overview.
    let summary: String
    /// Usage, options and an example.
    let help: String
    let run: @Sendable ([String]) throws -> ExitCode
}

/// The result of the program for its caller.
enum ExitCode: Int32 {
    case allHeld = 0
    case fellShort = 1
    case couldNotRun = 2
}
