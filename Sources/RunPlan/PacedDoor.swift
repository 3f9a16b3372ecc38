/// What becomes of packets of the paced transport at the server's door, with names in the scenario
/// language.
package enum PacedDoor: String, Hashable, Sendable, CaseIterable {
    case open
    /// The server does not offer the transport.
    case missing
    /// Nobody listens at the port, and the server's system says so.
    case closed
    /// A firewall drops what clients send.
    case blocked
    /// A firewall drops what the server sends.
    case mute

    /// The server's UDP port in simulation.
    package static let port: UInt16 = 33_001
}
