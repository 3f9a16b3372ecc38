import Foundation
import Reports
import Runs

/// `--annotations`, for every command that judges or checks scenarios.
struct Announcer {
    static let option = CommandOption.perhaps(
        "--annotations", BuildServer.allCases.map(\.rawValue))

    static let help = """
          --annotations [github | gitlab | none]
                        show failures at lines of files: on GitHub by annotations and
                        a job summary, on GitLab by gl-code-quality-report.json beside
                        the reports (default: whichever of them runs the program)
        """

    private let command: String
    private let server: BuildServer
    /// The folder of the reports; `nil` if none are written.
    private let folder: URL?
    private let printsForPrograms: Bool

    init(_ arguments: Arguments, folder: URL?) {
        command = arguments.command.name
        server = arguments["--annotations"].flatMap(BuildServer.init) ?? BuildServer()
        self.folder = folder
        printsForPrograms = arguments.has("--json") || arguments.has("--digests")
    }

    /// Tells the build server about the results. GitHub reads both outputs of a program, so lines
    /// for GitHub never get between those for another program.
    func announce(_ report: TestReport) throws(RunFailure) {
        try server.announce(report, in: folder) { line in
            guard printsForPrograms else { return print(line) }
            FileHandle.standardError.write(Data("\(line)\n".utf8))
        }
    }

    /// Reads files of the scenario language, and announces the mistakes that prevent it.
    func announcingMistakes<Value>(_ read: () throws -> Value) throws -> Value {
        do { return try read() } catch let failure as RunFailure {
            let report = TestReport(of: command, mistakesOf: failure, in: Workspace())
            if !report.cases.isEmpty { try announce(report) }
            throw failure
        }
    }
}
