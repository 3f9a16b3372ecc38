/// The two ends of a session of the paced transport.
package enum PacedSide: Int, Sendable {
    case client, server

    package var other: PacedSide { self == .client ? .server : .client }
}
