package import Recording
package import RunLog
import RunPlan

/// What an app's process is told at its launch: which scenario to play, where, and since when.
///
/// They stand in a file whose path is the process's last argument.
package struct AppOrders: Hashable, Sendable, ProcessOrders {
    /// From the scenario's text and seed the process compiles the same plan as its parent.
    package var scenario: ScenarioText
    package var seed: UInt64
    /// Which of the plan's apps it is, counted from 0.
    package var app: Int
    /// Of all apps of the run, counted from 1.
    package var launch: UInt32
    /// The same since the app's data was last cleared.
    package var ownLaunch: UInt32
    /// How many items are counted before those that the app has begun since its data was last
    /// cleared.
    package var before: ItemCounts
    /// Of all apps: where it counts on if it finds its store damaged.
    package var sessionsCounted: UInt64
    /// Where it has counted on since.
    package var later: [AppNumbers.Later]
    package var isInBackground: Bool
    /// How its phone's ways into the network stand.
    var network: NetworkStanding
    /// Of its phone, where that has rules.
    var disk: SharedDisk.Place?
    /// The directory that is the app's own: its files and its store.
    package var container: String
    /// Where its flight is recorded, if it is.
    var flight: String?
    package var serverHost: String
    package var serverPort: UInt16
    /// The run's start on the machine's monotonic clock, in nanoseconds.
    package var startNanoseconds: UInt64

    init(
        scenario: ScenarioText, seed: UInt64, app: Int = 0, launch: UInt32,
        ownLaunch: UInt32? = nil, before: ItemCounts = ItemCounts(), sessionsCounted: UInt64 = 0,
        later: [AppNumbers.Later] = [],
        isInBackground: Bool = false, network: NetworkStanding, disk: SharedDisk.Place? = nil,
        container: String, flight: String? = nil, serverPort: UInt16, startNanoseconds: UInt64
    ) {
        self.scenario = scenario
        self.seed = seed
        self.app = app
        self.launch = launch
        self.ownLaunch = ownLaunch ?? launch
        self.before = before
        self.sessionsCounted = sessionsCounted
        self.later = later
        self.isInBackground = isInBackground
        self.network = network
        self.disk = disk
        self.container = container
        self.flight = flight
        serverHost = TCPListener.host
        self.serverPort = serverPort
        self.startNanoseconds = startNanoseconds
    }

    var server: ServerAddress { ServerAddress(host: serverHost, port: serverPort) }
}
