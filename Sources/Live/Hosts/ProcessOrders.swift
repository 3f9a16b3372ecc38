import Foundation
package import RunLog

/// The orders of a process of a live run, in a file.
package protocol ProcessOrders: Codable {}

extension ProcessOrders {
    package init(reading path: String) throws {
        let data = try Data(contentsOf: URL(filePath: path))
        self = try JSONDecoder().decode(Self.self, from: data)
    }

    func write(to path: String) throws {
        try JSONEncoder().encode(self).write(to: URL(filePath: path))
    }
}

/// The orders common to all processes on a phone.
protocol PhoneProcessOrders: ProcessOrders {
    /// The phone's network.
    var network: NetworkStanding { get }
    /// The phone's disk, if that has rules.
    var disk: SharedDisk.Place? { get }
    /// Where the process's flight is recorded.
    var flight: String? { get }
    /// The TLS of the server; `nil`: all is plain.
    var security: ServerSecurity? { get }
    /// The run's start on the machine's monotonic clock, in nanoseconds.
    var startNanoseconds: UInt64 { get }
}

/// The TLS of a live run's server.
struct ServerSecurity: Hashable, Sendable, Codable {
    /// The file of its certificate, which all processes trust.
    var certificate: String
    /// Describes the version in the log.
    var words: String
}

extension AppOrders: PhoneProcessOrders {}
extension DaemonOrders: PhoneProcessOrders {}

/// The text of a scenario's file, its path, and the files that it names.
package struct ScenarioText: Hashable, Sendable, Codable {
    package var text: String
    package var path: String
    package var parts: [IncludedPart]
    package var traces: [IncludedTrace]
    package var variant: String?

    package init(
        text: String, path: String, parts: [IncludedPart] = [], traces: [IncludedTrace] = [],
        variant: String? = nil
    ) {
        self.text = text
        self.path = path
        self.parts = parts
        self.traces = traces
        self.variant = variant
    }
}
