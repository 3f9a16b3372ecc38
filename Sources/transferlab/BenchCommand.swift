import Foundation
import Runs

/// `bench`: how fast the simulator is.
enum BenchCommand {
    static let command = Command(
        name: "bench", summary: "measure how fast the lab is, optionally beside its peers",
        operand: .oneOf(BenchmarkCase.all.map(\.name)),
        options: [
            "--repeat", .init("--report", .file), .init("--from", .file),
            .init("--history", .file),
        ],
        switches: ["--peer", "--bars", "--json"],
        help: """
            usage: ./lab bench [CASE…] [--repeat N] [--peer] [--bars] [--report FILE]
                               [--history FILE] [--json]
                   ./lab bench --from FILE [--bars] [--json]

            CASE is the name of a case or of a group of cases, such as bulk. Without CASE,
            all cases are measured, which takes some minutes:
            \(Help.columns(BenchmarkCase.all.map { ($0.name, $0.about) }))

            Each case is played repeatedly, in turns with the others and in a process of its
            own, with the network's accounting (S16) and the digest on. A core second is a
            second of processor time: on a busy machine it says more than wall time.

              --repeat N     how often each case is measured (default: 3)
              --peer         also measure ns-3, with the link and the flow of the first
                             case; if the peer is missing, installs libns3-dev (60 MB) and
                             iperf3, and builds it
              --bars         exit with 1 if a bar is missed; bars are always shown, but on a
                             busy machine a miss may mean nothing
              --report FILE  write all figures as JSON; ./lab compare takes two of these
              --history FILE
                             add the medians of this build to a file for ./lab trend
              --json         print the same JSON instead of tables
              --from FILE    measure nothing, and show the figures of an earlier --report

            Simulated figures are exact on every machine: ./lab test compares them with
            Reports/baselines, and ./lab compare --baselines does only that.

            Exit codes: 0 measured, 1 a bar was missed and --bars was given, 2 could not
            run.

            Example: ./lab bench bulk/no-loss flows --peer --report Reports/bench.json
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let sheet = try arguments["--from"].map { try read($0, arguments) } ?? measure(arguments)
        let data = SheetJSON.data(sheet)
        if let file = arguments["--report"] { try ResultFile.write(data, to: file) }
        if let file = arguments["--history"] { try History.append(sheet, to: file) }
        if arguments.has("--json") {
            Terminal.show(data)
        } else {
            Terminal.say(BenchmarkText(sheet).text)
        }
        return arguments.has("--bars") && sheet.hasFallenShort ? .fellShort : .allHeld
    }

    private static func read(_ file: String, _ arguments: Arguments) throws -> FigureSheet {
        let isMeasuring = ["--peer", "--repeat", "--report", "--history"].contains(
            where: arguments.has)
        try arguments.require(
            arguments.paths.isEmpty && !isMeasuring,
            "--from shows figures from a file, so it takes no cases and no options of a "
                + "measurement")
        return try ResultFile.read(file)
    }

    private static func measure(_ arguments: Arguments) throws -> FigureSheet {
        var peer: PeerProgram?
        var names = arguments.paths
        if arguments.has("--peer") {
            peer = try PeerProgram(environment: ProcessInfo.processInfo.environment)
            // A peer's figures mean nothing without the first case.
            if !names.isEmpty { names.append(PeerProgram.counterpart) }
        }
        let cases = try chosen(names)
        let repetitions = try arguments.number("--repeat", in: 1...1_000) ?? 3
        let benchmark = Benchmark(cases, peer: peer, repetitions: repetitions)
        return try Terminal.showingPace { try benchmark.measure($0) }
    }

    /// Returns the cases of these names and groups, without repetition, in catalogue order.
    private static func chosen(_ names: [String]) throws(UsageError) -> [BenchmarkCase] {
        let known = BenchmarkCase.all
        for name in names where !known.contains(where: { $0.belongs(to: name) }) {
            throw UsageError(
                "there is no case “\(name)”", meant: name, among: known.map(\.name),
                remedy: "./lab help bench lists them")
        }
        let isPossible = known.filter(\.isPossible)
        if let name = names.first(where: { name in !isPossible.contains { $0.belongs(to: name) } })
        {
            throw UsageError(
                "“\(name)” needs iperf3, or root for an emulated link",
                remedy: "./lab bench live --peer installs iperf3")
        }
        return names.isEmpty
            ? isPossible : isPossible.filter { one in names.contains { one.belongs(to: $0) } }
    }
}

extension BenchmarkCase {
    /// `bulk/no-loss` belongs to itself and to `bulk`.
    fileprivate func belongs(to group: String) -> Bool {
        name == group || name.hasPrefix(group + "/")
    }
}
