import Foundation

/// Another simulator with the same link and the same flow, built by `./lab bench --peer`.
package struct PeerProgram {
    private let path: String

    package static let name = "peer/ns-3"
    /// Long enough to leave slow start far behind. Ten simulated minutes would take two real ones.
    package static let simulatedSeconds = 30
    static let about = "ns-3 with the link and the flow of bulk/no-loss, for \(simulatedSeconds) s"
    /// Our case with the same link and flow.
    package static var counterpart: String { BenchmarkCase.oneFlow }
    private static let variable = "TRANSFERLAB_PEER"

    /// Takes the program that the wrapper has built and named in the environment.
    package init(environment: [String: String]) throws(RunFailure) {
        guard let path = environment[Self.variable] else {
            throw RunFailure(
                "the peer is not built: run ./lab bench --peer, which installs libns3-dev, "
                    + "builds the peer and sets \(Self.variable)")
        }
        self.path = path
    }

    /// The program's output: one line of JSON.
    private struct Said: Decodable {
        var receivedBytes: UInt64
        var dataPacketsDelivered: UInt64
        var events: UInt64
        var wallSeconds: Double
        var userSeconds: Double
        var peakBytes: UInt64
    }

    func sample(seconds: Int = simulatedSeconds) throws(RunFailure) -> BenchmarkSample {
        let said: Said = try MeasuredProcess.figures(
            of: path, ["--seconds=\(seconds)"], doing: Self.name)
        return BenchmarkSample(
            exact: [
                "dataPacketsDelivered": .whole(said.dataPacketsDelivered),
                "receivedBytes": .whole(said.receivedBytes),
            ],
            counts: ["dataPackets": said.dataPacketsDelivered, "events": said.events],
            cost: Cost(
                wallSeconds: said.wallSeconds, userSeconds: said.userSeconds,
                peakBytes: said.peakBytes))
    }
}
