import TransferEngine

/// The state of a phone's network.
struct NetworkStanding: Hashable, Sendable, Codable {
    /// The engine's view; `nil`: there is one interface, which is always up.
    var status: NetworkStatus?
    var interfaces: [Interface]

    struct Interface: Hashable, Sendable, Codable {
        /// Its number in the run.
        var number: UInt16
        var isUp = true
        /// The source address of connections; `nil`: the system's choice.
        var address: String?
        /// The port of a captive portal that answers instead of servers.
        var portalPort: UInt16?
        /// The rate of the uplink.
        var bitsPerSecond: UInt64
        /// The rate of the downlink; `nil`: unlimited.
        var downlinkBitsPerSecond: UInt64?
    }
}

/// A change of a phone's network: what happens to connections, and the state afterwards.
struct NetworkOrder: Hashable, Sendable, Codable {
    var acts: [Act]
    var standing: NetworkStanding

    enum Act: Hashable, Sendable, Codable {
        /// Connections on this interface end, and their peers hear nothing.
        case end(UInt16)
        /// Nothing passes any more on connections of this interface. A sender may be answered by a
        /// reset.
        case cut(UInt16, answersByReset: Bool)
    }

    /// Adds a later order, for a process that hears both at once.
    mutating func merge(_ later: NetworkOrder) {
        for act in later.acts where !acts.contains(act) { acts.append(act) }
        standing = later.standing
    }
}
