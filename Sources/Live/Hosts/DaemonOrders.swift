import Recording
import RunLog

/// What the process of a phone's transfer daemon is told at its start.
///
/// They stand in a file whose path is the process's last argument.
package struct DaemonOrders: Hashable, Sendable, ProcessOrders {
    /// From the scenario's text and seed the process compiles the same plan as its parent.
    package var scenario: ScenarioText
    package var seed: UInt64
    /// Which of the plan's phones is its own, counted from 0.
    package var phone: Int
    /// By their places on the phone.
    var apps: [App]
    /// Its earlier starts have counted so far.
    var lastConnection: UInt32
    var network: NetworkStanding
    var hasCharger: Bool
    /// Of its phone, where that has rules.
    var disk: SharedDisk.Place?
    /// The directory that is its own: its store, and what downloads have brought.
    var folder: String
    /// Where its flight is recorded, if it is.
    var flight: String?
    /// The run's start on the machine's monotonic clock, in nanoseconds.
    var startNanoseconds: UInt64

    /// An app on its phone.
    struct App: Hashable, Sendable, Codable {
        /// Whose events its own are.
        var name: UInt16?
        var tasksBefore: UInt64
        /// So often its data was cleared.
        var clearings: UInt32
        /// Where its files are at the daemon's start.
        var container: String

        var numbers: AppNumbers {
            var before = ItemCounts()
            before[.background] = tasksBefore
            return AppNumbers(name: name, before: before)
        }
    }
}
