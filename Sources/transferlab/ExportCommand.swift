import Runs

/// `export`: a run in the formats of other programs.
enum ExportCommand {
    private enum Form: String, CaseIterable {
        case qlog, trace, csv, openmetrics

        func choice(_ flow: Int?) -> RunExport.Form {
            switch self {
            case .qlog: .qlog(connection: flow)
            case .trace: .trace
            case .csv: .csv
            case .openmetrics: .openmetrics
            }
        }
    }

    static let command = Command(
        name: "export", summary: "write a run for qvis, Perfetto, pandas or Prometheus",
        operand: .scenario,
        options: [
            CommandOption("--as", .oneOf(Form.allCases.map(\.rawValue))), "--flow", "--seed",
            "--case", CommandOption("--to", .file),
        ],
        help: """
            usage: ./lab export RUN --as FORMAT [--flow N] [--to FILE]
                   ./lab export FILE --as FORMAT [--flow N] [--seed N]
                                [--case NAME=VALUE,…] [--to FILE]
                   ./lab export SUITE --as openmetrics [--to FILE]

            RUN is the folder of an earlier run, FILE is a scenario, which is played for it,
            and SUITE is the folder of a suite's results.

              --as FORMAT
                          qlog         each packet of each TCP connection, with windows
                                       and round-trip times, for qvis; RUN is played again
                          trace        timeline and series as trace events, for Perfetto
                          csv          every series of the run in one long table
                          openmetrics  figures with units and labels, for Prometheus
              --flow N    only this connection of the qlog, counted from 1
              --seed N    play with this seed instead of the scenario's own
              --case NAME=VALUE,…
                          the case of a matrix
              --to FILE   write to this file instead of standard output

            Exit codes: 0 exported, 2 could not export.

            Example: ./lab export Scenarios/queue/first-upload.yaml --as csv --to series.csv
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        guard let form = arguments["--as"].flatMap(Form.init) else {
            throw arguments.wrong(
                "export needs --as with one of "
                    + Form.allCases.map(\.rawValue).joined(separator: ", "))
        }
        let flow = try arguments.number("--flow", in: 1...Int(UInt32.max))
        try arguments.require(flow == nil || form == .qlog, "--flow is for --as qlog only")
        if let suite = arguments.paths.first, RunFolder.holdsSuite(suite) {
            let path = try arguments.onlyPath("one suite")
            guard form == .openmetrics else {
                throw UsageError(
                    "\(path) holds a suite, and \(form.rawValue) shows one run",
                    remedy: "name the folder of one of its runs, or use --as openmetrics")
            }
            return try write(to: arguments["--to"]) {
                try RunExport.writeMetrics(ofSuiteAt: path, to: $0)
            }
        }
        let run =
            switch try ChosenRun.read(arguments) {
            case .earlier(let path): try RunExport(ofRunAt: path)
            case .scenario(let scenario, let seed): RunExport(of: scenario, seed: seed)
            }
        return try write(to: arguments["--to"]) { try run.write(form.choice(flow), to: $0) }
    }

    private static func write(
        to path: String?, _ content: (ExportFile) throws -> Void
    ) throws -> ExitCode {
        let file = ExportFile(at: path)
        try content(file)
        try file.close()
        return .allHeld
    }
}
