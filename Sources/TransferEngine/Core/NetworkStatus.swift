/// What the engine is told of the device's way into the network; without a word anything goes.
public struct NetworkStatus: Hashable, Sendable, Codable {
    /// The interface that a new connection would use, by the number that the world gives it; `nil`:
    /// there is none.
    public var interface: UInt16?
    public var isCellular: Bool
    /// It costs money.
    public var isMetered: Bool
    /// The user wants to save data.
    public var isLowData: Bool
    /// Connections on any other interface are lost, whether they know it or not.
    public var alive: [UInt16]

    public init(
        interface: UInt16?, isCellular: Bool, isMetered: Bool, isLowData: Bool, alive: [UInt16]
    ) {
        self.interface = interface
        self.isCellular = isCellular
        self.isMetered = isMetered
        self.isLowData = isLowData
        self.alive = alive
    }
}

extension NetworkLimits {
    /// Why a session with these limits has to wait; `nil` if it need not.
    func obstacle(in status: NetworkStatus?) -> String? {
        guard let status else { return nil }
        if status.interface == nil { return "there is no network" }
        if contains(.noCellular), status.isCellular { return "it may not use cellular" }
        if contains(.noMetered), status.isMetered { return "it may not use a metered network" }
        if contains(.noLowData), status.isLowData { return "it may not use data in low data mode" }
        return nil
    }
}
