import Foundation
package import RunLog

/// What a process of a live run is told at its start, in a file.
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

/// What every process on a phone is told.
protocol PhoneProcessOrders: ProcessOrders {
    /// How the phone's ways into the network stand.
    var network: NetworkStanding { get }
    /// The phone's disk, where that has rules.
    var disk: SharedDisk.Place? { get }
    /// Where the process's flight is recorded, if it is.
    var flight: String? { get }
    /// The run's start on the machine's monotonic clock, in nanoseconds.
    var startNanoseconds: UInt64 { get }
}

extension AppOrders: PhoneProcessOrders {}
extension DaemonOrders: PhoneProcessOrders {}

/// A scenario's file as it was read, and where it stood.
package struct ScenarioText: Hashable, Sendable, Codable {
    package var text: String
    package var path: String
    package var parts: [IncludedPart]
    package var variant: String?

    package init(
        text: String, path: String, parts: [IncludedPart] = [], variant: String? = nil
    ) {
        self.text = text
        self.path = path
        self.parts = parts
        self.variant = variant
    }
}
