import Runs

/// The script that completes command lines in zsh.
enum ZshCompletion {
    static var script: String {
        """
        #compdef \(CompletionCommand.programs.joined(separator: " "))
        # Completes ./lab and transferlab in zsh; made by ./lab completion zsh.
        _transferlab() {
            local curcontext=$curcontext
            local -a commands=(
        \(Help.rows.map { "        " + "\($0.name):\($0.text)".shellQuoted }
            .joined(separator: "\n"))
            )
            if ((CURRENT == 2)); then
                _describe command commands
                return
            fi
            shift words
            ((CURRENT--))
            case $words[1] in
        \(TransferLab.commands.map(branch).joined(separator: "\n"))
                help) _describe command commands ;;
                *) _default ;;
            esac
        }
        if [[ $funcstack[1] == _transferlab ]]; then
            _transferlab "$@"
        else
            compdef _transferlab \(CompletionCommand.programs.joined(separator: " "))
        fi
        """
    }

    private static func branch(of command: Command) -> String {
        let summaries = HelpPage(command.help).summaries
        var specifications = command.options.map { option in
            let colons = option.isValueOptional ? "::" : ":"
            return "\(option.name)=[\(escaped(summaries[option.name] ?? ""))]"
                + colons + action(for: option.value)
        }
        specifications += command.switches.map { "\($0)[\(escaped(summaries[$0] ?? ""))]" }
        specifications.append("--help[explain the command]")
        if let operand = command.operand { specifications.append("*:" + action(for: operand)) }
        let lines = specifications.map { "                \($0.shellQuoted)" }
        return "        \(command.name))\n            _arguments -S \\\n"
            + lines.joined(separator: " \\\n") + "\n            ;;"
    }

    private static func action(for word: CommandWord) -> String {
        switch word {
        case .own: "value: "
        case .file: "file:_files"
        case .folder: "folder:_files -/"
        case .scenario: #"scenario:_files -g "*.(yaml|yml)(-.)""#
        case .oneOf(let words): "word:(\(words.joined(separator: " ")))"
        case .someOf(let words): "words:_values -s , word \(words.joined(separator: " "))"
        }
    }

    /// Returns an explanation without the characters that end it.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
    }
}
