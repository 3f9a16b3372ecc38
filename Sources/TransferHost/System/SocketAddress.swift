package import Glibc

/// One end of a TCP connection.
package struct SocketAddress: Hashable, Sendable, Codable {
    package var address: UInt32
    package var port: UInt16

    package init(address: UInt32, port: UInt16) {
        self.address = address
        self.port = port
    }
}

extension SocketAddress {
    package init(_ system: sockaddr_in) {
        self.init(
            address: UInt32(bigEndian: system.sin_addr.s_addr),
            port: UInt16(bigEndian: system.sin_port))
    }
}
