import Foundation
import Runs

/// `goodput`: what gets through over lossy lines, by transport.
enum GoodputCommand {
    static let command = Command(
        name: "goodput", summary: "show what gets through over lossy lines, by transport",
        options: [], switches: ["--renew"],
        help: """
            usage: ./lab goodput [--renew]

            Plays a flow for a minute over a line of 100 Mbit/s with a queue of one
            bandwidth-delay product, by the paced transport and by TCP, for five round
            trips and five shares of lost packets, with five seeds each. Shows the median
            of what has arrived, in Mbit/s. It takes some minutes.

              --renew       write the table to Reports/README.md

            Exit codes: 0 the paced transport reaches its bar everywhere and the page has
            this table, 1 otherwise; 2 could not run.

            Example: ./lab goodput
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        if let path = arguments.paths.first {
            throw arguments.wrong("goodput takes no path, such as “\(path)”")
        }
        let page = GoodputPage(reports: ReportFolder.url(nil, usual: "Reports").path)
        let known = try page.table()
        let grid = try GoodputGrid.played()
        Terminal.say("\(grid.summary)\n\n\(grid.table)")
        if arguments.has("--renew") {
            try page.renew(grid)
        } else if !known.contains(grid.table) {
            Terminal.complain(
                "Reports/README.md has other figures; if that is intended, run ./lab goodput "
                    + "--renew")
            return .fellShort
        }
        return grid.holds ? .allHeld : .fellShort
    }
}
