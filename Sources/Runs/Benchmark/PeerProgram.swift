import Foundation

/// The same link and the same flow in another simulator, built by `./lab bench --peer`.
package struct PeerProgram {
    private let path: String

    package static let name = "peer/ns-3"
    /// As long as it takes to leave slow start far behind; ten minutes would take it two.
    package static let simulatedSeconds = 30
    static let about = "ns-3 with the link and the flow of bulk/no-loss, for \(simulatedSeconds) s"
    /// The case of ours that plays the same.
    package static var counterpart: String { BenchmarkCase.oneFlow }
    private static let variable = "TRANSFERLAB_PEER"

    /// The program that the wrapper has built, and named in the environment.
    package init(environment: [String: String]) throws(RunFailure) {
        guard let path = environment[Self.variable] else {
            throw RunFailure(
                "the peer is not built: run ./lab bench --peer, which installs libns3-dev, "
                    + "builds the "
                    + "peer and sets \(Self.variable)")
        }
        self.path = path
    }

    /// One line of JSON, as the program's first comment says.
    private struct Said: Decodable {
        var receivedBytes: UInt64
        var dataPacketsDelivered: UInt64
        var events: UInt64
        var wallSeconds: Double
        var userSeconds: Double
        var peakBytes: UInt64
    }

    func sample(seconds: Int = simulatedSeconds) throws(RunFailure) -> BenchmarkSample {
        let output = try MeasuredProcess.output(
            of: path, ["--seconds=\(seconds)"], doing: Self.name)
        let said: Said
        do { said = try JSONDecoder().decode(Said.self, from: output) } catch {
            throw RunFailure("\(Self.name) printed no figures: \(error)")
        }
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
