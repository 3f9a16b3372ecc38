/// An option with a value.
struct CommandOption: Sendable, ExpressibleByStringLiteral {
    let name: String
    let value: CommandWord
    /// Whether the value may be left out. It must then be one of the offered words.
    private(set) var isValueOptional = false

    init(_ name: String, _ value: CommandWord) {
        self.name = name
        self.value = value
    }

    /// An option whose value is a number, a name or a list of the user's own.
    init(stringLiteral name: String) { self.init(name, .own) }

    static func perhaps(_ name: String, _ words: [String]) -> CommandOption {
        var option = CommandOption(name, .oneOf(words))
        option.isValueOptional = true
        return option
    }
}

/// What a word of a command line can be, so that a shell can complete it.
enum CommandWord: Sendable {
    /// A word that no shell can guess.
    case own
    case file, folder
    /// A scenario file or a folder of scenarios.
    case scenario
    case oneOf([String])
    /// One or more of these words, separated by commas.
    case someOf([String])
}
