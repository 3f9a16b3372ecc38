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

    /// Whether a host has called by name, and the stack has another handle.
    var isName: Bool {
        @inline(__always) get { index < 0 }
    }

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

extension NetworkEvent {
    /// The stream that the event is about; `nil` for a timer.
    var stream: StreamHandle? {
        switch self {
        case .connected(let handle), .accepted(let handle, _, _), .readable(let handle),
            .roomAvailable(let handle), .peerFinished(let handle), .ended(let handle, _):
            handle
        case .timer: nil
        }
    }

    /// Returns the event about a stream that the hosts know by another handle.
    func renamed(_ handle: StreamHandle) -> NetworkEvent {
        switch self {
        case .connected: .connected(handle)
        case .accepted(_, let host, let port): .accepted(handle, host, port: port)
        case .readable: .readable(handle)
        case .roomAvailable: .roomAvailable(handle)
        case .peerFinished: .peerFinished(handle)
        case .ended(_, let why): .ended(handle, why)
        case .timer: self
        }
    }
}
