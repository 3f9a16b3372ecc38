import Foundation
import Reports
import RunLog
import Runs

/// `live`: play scenarios for real, over loopback sockets, and judge them by the same checks.
enum LiveCommand {
    static let command = Command(
        name: "live", summary: "play scenarios over real sockets, with a capture",
        operand: .scenario,
        options: ["--seed", .init("--report", .folder), Announcer.option]
            + ChoiceOptions.options,
        switches: ["--compare", "--json", "--quiet"],
        help: """
            usage: ./lab live PATH… [--seed N] [--filter TAG,…] [--case NAME=VALUE,…]
                              [--compare] [--report DIR] [--json | --quiet]
                              [--annotations]

            PATH is a scenario file or a folder of scenarios. Scenarios tagged long in a
            folder are left out, unless --filter names the tag. The server runs in this
            process. Each app, and the transfer daemon of each phone with background tasks,
            runs in a child process that is really killed and started again as the scenario
            says. libpcap records the loopback interface. The links' delay and loss do not
            apply; outgoing data is paced to the uplink's rate, incoming data to the
            downlink's rate. A run takes as long as the scenario says.

              --seed N      play with this seed instead of the scenarios' own
            \(ChoiceOptions.help)
              --compare     also simulate each scenario, and show where the two differ in
                            the apps' callbacks and in what the server did
              --report DIR  where the reports and captures go (default: Reports/live)
              --json        print the suite's summary as JSON instead of lines
              --quiet       print only what failed, and nothing if all is green
            \(Announcer.help)

            To capture packets, run as root or give the program the right to capture:
              sudo setcap cap_net_raw,cap_net_admin=eip .build/release/transferlab
            Without it the run still works, and the report says what is missing.

            Exit codes: 0 all scenarios are green, 1 one is red, 2 could not run.

            Example: ./lab live Scenarios/queue/first-upload.yaml
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        _ = try arguments.scenarioPaths()
        let form = try arguments.form()
        let folder = ReportFolder.url(arguments["--report"], usual: "Reports/live")
        SuiteRun.removeLast(from: folder)
        let announcer = Announcer(arguments, folder: folder)
        let choice = try announcer.announcingMistakes {
            try ChoiceOptions.read(arguments, in: .live)
        }
        let seed = try arguments.seed()
        var run = SuiteRun(
            live: SuiteCase.all(of: choice.scenarios, seeds: seed.map { [$0] }), folder: folder)
        run.leftOut = choice.leftOut
        run.comparesWorlds = arguments.has("--compare")
        let suite = try SuiteStage(form, isSlow: true, announcer: announcer).play(
            run, reports: ReportFolder.shown(folder))
        if arguments.has("--compare") {
            try compare(suite, in: folder, prints: form == .lines)
        }
        return suite.isGreen ? .allHeld : .fellShort
    }

    /// Shows the differences, which are not failures: simultaneous actions may come in either
    /// order.
    private static func compare(_ suite: Suite, in folder: URL, prints: Bool) throws {
        for entry in suite.entries {
            let comparison = try WorldComparison(of: folder.appending(path: entry.folder))
            if prints { Terminal.say("\n\(entry.scenario)\n\(comparison.difference)") }
        }
    }
}
