package import Glibc

/// One end of a TCP connection, or of a stream of the paced transport.
package struct SocketAddress: Hashable, Sendable, Codable {
    package var address: UInt32
    package var port: UInt16
    /// Whether the port is one of UDP.
    package var isOfDatagrams: Bool
    /// The channel of a session of the paced transport.
    package var channel: UInt16 = 0

    package init(address: UInt32, port: UInt16, isOfDatagrams: Bool = false) {
        self.address = address
        self.port = port
        self.isOfDatagrams = isOfDatagrams
    }
}

extension sockaddr_in {
    init(_ address: SocketAddress) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        sin_port = address.port.bigEndian
        sin_addr.s_addr = address.address.bigEndian
    }
}

extension SocketAddress {
    package init(_ system: sockaddr_in, isOfDatagrams: Bool = false) {
        self.init(
            address: UInt32(bigEndian: system.sin_addr.s_addr),
            port: UInt16(bigEndian: system.sin_port), isOfDatagrams: isOfDatagrams)
    }

    /// The own address of a socket.
    init(of socket: borrowing Descriptor, isOfDatagrams: Bool = false) {
        var address = sockaddr_in()
        let number = socket.number
        _ = address.withSocketAddress { address, length in
            var length = length
            return getsockname(number, address, &length)
        }
        self.init(address, isOfDatagrams: isOfDatagrams)
    }
}
