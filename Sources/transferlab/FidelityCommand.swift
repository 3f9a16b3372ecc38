import Foundation
import Runs

/// `fidelity`: compare the simulator's TCP with the Linux kernel's.
enum FidelityCommand {
    static let command = Command(
        name: "fidelity", summary: "compare the simulator's TCP with the Linux kernel's",
        options: ["--cells", "--jobs", .init("--trace", .folder)],
        switches: ["--renew", "--measure", "--again", "--json"],
        help: """
            usage: ./lab fidelity [--cells LIST] [--renew] [--trace DIR] [--json]
                   ./lab fidelity --measure [--again] [--jobs N] [--cells LIST]
                                  [--trace DIR]

            Simulates a grid of loss × round trip × controller (100 Mbit/s, a queue of one
            bandwidth-delay product, three patterns of loss), and cells with jitter, with
            other rates, queues and buffers, with answers, and with a second flow. Shows
            goodput, drops, peak flight, the time of slow start and more beside those of
            the kernel over the same link with the same losses. The kernel is measured
            rarely; its figures are kept in Reports/baselines/fidelity.json.

              --cells LIST  only these cells, such as reno-40ms-1% or bbr,cubic-200ms
              --renew       write the simulator's figures to that file, and the table to
                            Reports/README.md
              --measure     first measure the kernel's figures that the file lacks, in real
                            time, over TUN devices between network namespaces; needs root.
                            If it is interrupted, the next --measure continues
              --again       also measure the figures that the file already has
              --jobs N      how many flows to measure in parallel (default: 1); a flow at
                            full rate takes half a core, and two of them can delay each
                            other
              --trace DIR   write every flow over time to DIR, as CSV: simulated flows, and
                            the kernel's flows that are measured now
              --json        print the figures as JSON instead of the table

            Exit codes: 0 the bars hold and every cell that is off has a reason, 1
            otherwise, or if the simulator's figures differ from the file; 2 could not run.

            Example: ./lab fidelity --cells cubic
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        if let path = arguments.paths.first {
            throw arguments.wrong("fidelity takes no path, such as “\(path)”")
        }
        let cells = try cells(arguments)
        let reports = ReportFolder.url(nil, usual: "Reports").path
        let file = FidelityFile(reports: reports)
        var data = try file.read()
        let traces = try arguments["--trace"].map { try FlowTraces(folder: URL(filePath: $0)) }
        if arguments.has("--measure") {
            data = try measure(cells, data, file, arguments, traces)
        } else {
            try arguments.require(
                !arguments.has("--again") && !arguments.has("--jobs"),
                "--again and --jobs work only with --measure")
        }
        var renewed = try FidelitySimulation.renewed(data, of: cells, traces: traces)
        if arguments.has("--renew") { renewed.dropIdleReasons() }
        let report = FidelityReport(renewed, of: cells)
        if arguments.has("--json") {
            Terminal.show(SheetJSON.data(renewed))
        } else {
            let parts = [
                report.table, report.furtherTable, report.summary.joined(separator: "\n"),
            ].filter { !$0.isEmpty }
            Terminal.say(parts.joined(separator: "\n\n"))
        }
        if arguments.has("--renew") {
            try file.write(renewed)
            try FidelityPage(reports: reports).renew(FidelityReport(renewed))
        } else if renewed != data {
            Terminal.complain(
                "the simulator's figures differ from \(file.path); if that is intended, run "
                    + "./lab fidelity --renew")
            return .fellShort
        }
        return report.holds ? .allHeld : .fellShort
    }

    private static func measure(
        _ cells: [FidelityCell], _ data: FidelityData, _ file: FidelityFile,
        _ arguments: Arguments, _ traces: FlowTraces?
    ) throws -> FidelityData {
        let jobs = try arguments.number("--jobs", in: 1...32) ?? 1
        let known = arguments.has("--again") ? FidelityData() : data
        let tasks = FidelityTask.missing(in: known, of: cells)
        let terminal = Terminal()
        terminal.progress("\(tasks.count) flows to measure")
        defer { terminal.clearProgress() }
        return try FidelityMeasurement(
            file, jobs: jobs, carry: FidelityMeasurement.overEmulatedLinks(tracing: traces)
        ).run(tasks, data: data) { task, run in
            Terminal().clearProgress()
            Terminal.tell(run.sentence(of: task))
        }
    }

    private static func cells(_ arguments: Arguments) throws(UsageError) -> [FidelityCell] {
        guard let words = arguments.list("--cells") else { return FidelityCell.grid }
        var chosen: Set<FidelityCell> = []
        for word in words {
            let found = FidelityCell.chosen(by: word)
            try arguments.require(
                !found.isEmpty,
                "the grid has no cell “\(word)”; cells have names such as "
                    + "\(FidelityCell.grid[5].name)")
            chosen.formUnion(found)
        }
        return FidelityCell.grid.filter { chosen.contains($0) }
    }
}
