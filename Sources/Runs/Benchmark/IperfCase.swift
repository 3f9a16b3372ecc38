import Foundation

/// iperf3 over the loopback interface, the peer of what goes over real sockets.
struct IperfCase {
    let isOverTCP: Bool

    private static let program = "/usr/bin/iperf3"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// Datagrams without any pace, as long as those of a packet of 1500 bytes.
    private var options: [String] { isOverTCP ? [] : ["-u", "-b", "0", "-l", "1472"] }

    /// What iperf3 says of the receiver.
    private struct Said: Decodable {
        var end: End

        struct End: Decodable {
            var sum_received: Sum
            var cpu_utilization_percent: Use
        }

        struct Sum: Decodable {
            var seconds: Double
            var bytes: Double
        }

        /// How busy each end was outside the kernel.
        struct Use: Decodable {
            var host_user: Double
            var remote_user: Double
        }
    }

    func play() throws(RunFailure) -> BenchmarkSample {
        let name = isOverTCP ? BenchmarkCase.iperfTCP : BenchmarkCase.iperfUDP
        let server = Process()
        let output = Pipe()
        // A port that the system does not give to others by itself.
        let port = "\(UInt16.random(in: 20_000..<32_000))"
        server.executableURL = URL(filePath: Self.program)
        server.arguments = ["-s", "-1", "-B", "127.0.0.1", "-p", port, "--forceflush"]
        server.standardOutput = output
        do { try server.run() } catch {
            throw RunFailure("\(name) could not be started: \(error.systemReason)")
        }
        defer { if server.isRunning { server.terminate() } }
        // Its first words come when it listens.
        _ = output.fileHandleForReading.availableData
        let meter = Meter()
        let said: Said = try MeasuredProcess.figures(
            of: Self.program,
            ["-c", "127.0.0.1", "-p", port, "-t", "\(SocketCase.seconds - 1)", "-O", "1", "--json"]
                + options, doing: name)
        var cost = meter.cost()
        cost.wallSeconds = said.end.sum_received.seconds
        let use = said.end.cpu_utilization_percent
        cost.userSeconds = (use.host_user + use.remote_user) / 100 * cost.wallSeconds
        return BenchmarkSample(
            exact: [:], counts: ["bits": UInt64(8 * said.end.sum_received.bytes)], cost: cost)
    }
}
