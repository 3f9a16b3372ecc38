import Glibc

/// One end of a TCP connection.
struct SocketAddress: Hashable, Sendable, Codable {
    var address: UInt32
    var port: UInt16

    init(address: UInt32, port: UInt16) {
        self.address = address
        self.port = port
    }

    init(_ system: sockaddr_in) {
        address = UInt32(bigEndian: system.sin_addr.s_addr)
        port = UInt16(bigEndian: system.sin_port)
    }
}

/// The addresses of a live phone's interfaces: each is in a network of its own within that of the
/// loopback interface, so that a capture tells them apart; who joins another network has another
/// address there.
enum LoopbackNetwork {
    /// 127.1.*interface*.*network*, both as far as they go.
    static func address(ofInterface interface: UInt16, inNetwork network: Int) -> UInt32 {
        prefix << 16 | UInt32(UInt8(truncatingIfNeeded: interface)) << 8
            | UInt32(1 + (network - 1) % 254)
    }

    /// That of the first for all that is not one of these.
    static func interface(of address: UInt32) -> UInt16 {
        address >> 16 == prefix ? UInt16(address >> 8 & 0xff) : 0
    }

    private static let prefix: UInt32 = 0x7f01
}
