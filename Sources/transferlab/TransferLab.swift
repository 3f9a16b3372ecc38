import Foundation
import Reports
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
        ExplainCommand.command, ExplainDelayCommand.command,
        ListCommand.command, ImportCommand.command, SchemaCommand.command,
        LiveCommand.command, ReplayCommand.command, DiffCommand.command,
        PacketsCommand.command, ExportCommand.command, CompareCommand.command,
        FidelityCommand.command, GoodputCommand.command, BenchCommand.command, TrendCommand.command,
        ServeCommand.command, ReportCommand.command, MutantsCommand.command,
        CompletionCommand.command, ManCommand.command,
    ]

    /// Runs a command that only the program itself calls; false if `name` is not one.
    private static func runInternal(_ name: String, _ words: [String]) throws -> Bool {
        let commands = [LiveRun.appCommand, LiveRun.daemonCommand, Benchmark.caseCommand]
        guard commands.contains(name) else { return false }
        let misuse = UsageError(
            "\(name) is an internal command", remedy: "use ./lab live or ./lab bench")
        guard let argument = words.first, words.count == 1 else { throw misuse }
        switch name {
        case LiveRun.appCommand: try LiveChild.runApp(by: argument)
        case LiveRun.daemonCommand: try LiveChild.runDaemon(by: argument)
        default:
            guard let one = BenchmarkCase.all.first(where: { $0.name == argument }) else {
                throw misuse
            }
            Terminal.show(SheetJSON.data(try one.play()))
        }
        return true
    }

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
            if name == "--version" {
                print(ProgramVersion.current)
                return .allHeld
            }
            if try runInternal(name, rest) { return .allHeld }
            let command = try command(named: name)
            if rest.contains("--help") || rest.contains("-h") {
                print(command.help)
                return .allHeld
            }
            return try command.run(Arguments(rest, of: command))
        } catch {
            Terminal.complain(about: error)
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
