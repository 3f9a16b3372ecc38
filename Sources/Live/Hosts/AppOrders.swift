import Recording
import RunLog
import RunPlan

/// What an app's process is told at its launch, in a file that its last argument names.
package struct AppOrders: Hashable, Sendable, ProcessOrders {
    /// The process compiles the same plan as its parent from the text and the seed.
    package var scenario: ScenarioText
    package var seed: UInt64
    /// The app's place among the plan's apps, counted from 0.
    var app = 0
    /// The launch among all launches of the run, counted from 1.
    var launch: UInt32
    /// The launch among those since the app's data was last cleared.
    var ownLaunch: UInt32
    /// How many items are counted before the app's own. The app's own began after its data was
    /// last cleared.
    var before = ItemCounts()
    /// How many items of all apps are counted. A new store counts on there.
    var counted = ItemCounts()
    /// Where the app has counted on since.
    var later: [AppNumbers.Later] = []
    var isInBackground = false
    /// How its phone's ways into the network stand.
    var network: NetworkStanding
    /// Its phone's disk, if that has rules.
    var disk: SharedDisk.Place?
    /// The app's own directory: its files and its store.
    var container: String
    /// Where its secrets are kept.
    var keychain: String
    /// Where its flight is recorded.
    var flight: String?
    /// The TLS of the server; `nil`: all is plain.
    var security: ServerSecurity?
    var serverHost = TCPListener.host
    var serverPort: UInt16
    /// A port of the run at which nobody listens, in the place of all others.
    var deadPort: UInt16
    /// The run's start on the machine's monotonic clock, in nanoseconds.
    var startNanoseconds: UInt64

    /// The server's address, for a plan that means it by its usual port.
    func server(plannedPort: UInt16) -> ServerAddress {
        ServerAddress(
            host: serverHost, port: serverPort, plannedPort: plannedPort, deadPort: deadPort,
            usesTLS: security != nil)
    }
}
