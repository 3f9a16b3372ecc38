import TransferEngine

/// Where a phone's ways into the network stand, as an app's process finds them.
struct NetworkStanding: Hashable, Sendable, Codable {
    /// What the engine is told; `nil`: there is one way, which is always there.
    var status: NetworkStatus?
    var interfaces: [Interface]

    struct Interface: Hashable, Sendable, Codable {
        /// In the run.
        var number: UInt16
        var isUp = true
        /// What connections come from; `nil`: as the system likes it.
        var address: String?
        /// Where a captive portal answers in everybody's place.
        var portalPort: UInt16?
        /// What its uplink carries.
        var bitsPerSecond: UInt64
        /// The same of its downlink; `nil`: what comes, comes.
        var downlinkBitsPerSecond: UInt64?
    }
}

/// What a phone tells an app's process when something becomes of its network: what has to be done
/// to the connections, and how everything stands then.
struct NetworkOrder: Hashable, Sendable, Codable {
    var acts: [Act]
    var standing: NetworkStanding

    enum Act: Hashable, Sendable, Codable {
        /// The app has lost those that are on this interface, and their peers hear nothing of it.
        case end(UInt16)
        /// Nothing passes any more on those that are; who sends on may be told so by a reset.
        case cut(UInt16, answersByReset: Bool)
    }

    /// What a process has to do that hears both at once.
    mutating func merge(_ later: NetworkOrder) {
        for act in later.acts where !acts.contains(act) { acts.append(act) }
        standing = later.standing
    }
}
