package import RunLog

/// One end of a connection, as its host knows it.
package struct StreamHandle: Hashable, Sendable {
    let index: Int32

    var place: Int {
        @inline(__always) get { Int(index) }
    }

    /// The other end, as its host would know it.
    package var otherEnd: StreamHandle { StreamHandle(index: index ^ 1) }

    /// Whether this end opened the connection; the other accepted it.
    package var isOpener: Bool { index & 1 == 0 }

    /// Connections are numbered from 0, in the order in which they were opened.
    package var connection: Int { Int(index >> 1) }
}

/// The sides of a network. Whoever is on the clients' side is told apart by interfaces, each of
/// which is a pair of links between it and the other side.
package enum NetworkHost: Hashable, Sendable {
    case client, server
    /// The captive portal of a network: it answers in the server's place, until somebody logs in.
    case portal

    /// The link by which it sends over an interface.
    func link(of interface: Int) -> Int32 {
        switch self {
        case .client: Int32(2 * interface)
        case .server, .portal: Int32(2 * interface + 1)
        }
    }

    /// Whether a link leads away from a client.
    @inline(__always)
    static func isUplink(_ link: Int32) -> Bool { link & 1 == 0 }
}

/// What the network has to tell the hosts after a step.
package enum NetworkEvent: Hashable, Sendable {
    /// The connection that this host opened stands.
    case connected(StreamHandle)
    /// A connection to a port of this host stands.
    case accepted(StreamHandle, NetworkHost, port: UInt16)
    /// There is something to read; said once until it is read.
    case readable(StreamHandle)
    /// `send` had filled the buffer, and a good part of it is free again.
    case roomAvailable(StreamHandle)
    /// The peer will send no more; all it sent can be read.
    case peerFinished(StreamHandle)
    /// Nothing more will come from this connection.
    case ended(StreamHandle, ConnectionEnd)
    /// A timer that the host has set.
    case timer(slot: Int32)
}
