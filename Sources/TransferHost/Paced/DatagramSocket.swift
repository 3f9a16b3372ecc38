import CLinux
import Glibc

/// A UDP socket. Its calls never block.
package struct DatagramSocket: ~Copyable {
    package let descriptor: Descriptor
    /// The port to which others send; 0 at an end that has connected.
    package let port: UInt16
    /// Whether its packets go over IPv6.
    package let isIPv6: Bool

    /// What has become of a batch.
    package enum Sent: Hashable {
        case all
        /// The socket has no room for the rest, which the batch keeps.
        case full
        /// Nobody listens there.
        case refused
    }

    package enum Received: Hashable {
        case datagrams, nothing
        /// Nobody listens at the other end.
        case refused
    }

    /// The system's buffers for bursts between two turns of a host, as far as it allows them.
    private static let buffer: Int32 = 4 << 20

    /// Receives what anybody sends to a port.
    package init(host: String, port wanted: UInt16) throws(SystemError) {
        guard var address = sockaddr_in(ipv4: host, port: wanted) else {
            throw SystemError("take “\(host)” for an IPv4 address", code: EINVAL)
        }
        let socket = try Self.socket(AF_INET)
        let number = socket.number
        let isBound = address.withSocketAddress { address, length in
            var length = length
            return bind(number, address, length) == 0 && getsockname(number, address, &length) == 0
        }
        guard isBound else { throw SystemError("receive datagrams on \(host):\(wanted)") }
        descriptor = socket
        port = UInt16(bigEndian: address.sin_port)
        isIPv6 = false
    }

    /// Exchanges datagrams with one peer. `source` is one of this machine's own addresses.
    package init(
        connectingTo host: String, port: UInt16, from source: String? = nil
    ) throws(SystemError) {
        guard let address = InternetAddress(host, port: port) else {
            throw SystemError("take “\(host)” for an address", code: EINVAL)
        }
        try self.init(connectingTo: address, from: source)
    }

    init(connectingTo address: InternetAddress, from source: String? = nil) throws(SystemError) {
        let socket = try Self.socket(address.family)
        let number = socket.number
        if let source { try TCPStream.bind(number, to: source) }
        let isConnected = address.withSocketAddress { address, length in
            connect(number, address, length) == 0
        }
        guard isConnected else { throw SystemError("send datagrams to \(address)") }
        descriptor = socket
        isIPv6 = address.family == AF_INET6
        port = 0
    }

    /// A socket that exchanges datagrams over IPv4 already.
    package init(adopting number: Int32) {
        descriptor = Descriptor(adopting: number)
        port = 0
        isIPv6 = false
    }

    private static func socket(_ family: Int32) throws(SystemError) -> Descriptor {
        let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let number = Glibc.socket(family, Int32(kind), 0)
        guard number >= 0 else { throw SystemError("make a socket") }
        let descriptor = Descriptor(adopting: number)
        descriptor.set(SO_RCVBUF, to: buffer)
        descriptor.set(SO_SNDBUF, to: buffer)
        // The transport finds the size of packets by itself.
        if family == AF_INET {
            descriptor.set(IP_MTU_DISCOVER, to: IP_PMTUDISC_PROBE, level: Int32(IPPROTO_IP))
        } else {
            descriptor.set(IPV6_MTU_DISCOVER, to: IPV6_PMTUDISC_PROBE, level: Int32(IPPROTO_IPV6))
        }
        // Older systems deliver one datagram at a time.
        descriptor.set(UDP_GRO, to: Int32(1), level: Int32(IPPROTO_UDP))
        return descriptor
    }

    /// Sends a batch, to its peer or to that of the socket. What cannot go out is lost, as on any
    /// path.
    package func send(_ batch: DatagramBatch) -> Sent { batch.send(by: descriptor.number) }

    /// Receives what has come.
    package func receive(into inbox: DatagramInbox) -> Received {
        inbox.receive(from: descriptor.number)
    }
}
