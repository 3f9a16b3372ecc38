/// The device's way into the network, as told to the engine. The defaults allow everything.
public struct NetworkStatus: Hashable, Sendable, Codable {
    /// The number of the interface that a new connection would use; `nil` if there is none.
    public var interface: UInt16?
    public var isCellular: Bool
    /// Whether the network costs money.
    public var isMetered: Bool
    /// Whether the user wants to save data.
    public var isLowData: Bool
    /// Working interfaces. Connections on any other are lost, whether they know it or not.
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
    /// Why a session with these limits has to wait; `nil` if it may run.
    func obstacle(in status: NetworkStatus?) -> String? {
        guard let status else { return nil }
        if status.interface == nil { return "there is no network" }
        if contains(.noCellular), status.isCellular { return "it may not use cellular" }
        if contains(.noMetered), status.isMetered { return "it may not use a metered network" }
        if contains(.noLowData), status.isLowData { return "it may not use data in low data mode" }
        return nil
    }
}
