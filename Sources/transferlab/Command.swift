/// A command: its name, what it takes, its help and its action.
struct Command: Sendable {
    let name: String
    /// A line for the overview.
    let summary: String
    /// What its words without an option are; `nil` if it takes none that a shell can guess.
    var operand: CommandWord?
    /// Options with a value.
    var options: [CommandOption] = []
    /// Options without a value.
    var switches: [String] = []
    /// Usage, options and an example.
    let help: String
    let run: @Sendable (Arguments) throws -> ExitCode

    /// The names of all options, those without a value last.
    var optionNames: [String] { options.map(\.name) + switches }
}

/// The result of the program for its caller.
enum ExitCode: Int32 {
    case allHeld = 0
    case fellShort = 1
    case couldNotRun = 2
}
