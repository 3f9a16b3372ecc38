/// An address in a packet.
package enum IPAddress: Hashable, Sendable {
    case v4(UInt32)
    /// The network's half and the host's half.
    case v6(UInt64, UInt64)
}
