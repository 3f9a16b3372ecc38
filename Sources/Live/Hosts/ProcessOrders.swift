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
