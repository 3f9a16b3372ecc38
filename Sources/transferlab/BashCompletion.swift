import Runs

/// The script that completes command lines in bash.
enum BashCompletion {
    static var script: String {
        """
        # Completes ./lab and transferlab in bash; made by ./lab completion bash.
        _transferlab() {
            local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
            local kind= words= options= prefix=
            # bash makes “=” a word of its own.
            if [[ $cur == = ]]; then
                cur=
            elif [[ $prev == = ]]; then
                prev=${COMP_WORDS[COMP_CWORD - 2]}
            fi
            COMPREPLY=()
            if ((COMP_CWORD == 1)); then
                words=\(Help.rows.map(\.name).joined(separator: " ").shellQuoted)
                options='--help --version'
            fi
            ((COMP_CWORD > 1)) && case ${COMP_WORDS[1]} in
        \(TransferLab.commands.map(branch).joined(separator: "\n"))
                help)
                    words=\(TransferLab.commands.map(\.name).joined(separator: " ").shellQuoted)
                    ;;
            esac
            case $kind in
                folder) mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
                file) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
                scenario)
                    mapfile -t COMPREPLY < <(
                        compgen -d -- "$cur"
                        compgen -f -X '!*.yaml' -- "$cur"
                        compgen -f -X '!*.yml' -- "$cur"
                    )
                    ;;
                list)
                    [[ $cur == *,* ]] && prefix=${cur%,*},
                    mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$words" -- "${cur##*,}")
                    compopt -o nospace 2>/dev/null
                    return
                    ;;
            esac
            [[ -z $kind ]] || compopt -o filenames 2>/dev/null
            [[ $cur == -* ]] && words=$options
            mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$words" -- "$cur")
        }
        complete -F _transferlab \(CompletionCommand.programs.joined(separator: " "))
        """
    }

    /// Returns what follows a command.
    private static func branch(of command: Command) -> String {
        let names = (command.optionNames + ["--help"]).joined(separator: " ")
        var lines = ["        \(command.name))", "            options=\(names.shellQuoted)"]
        if let operand = command.operand { lines.append("            " + assignment(of: operand)) }
        if !command.options.isEmpty {
            lines.append("            case $prev in")
            lines += command.options.map { "                \($0.name)) \(values(of: $0)) ;;" }
            lines.append("            esac")
        }
        return (lines + ["            ;;"]).joined(separator: "\n")
    }

    /// Returns what follows an option. A value that may be left out joins what else may come.
    private static func values(of option: CommandOption) -> String {
        option.isValueOptional
            ? assignment(of: option.value)
            : "kind= words= options=; " + assignment(of: option.value)
    }

    private static func assignment(of word: CommandWord) -> String {
        switch word {
        case .own: ":"
        case .file: "kind=file"
        case .folder: "kind=folder"
        case .scenario: "kind=scenario"
        case .oneOf(let words): "words=\(words.joined(separator: " ").shellQuoted)"
        case .someOf(let words): "kind=list words=\(words.joined(separator: " ").shellQuoted)"
        }
    }
}
