/// The networks that an item does not use, like `allowsCellularAccess`,
/// `allowsExpensiveNetworkAccess` and `allowsConstrainedNetworkAccess` of a URL session (B13).
public struct NetworkLimits: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let noCellular = NetworkLimits(rawValue: 1)
    public static let noMetered = NetworkLimits(rawValue: 2)
    public static let noLowData = NetworkLimits(rawValue: 4)
    /// A discretionary task also waits for a charger.
    package static let needsCharger = NetworkLimits(rawValue: 8)

    var sentence: String {
        [
            contains(.noCellular) ? "not over cellular" : nil,
            contains(.noMetered) ? "not over a metered network" : nil,
            contains(.noLowData) ? "not in low data mode" : nil,
            contains(.needsCharger) ? "not without a charger" : nil,
        ].compactMap(\.self).joined(separator: ", ")
    }
}

/// `{"allowsCellular":false,"allowsMetered":true,"allowsLowData":true}`
extension NetworkLimits: Codable {
    private enum Key: String, CodingKey {
        case allowsCellular, allowsMetered, allowsLowData, needsCharger
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self = []
        if try !container.decode(Bool.self, forKey: .allowsCellular) { insert(.noCellular) }
        if try !container.decode(Bool.self, forKey: .allowsMetered) { insert(.noMetered) }
        if try !container.decode(Bool.self, forKey: .allowsLowData) { insert(.noLowData) }
        if try container.decodeIfPresent(Bool.self, forKey: .needsCharger) == true {
            insert(.needsCharger)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(!contains(.noCellular), forKey: .allowsCellular)
        try container.encode(!contains(.noMetered), forKey: .allowsMetered)
        try container.encode(!contains(.noLowData), forKey: .allowsLowData)
        if contains(.needsCharger) { try container.encode(true, forKey: .needsCharger) }
    }
}
