import Recording
import RunLog

/// What a transfer daemon's process is told at its start, in a file that its last argument names.
package struct DaemonOrders: Hashable, Sendable, ProcessOrders {
    /// The process compiles the same plan as its parent from the text and the seed.
    package var scenario: ScenarioText
    package var seed: UInt64
    /// Its phone's place in the plan, counted from 0.
    package var phone: Int
    /// The apps by their places on the phone.
    var apps: [App]
    /// The number of the last connection of its earlier starts.
    var lastConnection: UInt32
    var network: NetworkStanding
    var hasCharger: Bool
    /// Its phone's disk, if that has rules.
    var disk: SharedDisk.Place?
    /// The daemon's own directory: its store and its downloads.
    var folder: String
    /// Where its flight is recorded.
    var flight: String?
    /// The TLS of the server; `nil`: all is plain.
    var security: ServerSecurity?
    /// The run's start on the machine's monotonic clock, in nanoseconds.
    var startNanoseconds: UInt64

    /// An app on its phone.
    struct App: Hashable, Sendable, Codable {
        /// Its number in the log; `nil` for the first app.
        var name: UInt16?
        var tasksBefore: UInt64
        /// How often its data was cleared.
        var clearings: UInt32
        /// Where its files are when the daemon starts.
        var container: String
        /// Where its secrets are kept.
        var keychain: String

        var numbers: AppNumbers {
            var before = ItemCounts()
            before[.background] = tasksBefore
            return AppNumbers(name: name, before: before)
        }
    }
}
