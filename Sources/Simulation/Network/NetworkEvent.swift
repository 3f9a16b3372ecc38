package import RunLog

/// One end of a connection, as its host knows it.
package struct StreamHandle: Hashable, Sendable {
    let index: Int32

    var place: Int {
        @inline(__always) get { Int(index) }
    }

    package var otherEnd: StreamHandle { StreamHandle(index: index ^ 1) }

    /// Whether this end opened the connection.
    package var isOpener: Bool { index & 1 == 0 }

    /// Number of the connection, in order of opening, from 0.
    package var connection: Int { Int(index >> 1) }
}

/// The sides of a network. Clients are told apart by their interfaces; each interface has a pair
/// of links to the other side.
package enum NetworkHost: Hashable, Sendable {
    case client, server
    /// Captive portal of a network; it answers in the server's place until somebody logs in.
    case portal

    /// Returns the link by which this side sends over an interface.
    func link(of interface: Int) -> Int32 {
        switch self {
        case .client: Int32(2 * interface)
        case .server, .portal: Int32(2 * interface + 1)
        }
    }

    @inline(__always)
    static func isUplink(_ link: Int32) -> Bool { link & 1 == 0 }
}

/// An event that the network reports to the hosts.
package enum NetworkEvent: Hashable, Sendable {
    /// A connection opened by this host is established.
    case connected(StreamHandle)
    /// A connection to a port of this host is established.
    case accepted(StreamHandle, NetworkHost, port: UInt16)
    /// There is content to read; reported once until it is read.
    case readable(StreamHandle)
    /// The send buffer was full, and a good part is free again.
    case roomAvailable(StreamHandle)
    /// The peer will send no more; everything before that can be read.
    case peerFinished(StreamHandle)
    case ended(StreamHandle, ConnectionEnd)
    case timer(slot: Int32)
}
