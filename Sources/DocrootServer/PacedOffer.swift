/// The paced transport as a server offers it.
package struct PacedOffer: Hashable, Sendable {
    /// The UDP port.
    package var port: UInt16 = 33_001
    package var passage = Passage.open

    package init(passage: Passage = .open) { self.passage = passage }

    /// What becomes of its packets at the server's door, with names in the scenario language. Only
    /// a simulated network has such a door.
    package enum Passage: String, Hashable, Sendable, CaseIterable {
        case open
        /// Nobody listens at the port, and the server's system says so.
        case closed
        /// A firewall drops what clients send.
        case blocked
        /// A firewall drops what the server sends.
        case mute
    }
}
