/// The addresses of a live phone's interfaces. Each has a network of its own within the loopback
/// interface's, so that a capture tells them apart. An interface that joins another network gets
/// another address.
enum LoopbackNetwork {
    /// 127.1.*interface*.*network*.
    static func address(ofInterface interface: UInt16, inNetwork network: Int) -> UInt32 {
        prefix << 16 | UInt32(UInt8(truncatingIfNeeded: interface)) << 8
            | UInt32(1 + (network - 1) % 254)
    }

    /// Other addresses belong to the first interface.
    static func interface(of address: UInt32) -> UInt16 {
        address >> 16 == prefix ? UInt16(address >> 8 & 0xff) : 0
    }

    private static let prefix: UInt32 = 0x7f01
}
