/// A command: its name, its options, its help and its action.
struct Command: Sendable {
    let name: String
    /// A line for the overview.
    let summary: String
    /// Options with a value.
    var options: [String] = []
    /// Options without a value.
    var switches: [String] = []
    /// Options that may be followed by one of these words.
    var choices: [String: [String]] = [:]
    /// Usage, options and an example.
    let help: String
    let run: @Sendable (Arguments) throws -> ExitCode
}

/// The result of the program for its caller.
enum ExitCode: Int32 {
    case allHeld = 0
    case fellShort = 1
    case couldNotRun = 2
}
