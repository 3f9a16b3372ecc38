import Foundation
import Runs

/// `bench`: how fast the simulator is.
enum BenchCommand {
    static let command = Command(
        name: "bench", summary: "measure how fast the simulator is",
        help: """
            usage: ./lab bench [CASE…]

            Plays bulk transfers over the virtual network, with the network's books checked (S16),
            and prints packets of data delivered per second.

            Exit codes: 0 measured, 2 could not run.

            Example: ./lab bench bulk/no-loss
            """,
        run: run)

    private static func run(_ words: [String]) throws -> ExitCode {
        let arguments = try Arguments(words, of: command)
        for (name, work) in BenchmarkCatalogue.bulk
        where arguments.paths.isEmpty || arguments.paths.contains(name) {
            let measured = BulkMeasurement(playing: work)
            let packets = Double(measured.packets.delivered)
            let line = String(
                format: "%@ %.2f M packets/s wall %.2f user, %.1f M events/s, %.1f s, ",
                name as NSString, packets / measured.cost.wallSeconds / 1e6,
                packets / measured.cost.userSeconds / 1e6,
                Double(measured.eventCount) / measured.cost.userSeconds / 1e6,
                measured.cost.wallSeconds)
            print(
                line + "\(measured.packets.delivered) delivered, \(measured.packets.dropped) "
                    + "dropped, \(measured.packets.retransmitted) again, \(measured.received), "
                    + "\(measured.finishedAt.map { "\($0)" } ?? "-"), \(measured.digest), "
                    + "\(measured.isPhysical), peak \(measured.cost.peakBytes / 1024) KiB, "
                    + "heap \(measured.cost.heapBytes / 1024) KiB")
            fflush(nil)
        }
        return .allHeld
    }
}
