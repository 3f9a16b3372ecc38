/// The script that completes command lines in fish.
enum FishCompletion {
    static var script: String {
        """
        # Completes ./lab and transferlab in fish; made by ./lab completion fish.
        function __transferlab_lacks_command
            test (count (commandline -opc)) -eq 1
        end
        function __transferlab_has_command
            set -l words (commandline -opc)
            test (count $words) -gt 1; and test $words[2] = $argv[1]
        end
        for program in \(CompletionCommand.programs.joined(separator: " "))
            complete -c $program -f
        \(Help.rows.map(beginning).joined(separator: "\n"))
            complete -c $program -l help -d 'explain the command'
        \(TransferLab.commands.flatMap(lines).joined(separator: "\n"))
        \(TransferLab.commands.map { line(after: "help", " -a \($0.name)", $0.summary) }
            .joined(separator: "\n"))
        end
        """
    }

    private static func beginning(_ row: (name: String, text: String)) -> String {
        "    complete -c $program -n __transferlab_lacks_command -a \(row.name) -d "
            + quoted(row.text)
    }

    private static func lines(of command: Command) -> [String] {
        let summaries = HelpPage(command.help).summaries
        let options = command.options.map { option in
            let value =
                option.isValueOptional ? argument(option.value) : required(option.value)
            return line(
                after: command.name, " -l \(option.name.dropFirst(2))\(value)",
                summaries[option.name] ?? "")
        }
        let switches = command.switches.map {
            line(after: command.name, " -l \($0.dropFirst(2))", summaries[$0] ?? "")
        }
        let operand = command.operand.map { [line(after: command.name, argument($0), "")] }
        return options + switches + (operand ?? [])
    }

    private static func line(after command: String, _ words: String, _ text: String) -> String {
        "    complete -c $program -n '__transferlab_has_command \(command)'\(words)"
            + (text.isEmpty ? "" : " -d \(quoted(text))")
    }

    /// Returns what follows an option that needs a value.
    private static func required(_ word: CommandWord) -> String {
        switch word {
        case .file, .scenario: " -r -F"
        case .own, .folder, .oneOf, .someOf: " -x" + argument(word)
        }
    }

    private static func argument(_ word: CommandWord) -> String {
        switch word {
        case .own: ""
        case .file, .scenario: " -F"
        case .folder: " -a '(__fish_complete_directories)'"
        case .oneOf(let words): " -a \(quoted(words.joined(separator: " ")))"
        case .someOf(let words): " -a '(__fish_append , \(words.joined(separator: " ")))'"
        }
    }

    /// Returns a word of fish in single quotes, in which backslashes have a meaning.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
