/// `completion`: a script by which a shell completes this program's command lines.
enum CompletionCommand {
    private enum Shell: String, CaseIterable {
        case bash, zsh, fish

        var script: String {
            switch self {
            case .bash: BashCompletion.script
            case .zsh: ZshCompletion.script
            case .fish: FishCompletion.script
            }
        }
    }

    static let command = Command(
        name: "completion", summary: "print a script that completes commands in a shell",
        operand: .oneOf(Shell.allCases.map(\.rawValue)),
        help: """
            usage: ./lab completion bash | zsh | fish

            Prints a script by which the shell completes commands, options, their values
            and files, after ./lab as well as after transferlab. To try it in this shell:

              bash  source <(./lab completion bash)
              zsh   source <(./lab completion zsh)
              fish  ./lab completion fish | source

            To keep it, put that line into the shell's startup file, ~/.bashrc for
            example, with the path of lab.

            Exit codes: 0 printed, 2 the shell is unknown.

            Example: ./lab completion bash >~/.local/share/bash-completion/completions/lab
            """,
        run: run)

    /// The names by which shells know this program.
    static let programs = ["lab", "transferlab"]

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let name = try arguments.onlyPath("one shell: bash, zsh or fish")
        guard let shell = Shell(rawValue: name) else {
            throw UsageError(
                "there is no completion for “\(name)”", meant: name,
                among: Shell.allCases.map(\.rawValue), remedy: "choose bash, zsh or fish")
        }
        print(shell.script)
        return .allHeld
    }
}
