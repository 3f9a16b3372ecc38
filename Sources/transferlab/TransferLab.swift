import Foundation
import Runs

/// The command line: the first word chooses the command, the rest are its arguments.
@main
struct TransferLab {
    static func main() {
        // If a reader goes away (`| head`), the program ends normally instead of trapping.
        signal(SIGPIPE, SIG_DFL)
        let words = Array(CommandLine.arguments.dropFirst())
        let code = run(words)
        guard fflush(nil) == 0 else {
            Terminal.complain("the output could not be written; is the disk full?")
            exit(ExitCode.couldNotRun.rawValue)
        }
        exit(code.rawValue)
    }

    static let commands = [
        RunCommand.command, CrashCommand.command, ChanceCommand.command, CheckCommand.command,
        ExplainCommand.command, ListCommand.command, ImportCommand.command, SchemaCommand.command,
        LiveCommand.command, ReplayCommand.command,
        DiffCommand.command, PacketsCommand.command, CompareCommand.command,
        FidelityCommand.command, BenchCommand.command, ServeCommand.command,
        ReportCommand.command,
    ]

    static func run(_ words: [String]) -> ExitCode {
        do {
            guard let name = words.first else {
                Terminal.complain("a command is missing\n\n\(Help.overview)")
                return .couldNotRun
            }
            let rest = Array(words.dropFirst())
            if ["help", "--help", "-h"].contains(name) {
                print(try Help.text(for: rest.first))
                return .allHeld
            }
            if name == LiveRun.appCommand { return try LiveProcessCommand.runApp(rest) }
            if name == LiveRun.daemonCommand { return try LiveProcessCommand.runDaemon(rest) }
            if name == Benchmark.caseCommand { return try BenchCaseCommand.run(rest) }
            let command = try command(named: name)
            if rest.contains("--help") || rest.contains("-h") {
                print(command.help)
                return .allHeld
            }
            return try command.run(Arguments(rest, of: command))
        } catch {
            Terminal.complain("\(error)")
            return .couldNotRun
        }
    }

    static func command(named name: String) throws(UsageError) -> Command {
        guard let command = commands.first(where: { $0.name == name }) else {
            throw UsageError(
                "there is no command “\(name)”", meant: name, among: commands.map(\.name),
                remedy: "./lab help lists the commands")
        }
        return command
    }
}
